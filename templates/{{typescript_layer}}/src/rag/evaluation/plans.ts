/** The fusion plans that tuning tries. */

import type { FusionPlan } from "../retrieval.ts";

const DEPTHS = [25, 50, 100, 200];
const CONVEX_WEIGHTS = Array.from({ length: 11 }, (_, step) => step / 10);
const RRF_WEIGHTS = [0.1, 0.3, 0.5, 0.7, 0.9];
const RANK_CONSTANTS = [10, 30, 60];

/** The current plan, and then every other one that is tried instead. */
export function candidatePlans(current: FusionPlan): FusionPlan[] {
  const plans = [current];
  for (const candidateK of [...DEPTHS, current.candidateK]) {
    const { rankConstant } = current;
    for (const denseWeight of CONVEX_WEIGHTS) {
      plans.push({ kind: "convex", denseWeight, rankConstant, candidateK });
    }
    for (const denseWeight of RRF_WEIGHTS) {
      for (const constant of RANK_CONSTANTS) {
        plans.push({ kind: "rrf", denseWeight, rankConstant: constant, candidateK });
      }
    }
  }
  return [...new Map(plans.map((plan) => [keyOf(plan), plan])).values()];
}

/** Positions of the dense and the keyword leg alone, at the greatest depth. */
export function legPositions(plans: readonly FusionPlan[]): [number, number] {
  const depth = Math.max(...plans.map((plan) => plan.candidateK));
  const alone = [...plans.keys()].filter(
    (position) => plans[position]?.kind === "convex" && plans[position]?.candidateK === depth,
  );
  const weight = (position: number) => plans[position]?.denseWeight ?? 0;
  const dense = alone.reduce((best, other) => (weight(other) >= weight(best) ? other : best));
  const keyword = alone.reduce((best, other) => (weight(other) < weight(best) ? other : best));
  return [dense, keyword];
}

function keyOf({ kind, denseWeight, rankConstant, candidateK }: FusionPlan): string {
  return [kind, denseWeight, rankConstant, candidateK].join(" ");
}
