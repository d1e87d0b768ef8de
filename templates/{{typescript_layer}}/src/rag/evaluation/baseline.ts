/** A run kept in a file, and how later runs of the same queries differ from it. */

import { readFileSync, writeFileSync } from "node:fs";
import * as z from "zod";
import type { QueryId } from "../contracts.ts";
import { EvaluationError } from "../errors.ts";
import { firstIssue } from "../issues.ts";
import { encodeJson } from "../json.ts";
import { quoted } from "../quoted.ts";
import { systemReason } from "../system-errors.ts";
import { changedSettings, requireComparable } from "./fingerprint.ts";
import { type Report, rowOf } from "./report.ts";
import { compareScores, type Difference, isLoss, type Scores } from "./significance.ts";

const SCHEMA = "ragseam.baseline.v1";

/** One run: nDCG@10 by row and query, the served row, and what it was measured on. */
const form = z.strictObject({
  schema: z.literal(SCHEMA),
  fingerprint: z.object({
    corpus: z.string(),
    golden: z.string(),
    index: z.string(),
    settings: z.record(z.string(), z.union([z.string(), z.number()])),
  }),
  served: z.string(),
  ndcg: z.record(z.string(), z.record(z.string(), z.number())),
});

type Baseline = z.infer<typeof form>;

/**
 * This run less a baseline, row by row, and what else changed between them.
 *
 * `served` compares what each run would serve, whatever the rows are called; `isRegressed` says
 * whether that is clearly worse than it was.
 */
export type Comparison = {
  readonly served: Difference;
  readonly rows: readonly Difference[];
  readonly changedSettings: readonly string[];
  readonly isIndexChanged: boolean;
  readonly isRegressed: boolean;
};

/**
 * Write the report's scores by query to `path`, as JSON.
 *
 * @throws EvaluationError the file can't be written.
 */
export function saveBaseline(path: string, report: Report): void {
  const text = encodeJson(
    {
      schema: SCHEMA,
      fingerprint: report.fingerprint,
      served: report.served,
      ndcg: new Map(report.rows.map((row) => [row.name, row.ndcg])),
    },
    { indent: 1 },
  );
  try {
    writeFileSync(path, `${text}\n`);
  } catch (error) {
    throw new EvaluationError(`${path}: ${systemReason(error)}`, { cause: error });
  }
}

/**
 * How this run differs from the baseline in `path`.
 *
 * @throws EvaluationError there is no such baseline, or it is of another corpus or other golden
 *   queries.
 */
export function compareBaseline(report: Report, path: string): Comparison {
  const baseline = load(path);
  requireComparable(report.fingerprint, baseline.fingerprint);
  const served = difference(report, report.served, baseline, baseline.served);
  return {
    served,
    rows: report.rows
      .filter((row) => Object.hasOwn(baseline.ndcg, row.name))
      .map((row) => difference(report, row.name, baseline, row.name)),
    changedSettings: changedSettings(report.fingerprint, baseline.fingerprint),
    isIndexChanged: report.fingerprint.index !== baseline.fingerprint.index,
    isRegressed: isLoss(served.interval),
  };
}

function load(path: string): Baseline {
  const read = form.safeParse(parse(path));
  if (!read.success) {
    throw new EvaluationError(`${path} is no baseline: ${firstIssue(read.error)}`);
  }
  if (!Object.hasOwn(read.data.ndcg, read.data.served)) {
    throw new EvaluationError(
      `${path} is no baseline: it holds no row ${quoted(read.data.served)}`,
    );
  }
  return read.data;
}

function parse(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new EvaluationError(`${path}: ${systemReason(error)}`, {
      fix: "Make one with `eval --save-baseline FILE`.",
      cause: error,
    });
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    const why = (error as Error).message;
    throw new EvaluationError(`${path} is no baseline: ${why}`, { cause: error });
  }
}

function difference(report: Report, row: string, baseline: Baseline, against: string): Difference {
  const theirs = new Map(Object.entries(baseline.ndcg[against] ?? {})) as Map<QueryId, number>;
  const ours: Scores = rowOf(report.rows, row).ndcg;
  return compareScores(row, ours, `baseline ${against}`, theirs);
}
