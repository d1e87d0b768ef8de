/** `index`, `search` and `ask`; what each needs is loaded when it is run. */

import type { Command } from "commander";
import { startProgress } from "../progress.ts";
import { loadSettings } from "../rag/config.ts";
import { RagError } from "../rag/errors.ts";
import { jsonOption, topOption, underOption } from "./options.ts";
import { DONE, NOTHING, type Session } from "./session.ts";

export function addAsking(app: Command, session: Session): void {
  addIndex(app, session);
  addSearch(app, session);
  addAsk(app, session);
}

function addIndex(app: Command, session: Session): void {
  type Options = { readonly rebuild: boolean; readonly json: boolean };
  app
    .command("index")
    .summary("Bring the index up to SOURCE; only what changed is embedded.")
    .description(
      "Bring the index up to SOURCE; only what changed is embedded.\n\n" +
        "SOURCE is a folder or a file; without it, the setting source_dir is taken.",
    )
    .argument("[SOURCE]")
    .option("--rebuild", "Start over, as a changed setting may ask.", false)
    .addOption(jsonOption())
    .action(async (source: string | undefined, { rebuild, json }: Options) => {
      const { indexSources, newSummary } = await import("../rag/indexing.ts");
      const { printIndex, printInterrupted } = await import("../views.ts");
      const settings = loadSettings();
      const summary = newSummary();
      const progress = startProgress();
      session.interrupted = () => {
        progress.stop();
        printInterrupted(summary);
      };
      try {
        const options = { rebuild, progress: progress.show };
        await indexSources(settings, source ?? settings.sourceDir, summary, options);
      } catch (error) {
        progress.stop();
        if (summary.seen > 0 || !(error instanceof RagError)) printInterrupted(summary);
        throw error;
      }
      progress.stop();
      printIndex(summary, json);
    });
}

function addSearch(app: Command, session: Session): void {
  type Options = {
    readonly top?: number;
    readonly under?: string;
    readonly explain: boolean;
    readonly json: boolean;
  };
  app
    .command("search")
    .description("Find the passages nearest to QUERY.")
    .argument("<QUERY>")
    .addOption(topOption())
    .addOption(underOption())
    .option("--explain", "Show ranks and scores by leg, and terms.", false)
    .addOption(jsonOption())
    .action(async (query: string, { top, under, explain, json }: Options) => {
      const { openRetrieval } = await import("../rag/retrieval.ts");
      const { printSearch } = await import("../views.ts");
      const { explain: explained, printExplanation } = await import("../explanation.ts");
      const retrieval = await openRetrieval(loadSettings());
      try {
        const found = await retrieval.search(query, {
          ...(under ? { where: { prefix: under } } : {}),
          ...(top ? { topN: top } : {}),
        });
        const explanation = explain ? explained(retrieval, found) : null;
        printSearch(found, explanation, json);
        if (explanation && !json) printExplanation(found, explanation);
        session.status = found.passages.length > 0 ? DONE : NOTHING;
      } finally {
        retrieval.close();
      }
    });
}

function addAsk(app: Command, session: Session): void {
  type Options = { readonly under?: string; readonly json: boolean };
  app
    .command("ask")
    .description("Answer QUESTION with citations, or refuse.")
    .argument("<QUESTION>")
    .addOption(underOption())
    .addOption(jsonOption())
    .action(async (question: string, { under, json }: Options) => {
      const pipeline = await import("../rag/pipeline.ts");
      const { printReply } = await import("../views.ts");
      const where = under ? { prefix: under } : undefined;
      const { reply, passages } = await pipeline.ask(loadSettings(), question, where);
      printReply(reply, passages, json);
      session.status = reply.kind === "refusal" ? NOTHING : DONE;
    });
}
