/** Golden queries -> search -> measures. No model is asked, and none is imported. */

import { setImmediate } from "node:timers/promises";
import { compareCodePoints } from "../code-points.ts";
import type { DocumentId } from "../contracts.ts";
import { EvaluationError } from "../errors.ts";
import { fingerprintOf } from "./fingerprint.ts";
import { type Golden, type GoldenQuery, judgedOf, unanswerableOf, unjudgedOf } from "./golden.ts";
import {
  ndcg,
  randomNdcg,
  randomRecall,
  randomReciprocalRank,
  recall,
  reciprocalRank,
} from "./measures.ts";
import { type Nearest, refusalsOf } from "./refusals.ts";
import type { Clock } from "./remembering.ts";
import { NDCG, type Report, type Row, rowOf } from "./report.ts";
import {
  type Found,
  fusedRow,
  LEG_ROWS,
  nearestSimilarity,
  type QueryRun,
  RERANKED,
  rowNames,
  runQuery,
  servedRow,
} from "./rows.ts";
import { compareScores, type Difference } from "./significance.ts";
import { exactMean, quantile } from "./statistics.ts";
import { buildDocumentRanks, type Subject } from "./subject.ts";

const CUTOFF = 10;

export type Progress = (stage: string, done: number, total: number | null) => void;

/** `index` is the digest of the index; `clock` counts milliseconds. */
export type EvaluateOptions = {
  readonly index: string;
  readonly progress?: Progress;
  readonly clock?: Clock;
};

/**
 * Score every row on the judged queries, by document.
 *
 * `documents` holds the digest of each indexed document. Queries without a relevant document are
 * in no mean.
 *
 * @throws EvaluationError no query is judged.
 */
export async function evaluate(
  subject: Subject,
  golden: Golden,
  documents: ReadonlyMap<DocumentId, string>,
  options: EvaluateOptions,
): Promise<Report> {
  const judged = judgedOf(golden);
  if (judged.length === 0) {
    throw new EvaluationError("no query has a relevant document", {
      fix: "Name some under `relevant`, with a grade.",
    });
  }
  const asked = [...judged, ...unanswerableOf(golden)];
  const { runs, nearest } = await runAll(subject, asked, options);
  const k = subject.settings.rerankTopN;
  const rows = rowNames(subject).map((name) => rowOver(name, judged, runs, k));
  return {
    rows,
    served: servedRow(subject),
    random: randomOrder(judged, documents.size, k),
    judged: judged.length,
    unjudged: unjudgedOf(golden).map((query) => query.id),
    refusals: refusalsOf(asked, nearest, subject.settings.minSimilarity),
    differences: differencesOf(rows, subject),
    fingerprint: fingerprintOf(subject.settings, golden, documents, options.index),
  };
}

/** The runs of the judged queries, which come first, and the nearest passage of each query. */
async function runAll(
  subject: Subject,
  asked: readonly GoldenQuery[],
  { progress, clock = () => performance.now() }: EvaluateOptions,
): Promise<{ readonly runs: readonly QueryRun[]; readonly nearest: readonly Nearest[] }> {
  const ranks = buildDocumentRanks(subject.store);
  const runs: QueryRun[] = [];
  const nearest: Nearest[] = [];
  for (const [at, query] of asked.entries()) {
    if (query.relevant.size > 0) {
      const run = await runQuery(subject, query.text, ranks, clock);
      runs.push(run);
      nearest.push(run.nearest);
    } else {
      nearest.push(nearestSimilarity(subject, await subject.search(query.text)));
    }
    progress?.("eval", at + 1, asked.length);
    // Signals are taken between turns of the event loop.
    await setImmediate();
  }
  return { runs, nearest };
}

function rowOver(
  name: string,
  judged: readonly GoldenQuery[],
  runs: readonly QueryRun[],
  k: number,
): Row {
  const pairs = judged.map((query, at) => ({ query, found: foundIn(runs[at], name) }));
  const mean = (measure: (pair: (typeof pairs)[number]) => number) => exactMean(pairs.map(measure));
  const score = ({ query, found }: (typeof pairs)[number]) =>
    ndcg(found.documents, query.relevant, CUTOFF);
  const times = pairs.map(({ found }) => found.latencyMs).sort((left, right) => left - right);
  return {
    name,
    measures: {
      [NDCG]: mean(score),
      [`R@${k}`]: mean(({ query, found }) => recall(found.documents, query.relevant, k)),
      "RR@10": mean(({ query, found }) => reciprocalRank(found.documents, query.relevant, CUTOFF)),
    },
    slices: bySlice(judged, pairs.map(score)),
    latencyMs: { p50: quantile(times, 0.5), p95: quantile(times, 0.95) },
    ndcg: new Map(pairs.map((pair) => [pair.query.id, score(pair)])),
    degraded: pairs.filter(({ found }) => found.status.startsWith("degraded")).length,
  };
}

function foundIn(run: QueryRun | undefined, name: string): Found {
  const found = run?.found.get(name);
  if (found === undefined) throw new RangeError(`a query has no row ${name}`);
  return found;
}

function bySlice(judged: readonly GoldenQuery[], scores: readonly number[]): Map<string, number> {
  const slices = new Map<string, number[]>();
  for (const [at, { slice }] of judged.entries()) {
    if (slice === "") continue;
    slices.set(slice, [...(slices.get(slice) ?? []), scores[at] ?? 0]);
  }
  const names = [...slices.keys()].sort(compareCodePoints);
  return new Map(names.map((name) => [name, exactMean(slices.get(name) ?? [])]));
}

function randomOrder(
  judged: readonly GoldenQuery[],
  documents: number,
  k: number,
): Record<string, number> {
  return {
    [NDCG]: exactMean(judged.map(({ relevant }) => randomNdcg(relevant, documents, CUTOFF))),
    [`R@${k}`]: randomRecall(documents, k),
    "RR@10": exactMean(
      judged.map(({ relevant }) => randomReciprocalRank(relevant.size, documents, CUTOFF)),
    ),
  };
}

/** The configured fusion against its better leg, and reranking against that fusion. */
function differencesOf(rows: readonly Row[], subject: Subject): Difference[] {
  const fused = rowOf(rows, fusedRow(subject.plan));
  const [dense, keyword] = LEG_ROWS.map((name) => rowOf(rows, name));
  if (dense === undefined || keyword === undefined) return [];
  const leg = (keyword.measures[NDCG] ?? 0) > (dense.measures[NDCG] ?? 0) ? keyword : dense;
  const pairs: [Row, Row][] = [[fused, leg]];
  if (subject.reranker) pairs.push([rowOf(rows, fused.name + RERANKED), fused]);
  return pairs.map(([row, other]) => compareScores(row.name, row.ndcg, other.name, other.ndcg));
}
