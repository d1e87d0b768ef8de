/** Candidates -> the passages that may reach a prompt. Nothing else makes `RerankedPassages`. */

import {
  type Passage,
  type Placing,
  type RerankedPassages,
  type Reranker,
  sealPassages,
} from "../contracts.ts";
import { RagError, RerankError } from "../errors.ts";

export const NOT_RERANKED = "none";
export const RERANKED = "ok";
export const DEGRADED = "degraded: ";

export type RerankOptions = {
  readonly reranker: Reranker | null;
  readonly weight: number;
  readonly topN: number;
  /** Told when the reranker failed. */
  readonly log?: (event: string) => void;
};

type Reranked = { readonly passages: readonly Passage[]; readonly status: string };

/**
 * Mix the reranker's scores with the fused ones, and keep the best `topN`.
 *
 * Both are min-max normalised over the candidates; the reranker's count `weight`, the fused ones
 * the rest. Ties keep ascending chunk id. `candidates` come in fused order, which stays when there
 * is no reranker (status `none`) or when it fails (`degraded: ` and why). With status `ok` each
 * passage has a placing `rerank`, with the score as the reranker gave it.
 */
export async function rerank(
  query: string,
  candidates: readonly Passage[],
  options: RerankOptions,
): Promise<RerankedPassages> {
  const { passages, status } = await reranked(query, candidates, options);
  return sealPassages(query, passages.slice(0, options.topN), status);
}

async function reranked(
  query: string,
  candidates: readonly Passage[],
  { reranker, weight, log = console.warn }: RerankOptions,
): Promise<Reranked> {
  if (!reranker) return { passages: candidates, status: NOT_RERANKED };
  try {
    // Queries come from anywhere: no model takes a lone surrogate.
    const asked = query.replace(/\p{Surrogate}/gu, "?");
    const scores = await reranker.score(asked, candidates);
    requireScores(scores, candidates.length);
    return { passages: mixed(candidates, scores, weight), status: RERANKED };
  } catch (error) {
    const reason = reasonOf(error).split(/\s+/).filter(Boolean).join(" ");
    log(`rerank.degraded candidates=${candidates.length} reason=${reason}`);
    return { passages: candidates, status: DEGRADED + reason };
  }
}

function reasonOf(error: unknown): string {
  return error instanceof RagError ? error.what : String(error);
}

function requireScores(scores: readonly number[], expected: number): void {
  if (scores.length !== expected) {
    throw new RerankError(`the reranker gave ${scores.length} scores for ${expected} passages`);
  }
  scores.forEach((score, position) => {
    if (!Number.isFinite(score)) {
      throw new RerankError(`the reranker gave ${score} for passage ${position + 1}`);
    }
  });
}

function mixed(
  candidates: readonly Passage[],
  scores: readonly number[],
  weight: number,
): Passage[] {
  const given = candidates.map((passage, at) => ({ ...passage, score: scores[at] ?? 0 }));
  const placings = new Map(
    given
      .sort(byScore)
      .map(({ chunk, score }, at): [string, Placing] => [chunk.id, { rank: at + 1, score }]),
  );
  const kept = minMax(candidates.map(({ score }) => score));
  const normalised = minMax(scores);
  return candidates
    .map((passage, at): Passage => {
      const placing = placings.get(passage.chunk.id);
      return {
        ...passage,
        score: weight * (normalised[at] ?? 0) + (1 - weight) * (kept[at] ?? 0),
        placings: { ...passage.placings, ...(placing && { rerank: placing }) },
      };
    })
    .sort(byScore);
}

function byScore(left: Passage, right: Passage): number {
  return right.score - left.score || (left.chunk.id < right.chunk.id ? -1 : 1);
}

function minMax(scores: readonly number[]): number[] {
  const low = Math.min(...scores);
  const high = Math.max(...scores);
  if (high === low) return scores.map(() => 0);
  return scores.map((score) => (score - low) / (high - low));
}
