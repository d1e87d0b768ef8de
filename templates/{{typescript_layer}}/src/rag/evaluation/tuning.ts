/**
 * Fusion settings that suit a corpus: searched on one half of the queries, scored on the other.
 *
 * A gain is recommended when the other half shows it clearly. Apart from that, fusion that falls
 * short of its better leg on all queries is replaced: staying with it would cost more than an
 * uncertain choice that includes both legs alone.
 */

import { setImmediate } from "node:timers/promises";
import type { Settings } from "../config.ts";
import { type FusionPlan, fuse } from "../retrieval.ts";
import type { GoldenQuery } from "./golden.ts";
import { groupByDocument, splitGroups } from "./halves.ts";
import { ndcg } from "./measures.ts";
import { candidatePlans, legPositions } from "./plans.ts";
import type { Progress } from "./scoring.ts";
import { type Interval, isGain, pairedBootstrap } from "./significance.ts";
import { buildDocumentRanks, type Subject } from "./subject.ts";

/** Fewest queries of a half that are believed; below it every choice is as likely noise. */
export const MIN_HALF = 25;

/** nDCG@10 that fusion may lose to its better leg before it is replaced. */
const SHORTFALL = 0.0025;

const CUTOFF = 10;

/** Mean nDCG@10 over all judged queries. */
export type Means = {
  readonly current: number;
  readonly dense: number;
  readonly keyword: number;
  readonly recommended: number;
};

export type TuningReason = "gain" | "safety" | "unclear" | "too_few";

/**
 * What was found. `recommended` is null when nothing can be recommended.
 *
 * `safety` says that fusion lost to its better leg. `gain` is that of `best`, the choice of the
 * tuning half, over the current plan on the held-out half; null when the halves are too small to
 * tell.
 */
export type Tuning = {
  readonly reason: TuningReason;
  readonly current: FusionPlan;
  readonly best: FusionPlan | null;
  readonly recommended: FusionPlan | null;
  readonly gain: Interval | null;
  readonly means: Means;
  readonly tuningQueries: number;
  readonly heldOutQueries: number;
  readonly candidates: number;
};

type Fusing = "fusion" | "denseWeight" | "rrfK" | "candidateK";

/** The recommended settings by name; none without a recommendation. */
export function settingsOf({ recommended: plan }: Tuning): Partial<Pick<Settings, Fusing>> {
  if (plan === null) return {};
  return {
    fusion: plan.kind,
    denseWeight: plan.denseWeight,
    rrfK: plan.rankConstant,
    candidateK: plan.candidateK,
  };
}

export type TuneOptions = { readonly seed?: number; readonly progress?: Progress };

/**
 * Search fusion kind, weight, candidate depth and rank constant on judged queries.
 *
 * Each leg is searched once per query, to the greatest depth. Fusion alone is scored; the
 * reranker is left out. Equal arguments give an equal result.
 */
export async function tune(
  subject: Subject,
  queries: readonly GoldenQuery[],
  { seed = 0, progress }: TuneOptions = {},
): Promise<Tuning> {
  const plans = candidatePlans(subject.plan);
  const scores = await scoreAll(subject, queries, plans, progress);
  return decide(plans, scores, groupByDocument(queries), seed);
}

/** nDCG@10 of one query under each plan. */
type PlanScores = readonly number[];

/**
 * Choose from nDCG@10 by query and plan; plan 0 is the current one.
 *
 * `groups` numbers queries that share documents, which stay on one side of the split.
 */
export function decide(
  plans: readonly FusionPlan[],
  scores: readonly PlanScores[],
  groups: readonly number[],
  seed = 0,
): Tuning {
  const [tuning, heldOut] = splitGroups(groups, seed);
  const means = meansOf(scores, plans.length);
  const choice =
    Math.min(tuning.length, heldOut.length) >= MIN_HALF
      ? choose(plans, { scores, groups, means, tuning, heldOut, seed })
      : NO_CHOICE;
  const { best, recommended, gain, reason } = choice;
  const [dense, keyword] = legPositions(plans);
  const mean = (plan: number) => means[plan] ?? 0;
  return {
    reason,
    current: planAt(plans, 0),
    best: best === null ? null : planAt(plans, best),
    recommended: recommended === null ? null : planAt(plans, recommended),
    gain,
    means: {
      current: mean(0),
      dense: mean(dense),
      keyword: mean(keyword),
      recommended: mean(recommended ?? 0),
    },
    tuningQueries: tuning.length,
    heldOutQueries: heldOut.length,
    candidates: plans.length,
  };
}

type Choice = {
  readonly best: number | null;
  readonly recommended: number | null;
  readonly gain: Interval | null;
  readonly reason: TuningReason;
};

const NO_CHOICE: Choice = { best: null, recommended: null, gain: null, reason: "too_few" };

type Evidence = {
  readonly scores: readonly PlanScores[];
  readonly groups: readonly number[];
  readonly means: readonly number[];
  readonly tuning: readonly number[];
  readonly heldOut: readonly number[];
  readonly seed: number;
};

function choose(plans: readonly FusionPlan[], evidence: Evidence): Choice {
  const { scores, groups, means, tuning, heldOut, seed } = evidence;
  const tuned = meansOf(
    tuning.map((position) => scores[position] ?? []),
    plans.length,
  );
  const best = greatest(tuned.keys(), tuned);
  const gain = pairedBootstrap(
    heldOut.map((position) => (scores[position]?.[best] ?? 0) - (scores[position]?.[0] ?? 0)),
    { groups: heldOut.map((position) => groups[position] ?? 0), seed },
  );
  return { best, gain, ...recommend(plans, means, best, gain) };
}

function recommend(
  plans: readonly FusionPlan[],
  means: readonly number[],
  best: number,
  gain: Interval,
): Pick<Choice, "reason" | "recommended"> {
  const mean = (plan: number) => means[plan] ?? 0;
  const chosen = isGain(gain) ? best : 0;
  const enough = Math.max(...legPositions(plans).map(mean)) - SHORTFALL;
  if (mean(chosen) >= enough) {
    return chosen
      ? { reason: "gain", recommended: chosen }
      : { reason: "unclear", recommended: null };
  }
  if (mean(best) >= enough) return { reason: "safety", recommended: best };
  // Weights 0 and 1 are among these, so the best of them is no worse than either leg.
  const convex = [...plans.keys()].filter((position) => plans[position]?.kind === "convex");
  return { reason: "safety", recommended: greatest(convex, means) };
}

/** The first of `positions` whose value is greatest. */
function greatest(positions: Iterable<number>, values: readonly number[]): number {
  return [...positions].reduce((best, position) =>
    (values[position] ?? 0) > (values[best] ?? 0) ? position : best,
  );
}

function planAt(plans: readonly FusionPlan[], position: number): FusionPlan {
  const plan = plans[position];
  if (plan === undefined) throw new RangeError(`no plan ${position}`);
  return plan;
}

/** Mean of each plan's scores, added in the order of the queries. */
function meansOf(scores: readonly PlanScores[], plans: number): number[] {
  const sums = new Array<number>(plans).fill(0);
  for (const row of scores) {
    for (const [plan, score] of row.entries()) sums[plan] = (sums[plan] ?? 0) + score;
  }
  return scores.length ? sums.map((sum) => sum / scores.length) : sums;
}

async function scoreAll(
  subject: Subject,
  queries: readonly GoldenQuery[],
  plans: readonly FusionPlan[],
  progress: Progress | undefined,
): Promise<PlanScores[]> {
  const depth = Math.max(...plans.map((plan) => plan.candidateK));
  const ranks = buildDocumentRanks(subject.store);
  const scores: PlanScores[] = [];
  for (const query of queries) {
    const legs = await subject.legs(query.text, depth);
    ranks.learn(legs.dense, legs.keyword);
    scores.push(
      plans.map((plan) => {
        const hits = fuse(legs.dense, legs.keyword, plan);
        return ndcg(ranks.of(hits.map((hit) => hit.chunkId)), query.relevant, CUTOFF);
      }),
    );
    progress?.("tune", scores.length, queries.length);
    // Signals are taken between turns of the event loop.
    await setImmediate();
  }
  return scores;
}
