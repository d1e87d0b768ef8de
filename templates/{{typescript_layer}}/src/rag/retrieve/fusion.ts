/** Two rankings -> one. A chunk has one vote per leg, and ties keep ascending chunk id. */

import type { ChunkId, Hit, Ranking } from "../contracts.ts";

/** How the legs are fused; the keyword leg weighs the rest. */
export type FusionPlan = {
  readonly kind: "convex" | "rrf";
  readonly denseWeight: number;
  readonly rankConstant: number;
  readonly candidateK: number;
};

/** `floor` is the score of a chunk that the ranking lacks; null is the least that it holds. */
type Weighed = {
  readonly ranking: Ranking;
  readonly weight: number;
  readonly floor?: number | null;
};

/** Fuse the first `candidateK` hits of each leg; a leg of weight 0 contributes nothing. */
export function fuse(dense: Ranking, keyword: Ranking, plan: FusionPlan): Hit[] {
  const depth = plan.candidateK;
  // A keyword leg that was not cut off holds every match: what it lacks scores 0 by BM25.
  const floor = keyword.length < depth ? 0 : null;
  const legs = [
    { ranking: dense.slice(0, depth), weight: plan.denseWeight },
    { ranking: keyword.slice(0, depth), weight: 1 - plan.denseWeight, floor },
  ];
  return plan.kind === "rrf" ? reciprocalRankFusion(legs, plan.rankConstant) : convexFusion(legs);
}

/**
 * Sum `weight / (rankConstant + rank)` over rankings, ranks counted from 1.
 *
 * Source: Cormack, Clarke & Büttcher, SIGIR 2009.
 *
 * @throws RangeError `rankConstant` is negative.
 */
export function reciprocalRankFusion(legs: readonly Weighed[], rankConstant = 60): Hit[] {
  if (rankConstant < 0) throw new RangeError(`rankConstant must be >= 0, got ${rankConstant}`);
  const scores = new Map<ChunkId, number>();
  for (const { ranking, weight } of legs) {
    if (weight === 0) continue;
    oneVoteEach(ranking).forEach((hit, at) => {
      add(scores, hit.chunkId, weight / (rankConstant + at + 1));
    });
  }
  return ranked(scores);
}

/**
 * Weighted sum of scores, each ranking's normalised to 0..1 from its floor to its best.
 *
 * A chunk that a ranking did not return has 0 there, and a ranking whose scores all equal its
 * floor counts 1 for each.
 *
 * Source: Bruch, Gai & Ingber, ACM TOIS 2023.
 */
export function convexFusion(legs: readonly Weighed[]): Hit[] {
  const scores = new Map<ChunkId, number>();
  for (const { ranking, weight, floor = null } of legs) {
    if (weight === 0) continue;
    const hits = oneVoteEach(ranking);
    const low = floor ?? hits.reduce((least, hit) => Math.min(least, hit.score), Infinity);
    const spread = hits.reduce((most, hit) => Math.max(most, hit.score), -Infinity) - low;
    for (const hit of hits) {
      add(scores, hit.chunkId, weight * (spread ? (hit.score - low) / spread : 1));
    }
  }
  return ranked(scores);
}

function oneVoteEach(ranking: Ranking): Hit[] {
  const first = new Map<ChunkId, Hit>();
  for (const hit of ranking) if (!first.has(hit.chunkId)) first.set(hit.chunkId, hit);
  return [...first.values()];
}

function add(scores: Map<ChunkId, number>, id: ChunkId, score: number): void {
  scores.set(id, (scores.get(id) ?? 0) + score);
}

function ranked(scores: ReadonlyMap<ChunkId, number>): Hit[] {
  const fused = [...scores].map(([chunkId, score]) => ({ chunkId, score }));
  return fused.sort((a, b) => b.score - a.score || (a.chunkId < b.chunkId ? -1 : 1));
}
