/** Measures against values worked out by hand, floors against a simulation. */

import { expect, test } from "vitest";
import type { DocumentId } from "../../../src/rag/contracts.ts";
import { drawAt } from "../../../src/rag/evaluation/draws.ts";
import {
  ndcg,
  randomNdcg,
  randomRecall,
  randomReciprocalRank,
  recall,
  reciprocalRank,
} from "../../../src/rag/evaluation/measures.ts";
import { exactMean, exactSum } from "../../../src/rag/evaluation/statistics.ts";

const ids = (names: string) => [...names] as DocumentId[];
const grades = (values: Readonly<Record<string, number>>) =>
  new Map(Object.entries(values) as [DocumentId, number][]);

test("gains are linear and discounted by the logarithm of the rank", () => {
  const relevant = grades({ a: 3, c: 1, z: 2 });
  const ideal = 3 + 2 / Math.log2(3) + 1 / 2;
  expect(ndcg(ids("bac"), relevant, 10)).toBeCloseTo((3 / Math.log2(3) + 1 / 2) / ideal, 12);
  expect(ndcg(ids("bac"), relevant, 1)).toBe(0);
  expect(recall(ids("bac"), relevant, 2)).toBe(1 / 3);
  expect(reciprocalRank(ids("bac"), relevant, 10)).toBe(1 / 2);
  expect(reciprocalRank(ids("bac"), relevant, 1)).toBe(0);
});

test("nothing found scores 0, and an ideal order 1 even when more is relevant than k", () => {
  const relevant = grades({ a: 1 });
  expect([
    ndcg([], relevant, 10),
    recall([], relevant, 10),
    reciprocalRank([], relevant, 10),
  ]).toEqual([0, 0, 0]);
  const names = ids("abcdefghijklmno");
  const falling = new Map(names.map((name, at) => [name, 3 - Math.floor(at / 6)]));
  expect(ndcg(names, falling, 10)).toBe(1);
});

test.each([40, 12, 6])("floors are what random orders of %d documents score", (documents) => {
  const names = Array.from({ length: documents }, (_, at) => `d${at}` as DocumentId);
  const relevant = grades({ d0: 2, d1: 1, d2: 1 });
  const orders = Array.from({ length: 20_000 }, (_, order) => shuffled(names, order));
  const mean = (score: (order: DocumentId[]) => number) => exactMean(orders.map(score));
  const near = (value: number, expected: number) =>
    expect(Math.abs(value - expected)).toBeLessThan(0.008);
  near(
    randomNdcg(relevant, documents, 10),
    mean((order) => ndcg(order, relevant, 10)),
  );
  near(
    randomRecall(documents, 10),
    mean((order) => recall(order, relevant, 10)),
  );
  near(
    randomReciprocalRank(3, documents, 10),
    mean((order) => reciprocalRank(order, relevant, 10)),
  );
});

test("a sum does not depend on its order", () => {
  const values = [1e16, 1, -1e16, 1e-9, 0.1, -0.1, 3];
  expect(exactSum(values)).toBe(4.000000001);
  expect(exactSum([...values].reverse())).toBe(4.000000001);
  expect(exactSum(new Array<number>(10).fill(0.1))).toBe(1);
  expect(exactSum([])).toBe(0);
});

function shuffled(names: readonly DocumentId[], seed: number): DocumentId[] {
  const order = [...names];
  for (let last = order.length - 1; last > 0; last -= 1) {
    const other = drawAt(seed * 1000, last, last + 1);
    [order[last], order[other]] = [order[other] as DocumentId, order[last] as DocumentId];
  }
  return order;
}
