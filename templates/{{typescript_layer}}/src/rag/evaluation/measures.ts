/**
 * Measures of one ranking of documents, and what a random order would score.
 *
 * A ranking is document ids, best first, each once; `relevant` maps document ids to positive
 * grades. Ties were broken by whoever ranked: the order given is the order scored.
 */

import type { DocumentId } from "../contracts.ts";
import { exactSum } from "./statistics.ts";

export type Grades = ReadonlyMap<DocumentId, number>;

/**
 * R@k: share of the relevant documents that are among the first `k`.
 *
 * Source: Cleverdon, Mills & Keen, Factors determining the performance of indexing systems,
 * 1966.
 */
export function recall(ranking: readonly DocumentId[], relevant: Grades, k: number): number {
  return ranking.slice(0, k).filter((id) => relevant.has(id)).length / relevant.size;
}

/**
 * nDCG@k with linear gains and a logarithmic discount, 1 for an ideal order.
 *
 * Source: Järvelin & Kekäläinen, ACM TOIS 2002; gains and discount as in trec_eval.
 */
export function ndcg(ranking: readonly DocumentId[], relevant: Grades, k: number): number {
  const gains = ranking.slice(0, k).map((id) => relevant.get(id) ?? 0);
  return discounted(gains) / ideal(relevant, k);
}

/**
 * RR@k: 1 / rank of the first relevant document, 0 when it is not among the first `k`.
 *
 * Source: Kantor & Voorhees, The TREC-5 confusion track, 2000.
 */
export function reciprocalRank(
  ranking: readonly DocumentId[],
  relevant: Grades,
  k: number,
): number {
  const first = ranking.slice(0, k).findIndex((id) => relevant.has(id));
  return first < 0 ? 0 : 1 / (first + 1);
}

/** R@k expected of `documents` documents in random order: each is equally likely a hit. */
export function randomRecall(documents: number, k: number): number {
  return Math.min(k, documents) / documents;
}

/** nDCG@k expected of a random order: at every rank the mean grade of the collection. */
export function randomNdcg(relevant: Grades, documents: number, k: number): number {
  const grades = [...relevant.values()].reduce((sum, grade) => sum + grade, 0);
  const ranks = Math.min(k, documents);
  return discounted(new Array<number>(ranks).fill(grades / documents)) / ideal(relevant, k);
}

/** RR@k expected of a random order of `documents`, `relevant` of them relevant. */
export function randomReciprocalRank(relevant: number, documents: number, k: number): number {
  let expected = 0;
  let noneBefore = 1;
  for (let rank = 1; rank <= Math.min(k, documents); rank += 1) {
    const hit = Math.min(1, relevant / (documents - rank + 1));
    expected += (noneBefore * hit) / rank;
    noneBefore *= 1 - hit;
  }
  return expected;
}

function ideal(relevant: Grades, k: number): number {
  const grades = [...relevant.values()].sort((left, right) => right - left);
  return discounted(grades.slice(0, k));
}

function discounted(gains: readonly number[]): number {
  return exactSum(gains.map((gain, at) => gain / Math.log2(at + 2)));
}
