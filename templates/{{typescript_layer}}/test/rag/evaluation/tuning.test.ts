/** A recommendation is a clear gain or a way out of a loss, and never a guess from a few queries. */

import { expect, test } from "vitest";
import { drawAt } from "../../../src/rag/evaluation/draws.ts";
import { splitGroups } from "../../../src/rag/evaluation/halves.ts";
import { candidatePlans } from "../../../src/rag/evaluation/plans.ts";
import { isGain } from "../../../src/rag/evaluation/significance.ts";
import { decide, MIN_HALF, settingsOf, tune } from "../../../src/rag/evaluation/tuning.ts";
import type { FusionPlan } from "../../../src/rag/retrieve/fusion.ts";
import { query } from "./queries.ts";
import { writtenRetrieval } from "./retrieval.ts";

const CURRENT: FusionPlan = {
  kind: "convex",
  denseWeight: 0.3,
  rankConstant: 60,
  candidateK: 100,
};
const PLANS = candidatePlans(CURRENT);

function uniform(seed: number, place: number): number {
  return drawAt(seed, place, 2 ** 20) / 2 ** 19 - 1;
}

/** nDCG by query and plan, highest on average at dense weight `peak`. */
function scores(queries: number, peak: number, { height = 0.5, noise = 0.3, seed = 0 } = {}) {
  return Array.from({ length: queries }, (_, at) => {
    const easy = 0.6 + noise * uniform(seed, 2 * at);
    const taste = noise * uniform(seed, 2 * at + 1);
    return PLANS.map(({ denseWeight }) => {
      const liked = taste * (denseWeight - CURRENT.denseWeight);
      return Math.min(1, Math.max(0, easy + liked - height * (denseWeight - peak) ** 2));
    });
  });
}

function decided(found: readonly (readonly number[])[], seed = 0) {
  return decide(PLANS, found, [...found.keys()], seed);
}

const flat = (queries: number) =>
  Array.from({ length: queries }, () => new Array<number>(PLANS.length).fill(0.5));

test("the candidates hold the current plan and each leg alone, each once", () => {
  expect(PLANS[0]).toEqual(CURRENT);
  const convex = PLANS.filter(({ kind }) => kind === "convex").map((plan) => plan.denseWeight);
  expect(convex).toEqual(expect.arrayContaining([0, 1]));
  expect(new Set(PLANS.map((plan) => JSON.stringify(plan))).size).toBe(PLANS.length);
});

test("a clear gain is recommended with its interval", () => {
  const tuning = decided(scores(300, 0.9));
  expect(tuning.reason).toBe("gain");
  expect(tuning.recommended).toEqual(tuning.best);
  expect(tuning.recommended?.denseWeight).toBeGreaterThanOrEqual(0.8);
  expect(tuning.gain?.low).toBeGreaterThan(0);
  expect(tuning.means.recommended).toBeGreaterThan(tuning.means.current);
  expect(settingsOf(tuning)).toMatchObject({ denseWeight: tuning.best?.denseWeight });
});

test("the plan is chosen on one half and scored on the other", () => {
  const found = flat(100);
  const [tuningHalf, heldOut] = splitGroups([...found.keys()], 0);
  for (const position of tuningHalf) (found[position] as number[])[7] = 0.9;
  for (const position of heldOut) (found[position] as number[])[9] = 0.9;
  const tuning = decided(found);
  expect(tuning.best).toEqual(PLANS[7]);
  expect([tuning.gain?.mean, tuning.recommended]).toEqual([0, null]);
});

test("too few queries are refused however great the gain", () => {
  const tuning = decided(scores(2 * MIN_HALF - 1, 1, { height: 2 }));
  expect(tuning).toMatchObject({ reason: "too_few", recommended: null, gain: null });
  expect(settingsOf(tuning)).toEqual({});
  expect(decided(scores(2 * MIN_HALF, 1, { height: 2 })).recommended).not.toBeNull();
  expect(decided([]).reason).toBe("too_few");
});

test("queries about one document count as one side", () => {
  const groups = Array.from({ length: 200 }, (_, at) => Math.max(0, at - 179));
  expect(decide(PLANS, scores(200, 1, { height: 2 }), groups).reason).toBe("too_few");
});

test("settings that are best already are seldom replaced", () => {
  const gains = Array.from({ length: 40 }, (_, run) =>
    decided(scores(120, 0.3, { seed: 7919 * run }), run),
  ).filter(({ reason }) => reason === "gain");
  expect(gains.length).toBeLessThanOrEqual(3);
});

test("equal scores recommend nothing", () => {
  expect(decided(flat(100)).reason).toBe("unclear");
});

test("fusion that loses to its better leg is replaced though the gain is unclear", () => {
  const tuning = decided(scores(60, 0, { height: 0.25, noise: 0.4, seed: 300 }));
  expect(tuning.gain && isGain(tuning.gain)).toBe(false);
  expect(tuning.means.keyword - tuning.means.current).toBeGreaterThan(0.005);
  expect(tuning.reason).toBe("safety");
  expect(tuning.means.recommended).toBeGreaterThanOrEqual(tuning.means.keyword - 0.0025);
});

test("after tuning no leg alone is better", () => {
  for (let run = 0; run < 40; run += 1) {
    const peak = (run % 11) / 10;
    const found = scores(50 + 5 * run, peak, { height: (run % 5) / 2, noise: 0.8, seed: 31 * run });
    const { means, recommended } = decided(found, run);
    const served = recommended ? means.recommended : means.current;
    expect(served).toBeGreaterThanOrEqual(Math.max(means.dense, means.keyword) - 0.005);
  }
});

const QUERIES = Array.from({ length: 60 }, (_, at) =>
  query(`q${at}`, `text ${at}`, { [`d${at}`]: 1 }),
);
const right = Object.fromEntries(QUERIES.map(({ text }, at) => [text, [`d${at}#1`]]));
const wrong = Object.fromEntries(
  QUERIES.map(({ text }) => [text, Array.from({ length: 20 }, (_, rank) => `x${rank}#1`)]),
);

test("each leg is searched once a query and the good leg wins", async () => {
  const searches: string[] = [];
  const subject = writtenRetrieval({ dense: right, keyword: wrong, searches });
  const tuning = await tune(subject, QUERIES);
  expect(searches).toEqual(QUERIES.flatMap(({ text }) => [text, text]));
  expect(tuning.current).toEqual(subject.plan);
  expect(tuning.means).toMatchObject({ dense: 1, keyword: 0, recommended: 1 });
});

test("tuning twice gives the same", async () => {
  const subject = writtenRetrieval({ dense: right, keyword: wrong });
  expect(await tune(subject, QUERIES, { seed: 4 })).toEqual(
    await tune(subject, QUERIES, { seed: 4 }),
  );
});
