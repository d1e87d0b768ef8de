/** An interval covers the truth about as often as it says, and knows which queries go together. */

import { expect, test } from "vitest";
import type { QueryId } from "../../../src/rag/contracts.ts";
import { drawAt } from "../../../src/rag/evaluation/draws.ts";
import {
  compareScores,
  isGain,
  isLoss,
  pairedBootstrap,
} from "../../../src/rag/evaluation/significance.ts";

/** Numbers of about a normal distribution with mean 0 and variance 1. */
function normal(count: number, seed: number): number[] {
  return Array.from({ length: count }, (_, at) => {
    let sum = 0;
    for (let draw = 0; draw < 12; draw += 1) sum += drawAt(seed, at * 12 + draw, 2 ** 20) / 2 ** 20;
    return sum - 6;
  });
}

test("equal arguments give an equal interval", () => {
  const differences = normal(40, 3);
  const interval = pairedBootstrap(differences, { seed: 1 });
  expect(pairedBootstrap(differences, { seed: 1 })).toEqual(interval);
  expect(pairedBootstrap(differences, { seed: 2 })).not.toEqual(interval);
});

test("a constant difference is certain, and none is neither gain nor loss", () => {
  const certain = pairedBootstrap(new Array<number>(30).fill(0.25));
  expect(certain).toEqual({ mean: 0.25, low: 0.25, high: 0.25 });
  expect([isGain(certain), isLoss(certain)]).toEqual([true, false]);
  const none = pairedBootstrap(new Array<number>(30).fill(0));
  expect([isGain(none), isLoss(none)]).toEqual([false, false]);
});

test("no queries are refused", () => {
  expect(() => pairedBootstrap([])).toThrow("no differences");
});

test("the interval covers the true mean about 19 times in 20", () => {
  let covered = 0;
  for (let run = 0; run < 300; run += 1) {
    const differences = normal(60, 7919 * (run + 1)).map((value) => value + 0.1);
    const { low, high } = pairedBootstrap(differences, { resamples: 500 });
    if (low <= 0.1 && 0.1 <= high) covered += 1;
  }
  expect(covered / 300).toBeGreaterThanOrEqual(0.9);
  expect(covered / 300).toBeLessThanOrEqual(0.98);
});

test("queries that go together make the interval wider", () => {
  const differences = normal(20, 5).flatMap((value) => new Array<number>(5).fill(value));
  const groups = differences.map((_, at) => Math.floor(at / 5));
  const alone = pairedBootstrap(differences);
  const together = pairedBootstrap(differences, { groups });
  expect(together.mean).toBeCloseTo(alone.mean, 12);
  expect(together.high - together.low).toBeGreaterThan(1.8 * (alone.high - alone.low));
});

test("scores of different queries are not compared", () => {
  const scores = (id: string) => new Map([[id as QueryId, 1]]);
  expect(() => compareScores("a", scores("q1"), "b", scores("q2"))).toThrow("different queries");
});
