/** Collections in BEIR's layout and in the shipped one are read as strictly as golden queries. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadJudged } from "../../../src/rag/evaluation/collection.ts";
import { judgedOf, unanswerableOf, unjudgedOf } from "../../../src/rag/evaluation/golden.ts";
import { emptyFolder } from "../../fixtures/folder.ts";
import { documentsOf } from "./queries.ts";

const KNOWN = documentsOf({ d1: "1", d2: "2" });
const HEADER = "query-id\tcorpus-id\tscore\n";
const QUERIES = ["q1:pump", "q2:valve", "q3:boiler"]
  .map((each) => each.split(":"))
  .map(([_id, text]) => `${JSON.stringify({ _id, text, metadata: {} })}\n`)
  .join("");

function collection(files: Readonly<Record<string, string>> = {}): string {
  const folder = emptyFolder();
  mkdirSync(join(folder, "qrels"));
  const whole = {
    "corpus.jsonl": "",
    "queries.jsonl": QUERIES,
    "qrels/test.tsv": `${HEADER}q2\td1\t2\nq1\td1\t1\nq1\td2\t0\n`,
    ...files,
  };
  for (const [name, text] of Object.entries(whole)) writeFileSync(join(folder, name), text);
  return folder;
}

test("the judged queries of the split are read in its order", () => {
  const found = loadJudged(collection(), KNOWN);
  expect(found.map(({ id, text, relevant }) => [id, text, [...relevant]])).toEqual([
    ["q2", "valve", [["d1", 2]]],
    ["q1", "pump", [["d1", 1]]],
  ]);
});

test("another split is read when asked", () => {
  const folder = collection({ "qrels/train.tsv": "q3\td2\t1\n" });
  expect(judgedOf(loadJudged(folder, KNOWN, "train")).map(({ id }) => id)).toEqual(["q3"]);
});

test("a query with grades of 0 alone is not judged", () => {
  const folder = collection({ "qrels/test.tsv": `${HEADER}q1\td1\t1\nq3\td2\t0\n` });
  expect(unjudgedOf(loadJudged(folder, KNOWN)).map(({ id }) => id)).toEqual(["q3"]);
});

test("unanswerable queries are read where there are such", () => {
  const folder = collection({ "unanswerable_queries.jsonl": '{"_id": "u1", "text": "moon"}\n' });
  expect(unanswerableOf(loadJudged(folder, KNOWN)).map(({ id }) => id)).toEqual(["u1"]);
});

test.each([
  ["q1\td9\t1", "'d9'"],
  ["q9\td1\t1", "'q9'"],
  ["q3\td1\t-1", "'-1'"],
  ["q3\td1\t1.0", "'1.0'"],
  ["q3\td1\t²", "'²'"],
  ["q3\td1", "between tabs"],
  ["q3 0 d1 1", "between tabs"],
  ["q2\td1\t1", "twice"],
])("a faulty judgement is refused by number: %j", (line, what) => {
  const folder = collection({ "qrels/test.tsv": `${HEADER}q2\td1\t1\n${line}\n` });
  const load = () => loadJudged(folder, KNOWN);
  expect(load).toThrow(`${join(folder, "qrels", "test.tsv")}:3: `);
  expect(load).toThrow(what);
});

test.each([
  ["queries.jsonl", `${QUERIES}{"_id": "q1", "text": "again"}\n`, "queries.jsonl:4"],
  ["queries.jsonl", '{"id": "q1", "text": "pump"}\n', "queries.jsonl:1"],
  ["unanswerable_queries.jsonl", '{"_id": "q1", "text": "a"}\n', "queries.jsonl:1"],
  ["qrels/test.tsv", HEADER, "test.tsv: no queries"],
])("a faulty file is refused: %s %j", (name, text, place) => {
  expect(() => loadJudged(collection({ [name]: text }), KNOWN)).toThrow(place);
});

test("the shipped layout is read, and a folder of neither is refused", () => {
  const folder = emptyFolder();
  expect(() => loadJudged(folder, KNOWN)).toThrow("no collection");
  mkdirSync(join(folder, "golden"));
  const line = '{"id": "q1", "text": "pump", "relevant": {"d1": 1}}\n';
  writeFileSync(join(folder, "golden", "queries.jsonl"), line);
  expect(judgedOf(loadJudged(folder, KNOWN)).map(({ id }) => id)).toEqual(["q1"]);
});
