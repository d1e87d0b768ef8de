/** The boundary while it runs: what gets loaded, and what answer() accepts. */

import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { RerankedPassages } from "../../src/rag/contracts.ts";
import { answer } from "../../src/rag/generate/answer.ts";
import { buildGenerator } from "../../src/rag/generate/providers.ts";
import { rerank } from "../../src/rag/rerank/reranking.ts";
import { LAW, PARTS, RAG } from "./layout.ts";
import { partOf } from "./parsing.ts";

const ROOT = resolve(import.meta.dirname, "../..");

const HOOK = `
import { writeSync } from "node:fs";
export async function load(url, context, next) {
  writeSync(1, url + "\\n");
  return next(url, context);
}`;
const LOAD = `
import { register } from "node:module";
register("data:text/javascript," + encodeURIComponent(process.argv[1]));
for (const path of process.argv.slice(2)) await import(path);`;

/** Paths below the root that a fresh process loads for every module of a part. */
function loadedBy(part: string): readonly string[] {
  const folder = join(ROOT, RAG, part);
  const modules = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(folder, name));
  const command = ["--import", "tsx", "--input-type=module", "-e", LOAD, HOOK, ...modules];
  const printed = execFileSync(process.execPath, command, { cwd: ROOT, encoding: "utf8" });
  const addresses = printed.split("\n").filter((line) => line.startsWith("file:"));
  return addresses.map((address) => relative(ROOT, fileURLToPath(address.replace(/\?.*$/, ""))));
}

test.each(Object.keys(LAW))("loading %s loads nothing that the law forbids", (part) => {
  const parts = new Set(loadedBy(part).map((path) => partOf(path)));
  expect(parts).toContain(part);
  expect([...parts].filter((each) => LAW[part]?.includes(each ?? ""))).toEqual([]);
});

test("generation loads no other code of the repository, and no store", () => {
  const loaded = loadedBy("generate");
  const allowed = ["generate", ...(PARTS["generate"]?.parts ?? [])];
  const ours = loaded.filter((path) => path.startsWith("src/"));
  expect(ours.filter((path) => !path.startsWith(`${RAG}/`))).toEqual([]);
  expect(ours.map((path) => partOf(path))).toEqual(
    expect.not.arrayContaining(Object.keys(PARTS).filter((part) => !allowed.includes(part))),
  );
  expect(loaded.filter((path) => path.includes("sqlite"))).toEqual([]);
});

type Forge = (genuine: RerankedPassages) => unknown;

const FORGERIES: Readonly<Record<string, Forge>> = {
  "a list": (genuine) => [...genuine.passages],
  "a look-alike": (genuine) => ({ ...genuine }),
  "a look-alike that is frozen": (genuine) => Object.freeze({ ...genuine }),
  "parsed JSON": (genuine) => JSON.parse(JSON.stringify(genuine)),
  "a structured clone": (genuine) => structuredClone(genuine),
  "an object that inherits": (genuine) => Object.create(genuine),
  "a proxy": (genuine) => new Proxy(genuine, {}),
  nothing: () => undefined,
  null: () => null,
  text: (genuine) => JSON.stringify(genuine),
};

async function askWith(passages: unknown): Promise<unknown> {
  const generator = await buildGenerator("echo");
  return answer("question", passages as never, { generator, minSimilarity: 0 });
}

const genuine = () => rerank("question", [], { reranker: null, weight: 0, topN: 1 });

test("answer takes what rerank made", async () => {
  expect(await askWith(await genuine())).toMatchObject({ reason: "no_passages" });
});

test.each(Object.entries(FORGERIES))("answer refuses %s", async (_name, forge) => {
  await expect(askWith(forge(await genuine()))).rejects.toThrow(/rerank/);
  await expect(askWith(forge(await genuine()))).rejects.toBeInstanceOf(TypeError);
});
