/** How sure a difference between two retrievers is, from their scores on the same queries. */

import type { QueryId } from "../contracts.ts";
import { EvaluationError } from "../errors.ts";
import { drawAt } from "./draws.ts";
import { exactMean, quantile } from "./statistics.ts";

/** A mean difference and where it lies in 95 of 100 resamples. */
export type Interval = { readonly mean: number; readonly low: number; readonly high: number };

/** nDCG@10 of `row` less that of `against`, on the same queries. */
export type Difference = {
  readonly row: string;
  readonly against: string;
  readonly interval: Interval;
};

export type Scores = ReadonlyMap<QueryId, number>;

export type BootstrapOptions = {
  readonly groups?: readonly number[];
  readonly resamples?: number;
  readonly seed?: number;
};

/** Whether the whole interval lies above 0. */
export function isGain(interval: Interval): boolean {
  return interval.low > 0;
}

/** Whether the whole interval lies below 0. */
export function isLoss(interval: Interval): boolean {
  return interval.high < 0;
}

/**
 * Percentile interval of the mean of paired `differences`, one per query.
 *
 * Queries of one group, such as those about one document, are drawn together, since they
 * succeed and fail together. Equal arguments give an equal interval, in either language.
 *
 * @throws RangeError there are no differences.
 *
 * Source: Sakai, Evaluating evaluation metrics based on the bootstrap, SIGIR 2006; Efron &
 * Tibshirani, An introduction to the bootstrap, 1993.
 */
export function pairedBootstrap(
  differences: readonly number[],
  { groups, resamples = 2000, seed = 0 }: BootstrapOptions = {},
): Interval {
  if (differences.length === 0) throw new RangeError("no differences to resample");
  const { sums, counts } = byGroup(differences, groups ?? differences.map((_, at) => at));
  const means = Float64Array.from({ length: resamples }, (_, resample) => {
    let sum = 0;
    let count = 0;
    for (let draw = 0; draw < sums.length; draw += 1) {
      const group = drawAt(seed, resample * sums.length + draw, sums.length);
      sum += sums[group] ?? 0;
      count += counts[group] ?? 0;
    }
    return sum / count;
  }).sort();
  return {
    mean: exactMean(differences),
    low: quantile(means, 0.025),
    high: quantile(means, 0.975),
  };
}

/**
 * How much better `row` did than `against`, and how sure that is.
 *
 * @throws EvaluationError they were not scored on the same queries.
 */
export function compareScores(
  row: string,
  scores: Scores,
  against: string,
  others: Scores,
): Difference {
  const differences = [...scores].map(([id, score]) => score - (others.get(id) ?? Number.NaN));
  if (scores.size !== others.size || differences.some(Number.isNaN)) {
    throw new EvaluationError(`${row} and ${against} were scored on different queries`);
  }
  return { row, against, interval: pairedBootstrap(differences) };
}

/** Sum and number of the differences of each group, groups in rising order. */
function byGroup(
  differences: readonly number[],
  groups: readonly number[],
): { readonly sums: readonly number[]; readonly counts: readonly number[] } {
  const order = [...new Set(groups)].sort((left, right) => left - right);
  const places = new Map(order.map((group, at) => [group, at]));
  const sums = order.map(() => 0);
  const counts = order.map(() => 0);
  for (const [at, difference] of differences.entries()) {
    const place = places.get(groups[at] ?? 0) ?? 0;
    sums[place] = (sums[place] ?? 0) + difference;
    counts[place] = (counts[place] ?? 0) + 1;
  }
  return { sums, counts };
}
