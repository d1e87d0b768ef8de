/** Rows are scored by document, on judged queries alone, from one search of each leg. */

import { expect, test } from "vitest";
import type { Reranker } from "../../../src/rag/contracts.ts";
import type { GoldenQuery } from "../../../src/rag/evaluation/golden.ts";
import { evalFields, passes, type Report, rowOf } from "../../../src/rag/evaluation/report.ts";
import { evaluate } from "../../../src/rag/evaluation/scoring.ts";
import type { Subject } from "../../../src/rag/evaluation/subject.ts";
import { documentsOf, query } from "./queries.ts";
import { writtenRetrieval } from "./retrieval.ts";

const DOCUMENTS = documentsOf(
  Object.fromEntries([..."abcdefghij"].map((name) => [name, `digest of ${name}`])),
);
const PUMP = query("q1", "pump", { a: 1 }, { slice: "exact" });
const VALVE = query("q2", "valve", { b: 2, c: 1 }, { slice: "other" });
const MOON = query("u1", "moon", {}, { slice: "off-topic", isAnswerable: false });
const OPEN = query("o1", "open");

/** Turns the order of passages around. */
const reversed: Reranker = { score: async (_, passages) => passages.map((_, at) => at) };

function scored(
  subject: Subject,
  queries: readonly GoldenQuery[],
  clock?: () => number,
): Promise<Report> {
  return evaluate(subject, queries, DOCUMENTS, { index: "i", ...(clock ? { clock } : {}) });
}

function ndcg(report: Report, name: string): number | undefined {
  return rowOf(report.rows, name).measures["nDCG@10"];
}

test("a document stands where its first chunk does", async () => {
  const dense = { pump: ["d#1", "d#2", "d#3", "a#2", "a#1"] };
  const report = await scored(writtenRetrieval({ dense, keyword: { pump: ["a#1"] } }), [PUMP]);
  const { measures } = rowOf(report.rows, "dense-only");
  expect(measures["nDCG@10"]).toBeCloseTo(0.6309, 4);
  expect([measures["R@8"], measures["RR@10"]]).toEqual([1, 0.5]);
});

test("every row is made from one search of each leg", async () => {
  const searches: string[] = [];
  const dense = { pump: ["a#1"] };
  const subject = writtenRetrieval({ dense, keyword: dense, reranker: reversed, searches });
  const { rows } = await scored(subject, [PUMP]);
  expect(searches).toEqual(["pump", "pump"]);
  const plain = ["dense-only", "keyword-only", "fused-rrf", "fused-convex"];
  expect(rows.map(({ name }) => name)).toEqual([
    ...plain,
    ...plain.map((name) => `${name}+rerank`),
  ]);
});

test("reranked rows hold the order of the reranker", async () => {
  const subject = writtenRetrieval({ dense: { pump: ["d#1", "a#1"] }, reranker: reversed });
  const report = await scored(subject, [PUMP]);
  expect(ndcg(report, "dense-only")).toBeLessThan(1);
  expect(ndcg(report, "dense-only+rerank")).toBe(1);
  expect(report.served).toBe("fused-convex+rerank");
  expect(report.differences.map(({ row, against }) => [row, against])).toEqual([
    ["fused-convex", "dense-only"],
    ["fused-convex+rerank", "fused-convex"],
  ]);
});

test("a reranker that fails is counted", async () => {
  const broken: Reranker = { score: () => Promise.reject(new Error("late")) };
  const subject = writtenRetrieval({ dense: { pump: ["d#1", "a#1"] }, reranker: broken });
  const report = await scored(subject, [PUMP]);
  expect(rowOf(report.rows, "fused-convex+rerank").degraded).toBe(1);
  expect(rowOf(report.rows, "fused-convex").degraded).toBe(0);
  expect(ndcg(report, "fused-convex+rerank")).toBe(ndcg(report, "fused-convex"));
});

test("a passage is reranked once a query and charged to each row", async () => {
  let now = 0;
  const asked: string[][] = [];
  const slow: Reranker = {
    score: async (_, passages) => {
      now += passages.length * 1000;
      asked.push(passages.map(({ chunk }) => chunk.id));
      return passages.map(() => 0.5);
    },
  };
  const subject = writtenRetrieval({
    dense: { pump: ["a#1", "b#1"] },
    keyword: { pump: ["c#1"] },
    reranker: slow,
  });
  const { rows } = await scored(subject, [PUMP], () => now);
  // What is served comes first, and whole.
  expect(asked).toEqual([["a#1", "c#1", "b#1"]]);
  const reranked = rows.filter(({ name }) => name.includes("+"));
  expect(reranked.map(({ name, latencyMs }) => [name, latencyMs.p50])).toEqual([
    ["dense-only+rerank", 2000],
    ["keyword-only+rerank", 1000],
    ["fused-rrf+rerank", 3000],
    ["fused-convex+rerank", 3000],
  ]);
});

test("queries without a relevant document are in no mean", async () => {
  const found = { pump: ["a#1"] };
  const subject = writtenRetrieval({ dense: found, keyword: found });
  const report = await scored(subject, [PUMP, MOON, OPEN]);
  expect(report.rows.map(({ measures }) => measures["nDCG@10"])).toEqual([1, 1, 1, 1]);
  expect([report.judged, report.unjudged]).toEqual([1, ["o1"]]);
  expect(report.refusals.unanswerable.queries).toBe(1);
  expect([...rowOf(report.rows, "dense-only").slices]).toEqual([["exact", 1]]);
});

test("slices are means of their own queries", async () => {
  const report = await scored(writtenRetrieval({ dense: { pump: ["a#1"] } }), [PUMP, VALVE]);
  expect([...rowOf(report.rows, "dense-only").slices]).toEqual([
    ["exact", 1],
    ["other", 0],
  ]);
  expect(ndcg(report, "dense-only")).toBe(0.5);
});

test("nothing judged is an error", async () => {
  await expect(scored(writtenRetrieval({}), [MOON, OPEN])).rejects.toThrow(
    "no query has a relevant document",
  );
});

test("refusals follow the nearest passage that is served", async () => {
  const subject = writtenRetrieval({
    dense: { pump: ["a#1"], valve: ["a#1"], moon: ["a#1"] },
    settings: { minSimilarity: 0.5 },
    nearest: { pump: 0.9, valve: 0.5, moon: 0.2 },
  });
  const { refusals } = await scored(subject, [PUMP, VALVE, MOON]);
  expect([refusals.answerable.share, refusals.unanswerable.share]).toEqual([0, 1]);
  expect([...refusals.slices]).toEqual([["off-topic", { queries: 1, share: 1 }]]);
  expect(refusals.separation).toBe(1);
});

test("a query that finds nothing would be refused", async () => {
  const { refusals } = await scored(writtenRetrieval({}), [PUMP, MOON]);
  expect([refusals.answerable.share, refusals.unanswerable.share]).toEqual([1, 1]);
  expect(refusals.separation).toBe(0.5);
});

test("nothing is refused for a similarity that is not known", async () => {
  const found = { moon: ["a#1"] };
  const subject = writtenRetrieval({
    dense: found,
    keyword: found,
    settings: { denseWeight: 0, minSimilarity: 0.5 },
    nearest: { moon: 0.2 },
  });
  const { refusals } = await scored(subject, [PUMP, MOON]);
  expect([refusals.unanswerable.share, refusals.answerable.share]).toEqual([0, 1]);
  expect(refusals.separation).toBeNull();
});

test("latency is that of the legs a row needs", async () => {
  let ticks = 0;
  const clock = () => ticks++ * 1000;
  const { rows } = await scored(writtenRetrieval({ dense: { pump: ["a#1"] } }), [PUMP], clock);
  expect(rows.map(({ name, latencyMs }) => [name, latencyMs.p50])).toEqual([
    ["dense-only", 1000],
    ["keyword-only", 1000],
    ["fused-rrf", 3000],
    ["fused-convex", 3000],
  ]);
});

test("the gate reads the served row", async () => {
  const subject = writtenRetrieval({
    dense: { pump: ["d#1", "a#1"] },
    keyword: { pump: ["a#1"] },
    settings: { denseWeight: 1 },
  });
  const report = await scored(subject, [PUMP]);
  expect(ndcg(report, "keyword-only")).toBe(1);
  expect([passes(report, 0.63), passes(report, 0.64)]).toEqual([true, false]);
});

test("the JSON document holds rows, floor and fingerprints", async () => {
  const subject = writtenRetrieval({ dense: { pump: ["a#1"] }, settings: { rerankTopN: 3 } });
  const fields = evalFields(await scored(subject, [PUMP]));
  expect(fields).toMatchObject({
    rows: [{ measures: { "nDCG@10": 1, "R@3": 1, "RR@10": 1 } }, {}, {}, {}],
    random: { "R@3": 0.3 },
    fingerprints: { index: "i" },
  });
});
