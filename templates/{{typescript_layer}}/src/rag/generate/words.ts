/** White space and words as Unicode has them, where JavaScript's `\s` and `\w` differ. */

import { BLANK } from "../code-points.ts";

/** A class of one blank, for a regular expression. */
export const SPACE = `[${BLANK}]`;

const WORD = /[\p{L}\p{N}]/u;

/** Whether a text holds a letter or a digit. */
export function holdsWord(text: string): boolean {
  return WORD.test(text);
}
