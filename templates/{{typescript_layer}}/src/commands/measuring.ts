/** `eval` and `tune`; what each needs is loaded when it is run. */

import type { Command } from "commander";
import { startProgress } from "../progress.ts";
import { loadSettings, writeSettings } from "../rag/config.ts";
import { printError } from "../terminal.ts";
import { collectionOption, jsonOption } from "./options.ts";
import { DONE, GATE, NOTHING, type Session } from "./session.ts";

export function addMeasuring(app: Command, session: Session): void {
  addEval(app, session);
  addTune(app, session);
}

function addEval(app: Command, session: Session): void {
  type Options = {
    readonly collection?: string;
    readonly baseline?: string;
    readonly saveBaseline?: string;
    readonly json: boolean;
  };
  app
    .command("eval")
    .description("Score retrieval on the golden queries, with no model in the loop.")
    .addOption(collectionOption())
    .option("--baseline <PATH>", "Compare with a saved run; a clear loss is status 3.")
    .option("--save-baseline <PATH>", "Save this run, to compare later ones with.")
    .addOption(jsonOption())
    .action(async ({ collection, baseline, saveBaseline, json }: Options) => {
      const { compareBaseline, saveBaseline: save } = await import("../rag/evaluation/baseline.ts");
      const { withJudged } = await import("../rag/evaluation/judged.ts");
      const { evaluate } = await import("../rag/evaluation/scoring.ts");
      const quality = await import("../quality.ts");
      const settings = loadSettings();
      const progress = startProgress();
      session.interrupted = progress.stop;
      const report = await withJudged(settings, collection, progress.show, (judged) =>
        evaluate(judged.retrieval, judged.golden, judged.documents, {
          index: judged.index,
          progress: progress.show,
        }),
      ).finally(progress.stop);
      const comparison = baseline ? compareBaseline(report, baseline) : null;
      if (saveBaseline) save(saveBaseline, report);
      quality.printReport(report, comparison, json);
      const failures = quality.failedGates(report, comparison, settings.minNdcg);
      for (const failure of failures) printError(failure);
      session.status = failures.length > 0 ? GATE : DONE;
    });
}

function addTune(app: Command, session: Session): void {
  type Options = {
    readonly collection?: string;
    readonly write: boolean;
    readonly json: boolean;
  };
  app
    .command("tune")
    .description(
      "Find fusion settings on half of the judged queries, and score them on the other half.",
    )
    .addOption(collectionOption())
    .option("--write", "Write what is recommended into .env.", false)
    .addOption(jsonOption())
    .action(async ({ collection, write, json }: Options) => {
      const { judgedOf } = await import("../rag/evaluation/golden.ts");
      const { withJudged } = await import("../rag/evaluation/judged.ts");
      const { settingsOf, tune } = await import("../rag/evaluation/tuning.ts");
      const { printTuning } = await import("../quality.ts");
      const progress = startProgress();
      session.interrupted = progress.stop;
      const tuning = await withJudged(loadSettings(), collection, progress.show, (judged) =>
        tune(judged.retrieval, judgedOf(judged.golden), { progress: progress.show }),
      ).finally(progress.stop);
      if (write && tuning.recommended) writeSettings(settingsOf(tuning), ".env");
      printTuning(tuning, json, write);
      session.status = tuning.recommended ? DONE : NOTHING;
    });
}
