/** What the similarity threshold refuses, among queries with an answer and without. */

import { compareCodePoints } from "../code-points.ts";
import type { GoldenQuery } from "./golden.ts";
import type { Refusals, Refused } from "./report.ts";

/** Similarity of the nearest served passage: minus infinity without one, null if not known. */
export type Nearest = number | null;

/** Shares of queries whose nearest served passage, one of each query's, is below `threshold`. */
export function refusalsOf(
  queries: readonly GoldenQuery[],
  nearest: readonly Nearest[],
  threshold: number,
): Refusals {
  const pairs = queries.map((query, at) => ({ query, near: nearest[at] ?? null }));
  const answerable = pairs.filter(({ query }) => query.isAnswerable);
  const unanswerable = pairs.filter(({ query }) => !query.isAnswerable);
  const refused = (some: typeof pairs) =>
    refusedOf(
      some.map(({ near }) => near),
      threshold,
    );
  const slices = [...new Set(unanswerable.map(({ query }) => query.slice))]
    .filter((slice) => slice !== "")
    .sort(compareCodePoints);
  return {
    threshold,
    answerable: refused(answerable),
    unanswerable: refused(unanswerable),
    slices: new Map(
      slices.map((slice) => [
        slice,
        refused(unanswerable.filter(({ query }) => query.slice === slice)),
      ]),
    ),
    separation: separationOf(answerable, unanswerable),
  };
}

function refusedOf(nearest: readonly Nearest[], threshold: number): Refused {
  const refused = nearest.filter((near) => near !== null && near < threshold).length;
  return { queries: nearest.length, share: nearest.length ? refused / nearest.length : 0 };
}

type Judged = { readonly near: Nearest };

/** Area under the ROC curve: the share of pairs in the right order, a tie being half one. */
function separationOf(
  answerable: readonly Judged[],
  unanswerable: readonly Judged[],
): number | null {
  const yes = answerable.map(({ near }) => near).filter((near) => near !== null);
  const no = unanswerable.map(({ near }) => near).filter((near) => near !== null);
  if (yes.length === 0 || no.length === 0) return null;
  let won = 0;
  for (const near of yes) {
    for (const far of no) won += near > far ? 1 : near === far ? 0.5 : 0;
  }
  return won / (yes.length * no.length);
}
