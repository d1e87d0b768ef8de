/** What is wrong with outside bytes, in a line that names the place. */

import type { ZodError } from "zod";

/** The first issue, such as "expected string, received number - at `$.items[1].name`". */
export function firstIssue(error: ZodError): string {
  const issue = error.issues[0];
  if (issue === undefined) return "it has another form";
  const place = issue.path.map((part) =>
    typeof part === "number" ? `[${part}]` : `.${String(part)}`,
  );
  return `${issue.message.replace(/^Invalid input: /, "")} - at \`$${place.join("")}\``;
}
