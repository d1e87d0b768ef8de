/** Sums that do not depend on the order of what is added, and shares of sorted values. */

/**
 * The sum of finite numbers, rounded once.
 *
 * Source: Shewchuk, Adaptive precision floating-point arithmetic, 1997; as `math.fsum` of Python.
 */
export function exactSum(values: Iterable<number>): number {
  const partials: number[] = [];
  for (const value of values) {
    let high = value;
    let kept = 0;
    for (const partial of partials) {
      const [sum, rest] = twoSum(high, partial);
      if (rest !== 0) partials[kept++] = rest;
      high = sum;
    }
    partials.length = kept;
    partials.push(high);
  }
  return rounded(partials);
}

/** The mean of finite numbers; NaN when there are none. */
export function exactMean(values: readonly number[]): number {
  return exactSum(values) / values.length;
}

/** The value at a share of sorted values, on the line between its neighbours. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  const place = share * (sorted.length - 1);
  const below = Math.floor(place);
  const low = sorted[below] ?? Number.NaN;
  const high = sorted[Math.min(below + 1, sorted.length - 1)] ?? Number.NaN;
  return low + (high - low) * (place - below);
}

/** What a sum rounds to, and what rounding took from it. */
function twoSum(left: number, right: number): [number, number] {
  const [large, small] = Math.abs(left) < Math.abs(right) ? [right, left] : [left, right];
  const sum = large + small;
  return [sum, small - (sum - large)];
}

/** Partials do not overlap and grow; a tie is broken by the sign of what lies below it. */
function rounded(partials: number[]): number {
  let high = partials.pop() ?? 0;
  let low = 0;
  while (partials.length > 0 && low === 0) {
    [high, low] = twoSum(high, partials.pop() ?? 0);
  }
  const below = partials.at(-1) ?? 0;
  if ((low < 0 && below < 0) || (low > 0 && below > 0)) {
    const doubled = low * 2;
    const tried = high + doubled;
    if (tried - high === doubled) return tried;
  }
  return high;
}
