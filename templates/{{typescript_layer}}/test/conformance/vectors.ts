import { readFileSync } from "node:fs";

/** The vectors of an area, as the Python service answers them. */
export function loadVectors<Vectors>(area: string): Vectors {
  const path = new URL(`../../conformance/${area}.json`, import.meta.url);
  return JSON.parse(readFileSync(path, "utf8")) as Vectors;
}
