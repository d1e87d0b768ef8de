/** What the operating system said, in its own words. */

import { getSystemErrorMap } from "node:util";

/** The reason of a failed call, such as "No such file or directory". */
export function systemReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { errno } = error as NodeJS.ErrnoException;
  const [, words] = (errno === undefined ? undefined : getSystemErrorMap().get(errno)) ?? [];
  if (words === undefined) return error.message;
  return words.charAt(0).toUpperCase() + words.slice(1);
}
