import { expect, test } from "vitest";

import { DEFAULTS } from "../../src/rag/config.ts";
import type { DocumentId, QueryId } from "../../src/rag/contracts.ts";
import { drawAt } from "../../src/rag/evaluation/draws.ts";
import { fingerprintOf } from "../../src/rag/evaluation/fingerprint.ts";
import type { GoldenQuery } from "../../src/rag/evaluation/golden.ts";
import { groupByDocument, splitGroups } from "../../src/rag/evaluation/halves.ts";
import {
  type Grades,
  ndcg,
  randomNdcg,
  randomRecall,
  randomReciprocalRank,
  recall,
  reciprocalRank,
} from "../../src/rag/evaluation/measures.ts";
import { candidatePlans } from "../../src/rag/evaluation/plans.ts";
import { pairedBootstrap } from "../../src/rag/evaluation/significance.ts";
import { decide } from "../../src/rag/evaluation/tuning.ts";
import type { FusionPlan } from "../../src/rag/retrieve/fusion.ts";
import { loadVectors } from "./vectors.ts";

type Plan = readonly [FusionPlan["kind"], number, number, number];
type Numbers = readonly number[];
type GradesByName = Readonly<Record<string, number>>;

type Vectors = {
  readonly measures: readonly {
    readonly ranking: readonly DocumentId[];
    readonly relevant: GradesByName;
    readonly k: number;
    readonly documents: number;
    readonly nDCG: number;
    readonly R: number;
    readonly RR: number;
    readonly random: Numbers;
  }[];
  readonly draws: readonly {
    readonly seed: number;
    readonly first: number;
    readonly below: number;
    readonly numbers: Numbers;
  }[];
  readonly intervals: readonly {
    readonly differences: Numbers;
    readonly groups: Numbers | null;
    readonly seed: number;
    readonly interval: Numbers;
  }[];
  readonly halves: readonly {
    readonly documents: readonly (readonly string[])[];
    readonly seed: number;
    readonly groups: Numbers;
    readonly halves: readonly Numbers[];
  }[];
  readonly plans: readonly Plan[];
  readonly tuning: readonly {
    readonly plans: readonly Plan[];
    readonly scores: readonly Numbers[];
    readonly seed: number;
    readonly reason: string;
    readonly best: number | null;
    readonly recommended: number | null;
    readonly gain: Numbers | null;
    readonly means: Numbers;
  }[];
  readonly fingerprint: {
    readonly documents: Readonly<Record<string, string>>;
    readonly queries: readonly {
      readonly id: string;
      readonly text: string;
      readonly relevant: GradesByName;
      readonly slice?: string;
      readonly answerable?: boolean;
    }[];
    readonly corpus: string;
    readonly golden: string;
  };
};

const vectors = loadVectors<Vectors>("evaluation");

function gradesOf(grades: GradesByName): Grades {
  return new Map(Object.entries(grades) as [DocumentId, number][]);
}

function planOf([kind, denseWeight, rankConstant, candidateK]: Plan): FusionPlan {
  return { kind, denseWeight, rankConstant, candidateK };
}

test.each(vectors.measures)("measures to the last bit, $#", (row) => {
  const { ranking, k, documents } = row;
  const relevant = gradesOf(row.relevant);
  expect([ndcg(ranking, relevant, k), recall(ranking, relevant, k)]).toEqual([row.nDCG, row.R]);
  expect(reciprocalRank(ranking, relevant, k)).toBe(row.RR);
  expect([
    randomNdcg(relevant, documents, k),
    randomRecall(documents, k),
    randomReciprocalRank(relevant.size, documents, k),
  ]).toEqual(row.random);
});

test.each(vectors.draws)("draws of seed $seed", ({ seed, first, below, numbers }) => {
  expect(numbers.map((_, at) => drawAt(seed, first + at, below))).toEqual(numbers);
});

test.each(vectors.intervals)("intervals to the last bit, $#", (row) => {
  const { differences, groups, seed } = row;
  const found = pairedBootstrap(differences, { seed, ...(groups ? { groups } : {}) });
  expect([found.mean, found.low, found.high]).toEqual(row.interval);
});

test.each(vectors.halves)("halves of $documents.length queries", (row) => {
  const queries: GoldenQuery[] = row.documents.map((names, at) => ({
    id: `q${at}` as QueryId,
    text: "",
    relevant: gradesOf(Object.fromEntries(names.map((name) => [name, 1]))),
    slice: "",
    isAnswerable: true,
  }));
  const groups = groupByDocument(queries);
  expect(groups).toEqual(row.groups);
  expect(splitGroups(groups, row.seed)).toEqual(row.halves);
});

test("the candidates of tuning are the same, in the same order", () => {
  const [current] = vectors.plans;
  if (current === undefined) expect.fail("there are no plans");
  expect(candidatePlans(planOf(current))).toEqual(vectors.plans.map(planOf));
});

test.each(vectors.tuning)("what is decided of $scores.length queries: $reason", (row) => {
  const plans = row.plans.map(planOf);
  const found = decide(plans, row.scores, [...row.scores.keys()], row.seed);
  const { current, dense, keyword, recommended } = found.means;
  expect({
    reason: found.reason,
    best: found.best && plans.indexOf(found.best),
    recommended: found.recommended && plans.indexOf(found.recommended),
    gain: found.gain && [found.gain.mean, found.gain.low, found.gain.high],
    means: [current, dense, keyword, recommended],
  }).toEqual({
    reason: row.reason,
    best: row.best,
    recommended: row.recommended,
    gain: row.gain,
    means: row.means,
  });
});

test("a corpus and its judgements have the same fingerprints", () => {
  const { documents, queries, corpus, golden } = vectors.fingerprint;
  const judged: GoldenQuery[] = queries.map((query) => ({
    id: query.id as QueryId,
    text: query.text,
    relevant: gradesOf(query.relevant),
    slice: query.slice ?? "",
    isAnswerable: query.answerable ?? true,
  }));
  const digests = new Map(Object.entries(documents) as [DocumentId, string][]);
  expect(fingerprintOf(DEFAULTS, judged, digests, "i")).toMatchObject({ corpus, golden });
});
