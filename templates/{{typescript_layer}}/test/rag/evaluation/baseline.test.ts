/** A run is compared with an earlier one over the same corpus and queries, and with no other. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DEFAULTS, type Settings } from "../../../src/rag/config.ts";
import { compareBaseline, saveBaseline } from "../../../src/rag/evaluation/baseline.ts";
import { changedSettings, fingerprintOf } from "../../../src/rag/evaluation/fingerprint.ts";
import type { Golden } from "../../../src/rag/evaluation/golden.ts";
import type { Report } from "../../../src/rag/evaluation/report.ts";
import { evaluate } from "../../../src/rag/evaluation/scoring.ts";
import { emptyFolder } from "../../fixtures/folder.ts";
import { documentsOf, query } from "./queries.ts";
import { writtenRetrieval } from "./retrieval.ts";

const DOCUMENTS = documentsOf({ a: "1", b: "2" });
const QUERIES = Array.from({ length: 12 }, (_, at) => query(`q${at}`, `text ${at}`, { a: 1 }));

type Changes = {
  readonly documents?: typeof DOCUMENTS;
  readonly queries?: Golden;
  readonly settings?: Partial<Settings>;
};

/** Evaluates retrieval that finds the right document for the first `right` queries. */
function reportOf(
  right: number,
  { documents = DOCUMENTS, queries = QUERIES, settings = {} }: Changes = {},
): Promise<Report> {
  const dense = Object.fromEntries(queries.slice(0, right).map(({ text }) => [text, ["a#1"]]));
  return evaluate(writtenRetrieval({ dense, settings }), queries, documents, { index: "i" });
}

async function saved(right: number): Promise<string> {
  const path = join(emptyFolder(), "baseline.json");
  saveBaseline(path, await reportOf(right));
  return path;
}

test("a run equals the baseline saved from it", async () => {
  const comparison = compareBaseline(await reportOf(9), await saved(9));
  expect(comparison.rows.map(({ interval }) => interval.mean)).toEqual([0, 0, 0, 0]);
  expect(comparison).toMatchObject({
    changedSettings: [],
    isIndexChanged: false,
    isRegressed: false,
  });
});

test("a clear loss is a regression, and a gain or what may be chance is none", async () => {
  const path = await saved(9);
  expect(compareBaseline(await reportOf(2), path).isRegressed).toBe(true);
  expect(compareBaseline(await reportOf(12), path).isRegressed).toBe(false);
  const chance = compareBaseline(await reportOf(8), path);
  expect(chance.served.interval.mean).toBeLessThan(0);
  expect(chance.isRegressed).toBe(false);
});

test("what is served is compared across rows", async () => {
  const report = await reportOf(9, { settings: { fusion: "rrf" } });
  const comparison = compareBaseline(report, await saved(9));
  expect(comparison.served).toMatchObject({ row: "fused-rrf", against: "baseline fused-convex" });
  expect(comparison.changedSettings).toEqual(["fusion: convex -> rrf"]);
});

test.each<[string, "corpus" | "golden", Changes]>([
  ["a changed document", "corpus", { documents: documentsOf({ a: "1", b: "3" }) }],
  ["a new document", "corpus", { documents: documentsOf({ a: "1", b: "2", c: "3" }) }],
  ["a query less", "golden", { queries: QUERIES.slice(0, -1) }],
  [
    "another text",
    "golden",
    { queries: [...QUERIES.slice(0, -1), query("q11", "else", { a: 1 })] },
  ],
])("unlike runs are refused with both fingerprints: %s", async (_, name, changed) => {
  const before = await reportOf(9);
  const after = await reportOf(9, changed);
  const path = await saved(9);
  for (const { fingerprint } of [before, after]) {
    expect(() => compareBaseline(after, path)).toThrow(`${name} ${fingerprint[name]}`);
  }
});

test.each(["", "{}", '{"schema": "ragseam.baseline.v2"}', "[1]"])(
  "a file that is no baseline is refused: %j",
  async (text) => {
    const path = join(emptyFolder(), "baseline.json");
    writeFileSync(path, text);
    const report = await reportOf(9);
    expect(() => compareBaseline(report, path)).toThrow("is no baseline");
  },
);

test("a baseline of which rows are missing is refused", async () => {
  const path = await saved(9);
  const held = JSON.parse(readFileSync(path, "utf8")) as { ndcg: Record<string, object> };
  delete held.ndcg["fused-convex"];
  writeFileSync(path, JSON.stringify(held));
  const report = await reportOf(9);
  expect(() => compareBaseline(report, path)).toThrow("holds no row 'fused-convex'");
});

test("a missing baseline is refused with the command that makes one", async () => {
  const report = await reportOf(9);
  expect(() => compareBaseline(report, join(emptyFolder(), "none.json"))).toThrow(
    /No such file or directory\n.*--save-baseline/,
  );
});

test("keys and addresses stay out of a fingerprint, and changes are told", () => {
  const fingerprint = (settings: Partial<Settings>) =>
    fingerprintOf({ ...DEFAULTS, ...settings }, QUERIES, DOCUMENTS, "i");
  const plain = fingerprint({});
  expect(fingerprint({ embeddingApiKey: "k", rerankUrl: "k", generationApiKey: "k" })).toEqual(
    plain,
  );
  expect(changedSettings(plain, fingerprint({ chunkChars: 500 }))).toEqual([
    `chunk_chars: 500 -> ${DEFAULTS.chunkChars}`,
  ]);
});
