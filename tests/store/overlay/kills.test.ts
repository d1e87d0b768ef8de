/** A run that is killed at a random moment leaves the old state or the new one, whole. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { IndexMissingError } from "../../../src/rag/errors.ts";
import { openStore } from "../../../src/rag/store/reader.ts";
import { verifyIndex } from "../../../src/rag/store/verify.ts";
import { analyze, type Corpus, draws, MANIFEST, newIndex, write } from "./building.ts";

function corpus(from: number, to: number, words: string, chunks: number): Corpus {
  const names = Array.from({ length: to - from }, (_, at) => from + at);
  const texts = (name: number) =>
    Array.from({ length: chunks }, (_, at) => `${words} ${name} ${at}`);
  return Object.fromEntries(names.map((name) => [`${name}.md`, texts(name)]));
}

const BEFORE = corpus(0, 60, "old pump", 8);
const AFTER = corpus(30, 90, "new valve", 6);
const GONE = Array.from({ length: 30 }, (_, at) => `${at}.md`);
const EACH = Number(process.env["STORE_KILLS"] ?? "24") / 3;
const NOTHING = [0, 0, 0, 0];
const OLD = [480, 0, 60, 480];

type Run = {
  readonly start: Corpus;
  readonly put: Corpus;
  readonly gone: readonly string[];
  readonly before: readonly number[];
  readonly after: readonly number[];
};

const RUNS: Readonly<Record<string, Run>> = {
  build: { start: {}, put: BEFORE, gone: [], before: NOTHING, after: OLD },
  edit: { start: BEFORE, put: AFTER, gone: GONE, before: OLD, after: [0, 360, 60, 360] },
  delete: { start: BEFORE, put: {}, gone: GONE, before: OLD, after: [240, 0, 30, 240] },
};

/** Chunks of the old texts and of the new ones, and what the counts say is there. */
function state(index: string): number[] {
  try {
    const store = openStore(index, MANIFEST);
    const [old, fresh] = ["old", "new"].map((term) => store.searchKeyword([term], 9999).length);
    const { documents, chunks } = store.stats();
    store.close();
    return [old ?? 0, fresh ?? 0, documents, chunks];
  } catch (error) {
    if (error instanceof IndexMissingError) return NOTHING;
    throw error;
  }
}

/** A process that does the run when it is told to; it has loaded what it needs. */
async function begin(index: string, { put, gone }: Run): Promise<ChildProcess> {
  const building = pathToFileURL(resolve("test/rag/store/building.ts")).href;
  const program = `
    import { write } from ${JSON.stringify(building)};
    process.stdin.once("data", async () => {
      await write(${JSON.stringify(index)}, ${JSON.stringify(put)}, { removed: ${JSON.stringify(gone)} });
      process.exit(0);
    });
    console.log("ready");`;
  const command = ["--import", "tsx", "--input-type=module", "-e", program];
  const child = spawn(process.execPath, command, { stdio: ["pipe", "pipe", "inherit"] });
  await once(child.stdout as NodeJS.ReadableStream, "data");
  return child;
}

/** Do the run, and kill it after `wait` milliseconds; returns how long it lived. */
async function live(index: string, run: Run, wait: number): Promise<number> {
  const child = await begin(index, run);
  const over = once(child, "exit");
  const began = performance.now();
  child.stdin?.write("go");
  await Promise.race([over, sleep(wait)]);
  child.kill("SIGKILL");
  await over;
  return performance.now() - began;
}

async function place({ start }: Run): Promise<string> {
  const index = newIndex();
  if (Object.keys(start).length > 0) await write(index, start);
  return index;
}

const seen = new Set<string>();

describe.each(Object.entries(RUNS))("%s", (name, run) => {
  let usual = 0;

  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), "kills-"));
    const index = join(folder, "index.sqlite");
    if (Object.keys(run.start).length > 0) await write(index, run.start);
    usual = await live(index, run, 60_000);
    expect(state(index)).toEqual(run.after);
    rmSync(folder, { recursive: true });
  });

  test.each(Array.from({ length: EACH }, (_, at) => at))("killed, %i", async (at) => {
    const index = await place(run);
    const [share = 0] = draws(at + name.length * 1000, 9).slice(-1);
    await live(index, run, 0.6 * (1 + share) * usual);
    const left = state(index);
    expect([run.before, run.after]).toContainEqual(left);
    if (left !== NOTHING) expect(await verifyIndex(index, { analyze })).toEqual([]);
    const isOld = String(left) === String(run.before);
    await write(index, run.put, { removed: isOld ? run.gone : [] });
    expect(state(index)).toEqual(run.after);
    expect(await verifyIndex(index, { analyze })).toEqual([]);
    seen.add(isOld ? "old" : "new");
  });

  test("kills came before the commit", () => {
    expect(seen).toContain("old");
  });
});
