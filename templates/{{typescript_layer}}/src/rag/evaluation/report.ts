/** What an evaluation found, as records and as JSON values. */

import type { QueryId } from "../contracts.ts";
import type { Json } from "../json.ts";
import { type Fingerprint, fingerprintFields } from "./fingerprint.ts";
import type { Difference, Scores } from "./significance.ts";

export const NDCG = "nDCG@10";

/**
 * One retriever's means over the judged queries.
 *
 * `slices` holds nDCG@10 by slice and `ndcg` by query. `degraded` counts queries for which the
 * reranker failed and the fused order stood in.
 */
export type Row = {
  readonly name: string;
  readonly measures: Readonly<Record<string, number>>;
  readonly slices: ReadonlyMap<string, number>;
  readonly latencyMs: { readonly p50: number; readonly p95: number };
  readonly ndcg: Scores;
  readonly degraded: number;
};

/** Queries of one kind, and the share that no passage is near enough to answer. */
export type Refused = { readonly queries: number; readonly share: number };

/**
 * What the similarity threshold does, before any model is asked.
 *
 * `separation` is the chance that a judged query has a nearer passage than one that nothing
 * answers (the area under the ROC curve); null when there is none of either.
 */
export type Refusals = {
  readonly threshold: number;
  readonly answerable: Refused;
  readonly unanswerable: Refused;
  readonly slices: ReadonlyMap<string, Refused>;
  readonly separation: number | null;
};

/** One evaluation. `served` names the row that a search takes with these settings. */
export type Report = {
  readonly rows: readonly Row[];
  readonly served: string;
  readonly random: Readonly<Record<string, number>>;
  readonly judged: number;
  readonly unjudged: readonly QueryId[];
  readonly refusals: Refusals;
  readonly differences: readonly Difference[];
  readonly fingerprint: Fingerprint;
};

/**
 * The row of that name.
 *
 * @throws RangeError there is none.
 */
export function rowOf(rows: readonly Row[], name: string): Row {
  const found = rows.find((row) => row.name === name);
  if (found === undefined) throw new RangeError(`no row ${name}`);
  return found;
}

/** Whether what is served reaches the floor, to four digits. */
export function passes(report: Report, minNdcg: number): boolean {
  const score = rowOf(report.rows, report.served).measures[NDCG] ?? 0;
  return Number(score.toFixed(4)) >= minNdcg;
}

/** The report as JSON values; scores per query stay out of it. */
export function evalFields(report: Report): Record<string, Json> {
  return {
    served: report.served,
    rows: report.rows.map(rowFields),
    random: report.random,
    queries: {
      judged: report.judged,
      unjudged: report.unjudged,
      unanswerable: report.refusals.unanswerable.queries,
    },
    refusals: refusalsFields(report.refusals),
    differences: report.differences.map(({ row, against, interval }) => ({
      row,
      against,
      [NDCG]: interval.mean,
      low: interval.low,
      high: interval.high,
    })),
    fingerprints: fingerprintFields(report.fingerprint),
  };
}

function rowFields(row: Row): Json {
  return {
    name: row.name,
    measures: row.measures,
    slices: row.slices,
    latency_ms: row.latencyMs,
    degraded: row.degraded,
  };
}

function refusalsFields(refusals: Refusals): Json {
  const fields = ({ queries, share }: Refused) => ({ queries, refused: share });
  return {
    min_similarity: refusals.threshold,
    answerable: fields(refusals.answerable),
    unanswerable: fields(refusals.unanswerable),
    slices: new Map([...refusals.slices].map(([name, refused]) => [name, fields(refused)])),
    separation: refusals.separation,
  };
}
