/**
 * Exact inner products and the top of a list of scores; pure functions over arrays.
 *
 * A scan is done in float32 by `kernel.ts`, at the speed of memory. Its sums are in an order of
 * its own, so they only choose candidates, by a margin no error can exceed; the score that is
 * returned is summed in float64 from the first dimension to the last, and is the same on every
 * machine, in both languages and for every layout.
 */

import type { Vector } from "../contracts.ts";

/** Chunks whose vectors are stored in one blob. */
export const BLOCK = 64;

const GROUP = 64;
const FLOAT32_UNIT = 2 ** -24;

/** Inner product, added up from left to right in float64; products of float32 are exact there. */
export function innerProduct(row: Vector, vector: Vector): number {
  let total = (row[0] ?? 0) * (vector[0] ?? 0);
  for (let at = 1; at < vector.length; at += 1) total += (row[at] ?? 0) * (vector[at] ?? 0);
  return total;
}

/**
 * How far a float32 inner product can be from the exact one, whatever the order of sums.
 *
 * Source: Higham, Accuracy and Stability of Numerical Algorithms, 2002, section 3.1.
 */
export function scanError(longestRow: number, vector: Vector): number {
  const growth = (vector.length + 8) * FLOAT32_UNIT;
  const length = Math.sqrt(innerProduct(vector, vector));
  return (growth / (1 - growth)) * longestRow * length * (1 + 1e-6);
}

type Scores = Float32Array | Float64Array;

/**
 * Indices, rising, of every score that may be among the `depth` highest, ties included.
 *
 * Scores up to `above` are no candidates. `error` bounds how far each score may be from the true
 * one.
 */
export function candidates(
  scores: Scores,
  depth: number,
  { above = -Infinity, error = 0 }: { readonly above?: number; readonly error?: number } = {},
): number[] {
  const floor = lowerBound(scores, depth);
  const chosen: number[] = [];
  if (floor > above) {
    const least = floor - 2 * error;
    for (let at = 0; at < scores.length; at += 1) if ((scores[at] ?? 0) >= least) chosen.push(at);
  } else {
    for (let at = 0; at < scores.length; at += 1) if ((scores[at] ?? 0) > above) chosen.push(at);
  }
  if (chosen.length <= depth) return chosen;
  const kept = Float64Array.from(chosen, (at) => scores[at] ?? 0);
  const least = highest(kept, depth) - 2 * error;
  return chosen.filter((at) => (scores[at] ?? 0) >= least);
}

/** The `depth`-th highest score; there must be as many. */
export function highest(scores: Scores, depth: number): number {
  return scores.slice().sort()[scores.length - depth] ?? -Infinity;
}

/** A lower bound of the `depth`-th highest score, from the maxima of groups. */
function lowerBound(scores: Scores, depth: number): number {
  const groups = Math.floor(scores.length / GROUP);
  if (groups < depth) return -Infinity;
  const maxima = new Float64Array(groups);
  for (let group = 0; group < groups; group += 1) {
    let most = -Infinity;
    for (let at = group * GROUP; at < (group + 1) * GROUP; at += 1) {
      const score = scores[at] ?? 0;
      if (score > most) most = score;
    }
    maxima[group] = most;
  }
  return highest(maxima, depth);
}
