/** Each rule bites: a file that breaks it is found, and the same words in a string are not. */

import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkRepository } from "./check.ts";
import { RAG } from "./layout.ts";
import type { Parsed, Violation } from "./parsing.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const PLACE = `${RAG}/generate/fault.ts`;
const ROUTE = "src/app/fault.ts";
const TOKEN = `import type { RerankedPassages } from "../rag/contracts.ts";\n`;

const BREACHES: readonly (readonly [rule: string, path: string, code: string])[] = [
  ["allowed-parts", PLACE, `import { rank } from "../retrieve/fusion.ts";`],
  ["generate-law", PLACE, `import { rank } from "../wiring.ts";`],
  ["evaluation-law", `${RAG}/evaluation/fault.ts`, `export * from "../pipeline.ts";`],
  ["declared-libraries", PLACE, `const lazily = () => import("openai");`],
  ["declared-libraries", ROUTE, `import OpenAI from "openai";`],
  ["declared-parts", `${RAG}/fault.ts`, `export const fault = 1;`],
  ["plain-imports", PLACE, `const load = (name: string) => import(name);`],
  ["no-code-from-text", PLACE, `const found = eval("1");`],
  ["no-global-objects", PLACE, `const found = Reflect.get(globalThis, "retriever");`],
  ["one-reader-of-the-environment", PLACE, `const key = process.env["KEY"];`],
  ["no-patching", ROUTE, `WeakSet.prototype.has = () => true;`],
  ["only-rerank-makes-passages", ROUTE, `${TOKEN}const made = {} as unknown as RerankedPassages;`],
  ["no-module-objects", ROUTE, `import * as contracts from "../rag/contracts.ts";`],
  ["typed-passages", ROUTE, `${TOKEN}const pass = (it: any): RerankedPassages => it;`],
  ["no-generic-casts", PLACE, `const as = <T>(it: unknown): T => it as T;`],
  ["no-hidden-code", `${RAG}/generate/fault.node`, ""],
  ["unreadable", PLACE, `import {`],
];

const parsed: Parsed = new Map();
let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "rules-"));
  for (const name of ["src", "package.json", "tsconfig.json"]) {
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Every breach, once the files are laid over the service. */
function judged(files: Readonly<Record<string, string>>): readonly Violation[] {
  const places = Object.keys(files).map((path) => join(folder, path));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const found = checkRepository(folder, parsed);
  for (const place of places) rmSync(place);
  return found;
}

test.each(BREACHES)("%s: a breach in %s is found with its line", (rule, path, code) => {
  const found = judged({ [path]: code }).filter((each) => each.path === path && each.rule === rule);
  expect(found).not.toEqual([]);
  for (const { line, advice } of found) {
    expect(line).toBeGreaterThanOrEqual(1);
    expect(advice.length).toBeGreaterThan(20);
  }
});

test("the same words in comments and strings are no breach", () => {
  const quoted = BREACHES.map(([, , code]) => `/* ${code} */\nlog(${JSON.stringify(code)});\n`);
  const text = `const log = (_text: string) => {};\n${quoted.join("")}`;
  const found = judged({ [PLACE]: text, [ROUTE]: text });
  expect(found.filter(({ path }) => path === PLACE || path === ROUTE)).toEqual([]);
});
