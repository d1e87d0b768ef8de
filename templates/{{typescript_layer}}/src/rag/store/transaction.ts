/** One write transaction for a whole run: committed at its end, or nothing of it. */

import { StoreError } from "../errors.ts";
import { sqliteCode, translated } from "./faults.ts";
import { deleteFile, isAbsent, isDamaged, replaceFile } from "./files.ts";
import { withWriterLock } from "./lock.ts";
import {
  emptyState,
  type Manifest,
  readIdentity,
  readState,
  requireIdentity,
  type State,
  writeIdentity,
  writeState,
} from "./manifest.ts";
import {
  type Connection,
  connect,
  createTables,
  dropTables,
  hasTables,
  prepareWriter,
  requireIndex,
  requireVersion,
  useLog,
  useNoJournal,
} from "./schema.ts";
import { type Analyze, beginRun, type IndexWriter } from "./writer.ts";

export type WriterOptions = {
  readonly analyze: Analyze;
  /** How long to wait for another writer, in seconds. */
  readonly waitS?: number;
  /** Start from nothing, under any manifest, and also over a damaged file. */
  readonly rebuild?: boolean;
  /** Seconds since the epoch. */
  readonly clock?: () => number;
};

type Write<T> = (writer: IndexWriter) => Promise<T> | T;

type Plan = {
  readonly manifest: Manifest;
  readonly analyze: Analyze;
  readonly clock: () => number;
  readonly rebuild: boolean;
  /** Whether readers may look while it is written. */
  readonly logged: boolean;
};

/**
 * Write the index at `path`, making it if there is none; readers see nothing until the end.
 *
 * @throws IndexLockedError another process is writing, and still was after `waitS` seconds.
 * @throws IndexMismatchError the index was built with other settings.
 * @throws IndexCorruptError the index is damaged.
 * @throws StoreError the folder can't be written, or the disk is full.
 */
export async function openWriter<T>(
  path: string,
  manifest: Manifest,
  options: WriterOptions,
  write: Write<T>,
): Promise<T> {
  const { analyze, waitS = 0, rebuild = false, clock = () => Date.now() / 1000 } = options;
  const plan = { manifest, analyze, clock, rebuild, logged: true };
  return withWriterLock(`${path}.lock`, waitS, () =>
    isAbsent(path) || (rebuild && isDamaged(path))
      ? freshRun(path, { ...plan, rebuild: false, logged: false }, write)
      : run(path, plan, write),
  );
}

/**
 * A run into a new file, which takes the place of `path` when it is complete.
 *
 * Until then nobody reads the file and a failed run deletes it, so it needs no log.
 */
async function freshRun<T>(path: string, plan: Plan, write: Write<T>): Promise<T> {
  const fresh = `${path}.new`;
  deleteFile(fresh);
  try {
    const result = await run(fresh, plan, write);
    replaceFile(fresh, path);
    return result;
  } finally {
    deleteFile(fresh);
  }
}

async function run<T>(path: string, plan: Plan, write: Write<T>): Promise<T> {
  const connection = translated(path, () => connect(path, "create"));
  try {
    const { writer, finish } = translated(path, () => {
      begin(connection, path, plan);
      const state = prepared(connection, path, plan);
      return beginRun(connection, path, state, plan.analyze);
    });
    const result = await write(writer);
    translated(path, () => {
      finish(plan.clock());
      connection.exec("COMMIT");
      useLog(connection, path);
    });
    checkpoint(connection);
    return result;
  } finally {
    // What was not committed is rolled back; closing does it where a full disk fails that too.
    attempt(() => connection.inTransaction && connection.exec("ROLLBACK"));
    connection.close();
  }
}

function begin(connection: Connection, path: string, { logged }: Plan): void {
  prepareWriter(connection);
  useLog(connection, path);
  if (!logged) useNoJournal(connection);
  connection.exec("BEGIN IMMEDIATE");
}

/** The state to go on from, once identity and schema are right. */
function prepared(connection: Connection, path: string, plan: Plan): State {
  const { manifest, rebuild } = plan;
  const now = plan.clock();
  if (!hasTables(connection)) return created(connection, manifest, emptyState(0, now));
  requireIndex(connection, path);
  if (rebuild) {
    const last = lastRun(connection, path, now);
    dropTables(connection);
    return created(connection, manifest, emptyState(last + 1, now));
  }
  requireVersion(connection);
  const stored = readIdentity(connection, path);
  requireIdentity(stored, manifest);
  if (!stored.probe && manifest.probe) writeIdentity(connection, manifest);
  return readState(connection, path);
}

function created(connection: Connection, manifest: Manifest, state: State): State {
  createTables(connection);
  writeIdentity(connection, manifest);
  writeState(connection, state);
  return state;
}

/**
 * Runs go on counting over a rebuild, so that readers notice it.
 *
 * Where the count is lost, the time in milliseconds is higher than any.
 */
function lastRun(connection: Connection, path: string, now: number): number {
  try {
    requireVersion(connection);
    return readState(connection, path).run;
  } catch (error) {
    if (error instanceof StoreError || sqliteCode(error)) return Math.floor(now * 1000);
    throw error;
  }
}

/** Move the log into the file, as far as readers allow; the run is safe in either. */
function checkpoint(connection: Connection): void {
  attempt(() => {
    connection.pragma("busy_timeout=0");
    connection.pragma("wal_checkpoint(TRUNCATE)");
  });
}

/** Do something that SQLite may refuse, without harm. */
function attempt(act: () => unknown): void {
  try {
    act();
  } catch (error) {
    if (!sqliteCode(error)) throw error;
  }
}
