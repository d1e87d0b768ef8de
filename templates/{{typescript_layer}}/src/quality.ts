/** Prints how good retrieval is: the table of `eval`, and what `tune` recommends. */

import { planFields, planInWords } from "./explanation.ts";
import { envName, type SettingName, wordedName } from "./rag/config.ts";
import type { Comparison } from "./rag/evaluation/baseline.ts";
import { evalFields, NDCG, passes, type Report, type Row, rowOf } from "./rag/evaluation/report.ts";
import type { Difference, Interval } from "./rag/evaluation/significance.ts";
import { settingsOf, type Tuning, type TuningReason } from "./rag/evaluation/tuning.ts";
import type { Json } from "./rag/json.ts";
import { clean, print, printTable } from "./terminal.ts";
import { printJson } from "./views.ts";

/** Print one row a retriever, the floor, refusals, and the change since a baseline. */
export function printReport(report: Report, comparison: Comparison | null, json: boolean): void {
  if (json) {
    const compared = comparison ? { baseline: comparisonFields(comparison) } : {};
    printJson("eval", { ...evalFields(report), ...compared });
    return;
  }
  printRows(report);
  print();
  printQueries(report);
  for (const { row, against, interval } of report.differences) {
    print(`${row} against ${against}: ${gain(interval)}`);
  }
  if (report.fingerprint.settings["embedding"] === "hash") {
    print("The embeddings are the hash stand-in: they know no meaning.");
  }
  if (comparison) {
    print(`served, against the baseline: ${gain(comparison.served.interval)}`);
    for (const change of comparison.changedSettings) print(`  changed ${clean(change)}`);
  }
}

/** What keeps a run from passing, in sentences. */
export function failedGates(
  report: Report,
  comparison: Comparison | null,
  minNdcg: number,
): string[] {
  const failures: string[] = [];
  if (!passes(report, minNdcg)) {
    const score = measure(rowOf(report.rows, report.served), NDCG).toFixed(4);
    failures.push(`${report.served} has nDCG@10 ${score}, below min_ndcg ${minNdcg}`);
  }
  if (comparison?.isRegressed) {
    failures.push(`${report.served} is clearly worse than the baseline`);
  }
  return failures;
}

/** Print what tuning found, and the settings that it recommends or why it does not. */
export function printTuning(tuning: Tuning, json: boolean, written: boolean): void {
  const values = Object.entries(settingsOf(tuning)) as [SettingName, string | number][];
  if (json) {
    const settings = Object.fromEntries(values.map(([name, value]) => [wordedName(name), value]));
    printJson("tune", { settings, ...tuningFields(tuning) });
    return;
  }
  const { means } = tuning;
  print(
    `nDCG@10 on all judged queries: now ${means.current.toFixed(3)},` +
      ` dense alone ${means.dense.toFixed(3)}, keyword alone ${means.keyword.toFixed(3)}`,
  );
  print(
    `${tuning.candidates} settings tried on ${tuning.tuningQueries} queries,` +
      ` scored on the other ${tuning.heldOutQueries}`,
  );
  if (tuning.best && tuning.gain) {
    print(`best of the tuning half: ${planInWords(tuning.best)}; gain ${gain(tuning.gain)}`);
  }
  print(VERDICTS[tuning.reason]);
  for (const [name, value] of values) print(`  ${envName(name)}=${value}`);
  if (values.length > 0) {
    print(written ? "They stand in .env now." : "Put them into .env by --write.");
  }
}

/** A difference in nDCG@10 with its 95 % interval. */
export function gain({ mean, low, high }: Interval): string {
  return `${signed(mean)} nDCG@10 (95 %: ${signed(low)} to ${signed(high)})`;
}

const VERDICTS: Readonly<Record<TuningReason, string>> = {
  gain: "A clear gain. Recommended settings:",
  safety: "Fusion loses to its better leg here. Safer settings:",
  unclear: "No clear gain: the settings stay as they are.",
  too_few: "Too few judged queries to tell: the settings stay as they are.",
};

function printRows(report: Report): void {
  const [first] = report.rows;
  const measures = Object.keys(first?.measures ?? {});
  const rows = report.rows.map((row) => [
    row.name + (row.name === report.served ? " *" : ""),
    ...measures.map((name) => measure(row, name).toFixed(3)),
    row.latencyMs.p50.toFixed(1),
    row.latencyMs.p95.toFixed(1),
  ]);
  const floor = measures.map((name) => (report.random[name] ?? 0).toFixed(3));
  printTable(
    ["retriever", ...measures, "p50 ms", "p95 ms"],
    [...rows, ["random order", ...floor, "", ""]],
  );
  if (!first?.slices.size) return;
  print();
  printTable(
    ["nDCG@10 by slice", ...first.slices.keys()],
    report.rows.map((row) => [row.name, ...[...row.slices.values()].map((one) => one.toFixed(3))]),
  );
}

function printQueries({ refusals, rows, judged, unjudged }: Report): void {
  print(`* what a search takes; ${judged} judged queries`);
  if (unjudged.length > 0) print(`${unjudged.length} queries without a judgement are left out`);
  const { answerable, unanswerable } = refusals;
  if (unanswerable.queries > 0) {
    print(
      `refused as too far (similarity below ${refusals.threshold}):` +
        ` ${percent(unanswerable.share)} of ${unanswerable.queries} unanswerable,` +
        ` ${percent(answerable.share)} of ${answerable.queries} others`,
    );
  }
  const degraded = rows.reduce((sum, row) => sum + row.degraded, 0);
  if (degraded > 0) print(`the reranker failed ${degraded} times; the fused order stood in`);
}

function comparisonFields(comparison: Comparison): Json {
  return {
    served: differenceFields(comparison.served),
    rows: comparison.rows.map(differenceFields),
    changed_settings: comparison.changedSettings,
    index_changed: comparison.isIndexChanged,
    regressed: comparison.isRegressed,
  };
}

function differenceFields({ row, against, interval }: Difference): Json {
  return { row, against, interval };
}

function tuningFields(tuning: Tuning): Record<string, Json> {
  return {
    reason: tuning.reason,
    current: planFields(tuning.current),
    best: tuning.best && planFields(tuning.best),
    gain: tuning.gain,
    means: tuning.means,
    tuning_queries: tuning.tuningQueries,
    held_out_queries: tuning.heldOutQueries,
    candidates: tuning.candidates,
  };
}

function measure(row: Row, name: string): number {
  return row.measures[name] ?? 0;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)}%`;
}

function signed(value: number): string {
  const shown = value.toFixed(3);
  return shown.startsWith("-") ? shown : `+${shown}`;
}
