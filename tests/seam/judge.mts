/** Prints, as JSON, what the boundary check of a service says of each folder on standard input. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [service = ""] = process.argv.slice(2);
const check = await import(pathToFileURL(join(service, "test/architecture/check.ts")).href);
const folders = JSON.parse(readFileSync(0, "utf8"));
const parsed = new Map();
console.log(JSON.stringify(folders.map((folder) => check.checkRepository(folder, parsed))));
