/** The command line: parses, calls a composition root, prints. Errors are told in `main`. */

import { readFileSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { Command, CommanderError } from "commander";
import { addAsking } from "./commands/asking.ts";
import { addInspecting } from "./commands/inspecting.ts";
import { addMeasuring } from "./commands/measuring.ts";
import { DONE, ERROR, type Session } from "./commands/session.ts";
import { RagError } from "./rag/errors.ts";
import { printError } from "./terminal.ts";

/** Run the command line and return its exit status; every error is told here, once. */
export async function main(args: readonly string[]): Promise<number> {
  const session: Session = { status: DONE };
  const interrupt = () => {
    session.interrupted?.();
    printError("interrupted");
    process.exit(ERROR);
  };
  const app = buildApp(session);
  process.once("SIGINT", interrupt);
  process.stdout.off("error", leave).on("error", leave);
  try {
    await app.parseAsync(args, { from: "user" });
    await takeSignals();
    return session.status;
  } catch (error) {
    return tell(error, app.opts()["verbose"] === true);
  } finally {
    process.off("SIGINT", interrupt);
  }
}

/** Let Ctrl-C have its turn where a command took only one: it is polled for between immediates. */
async function takeSignals(): Promise<void> {
  await setImmediate();
  await setImmediate();
}

function tell(error: unknown, isVerbose: boolean): number {
  if (error instanceof CommanderError) {
    // It has been said by commander. To ask for help is no error, to be in need of it is one.
    return error.exitCode === 0 ? DONE : ERROR;
  }
  if (error instanceof RagError) {
    printError(error.message);
    return ERROR;
  }
  if (isVerbose && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  const said = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  printError(`unexpected ${said}\n  Put --verbose before the command to see where it happened.`);
  return ERROR;
}

/** What reads the output may have seen enough, as `head` does: that is no error. */
function leave(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") process.exit(DONE);
  printError(error.message);
  process.exit(ERROR);
}

function buildApp(session: Session): Command {
  const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  const app = new Command((JSON.parse(manifest) as { name: string }).name)
    .description("Hybrid retrieval over your documents, and answers with citations.")
    .option("-v, --verbose", "Log every stage to standard error.")
    .helpOption("-h, --help", "Show this message and exit.")
    .helpCommand(false)
    .exitOverride();
  addAsking(app, session);
  addMeasuring(app, session);
  addInspecting(app, session);
  return app;
}
