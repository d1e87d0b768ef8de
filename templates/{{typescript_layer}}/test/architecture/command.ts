/**
 * `npm run check:retrieval-seam`: prints each breach of the boundary, and ends with status 1.
 *
 * The repository is the one that this file stands in, whatever the working directory; a folder
 * given as the argument is checked instead. Status 2 when it can't be read.
 */

import { resolve } from "node:path";
import { checkRepository, formatViolation } from "./check.ts";

const given = process.argv[2];
const root = given === undefined ? resolve(import.meta.dirname, "../..") : resolve(given);

try {
  const violations = checkRepository(root);
  for (const violation of violations) console.error(formatViolation(violation));
  if (violations.length > 0) process.exitCode = 1;
  else console.log(`retrieval seam: nothing crosses it in ${root}`);
} catch (error) {
  console.error(`the boundary of ${root} can't be checked: ${String(error)}`);
  process.exitCode = 2;
}
