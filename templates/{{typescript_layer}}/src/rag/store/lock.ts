/**
 * One writer at a time, by a lock on a file, and a file beside it that says who holds it.
 *
 * The lock is SQLite's, on an empty database: Python and Node both know it, and the operating
 * system frees it when its holder dies, so that a killed run blocks nobody. The file itself stays:
 * removing it would let two writers lock two files of one name.
 */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import { z } from "zod";
import { IndexLockedError, StoreError } from "../errors.ts";
import { driverError, isBusy } from "./faults.ts";

const POLL_MS = 50;

const Holder = z.object({
  pid: z.number(),
  host: z.string(),
  since: z.string(),
});

/**
 * Do `run` while holding the lock file at `path`, having waited up to `waitS` seconds for it.
 *
 * @throws IndexLockedError another process holds it; the message names it.
 * @throws StoreError the file cannot be written.
 */
export async function withWriterLock<T>(
  path: string,
  waitS: number,
  run: () => Promise<T>,
): Promise<T> {
  const holder = path.replace(/\.[^.]*$/, ".holder");
  const connection = opened(path);
  try {
    const deadline = performance.now() + waitS * 1000;
    while (!tryLock(connection, path)) {
      if (performance.now() >= deadline) {
        throw new IndexLockedError(`another run is writing the index: ${holderNamed(holder)}`, {
          fix: "Wait for it to end, or stop it.",
        });
      }
      await sleep(POLL_MS);
    }
    nameHolder(holder);
    return await run();
  } finally {
    connection.close();
  }
}

function opened(path: string): Database.Database {
  try {
    mkdirSync(dirname(path), { recursive: true });
    return new Database(path, { timeout: 0 });
  } catch (error) {
    throw driverError(error) ?? unwritable(path, error);
  }
}

/** Begin a transaction that writes nothing, and lasts as long as the connection. */
function tryLock(connection: Database.Database, path: string): boolean {
  try {
    connection.pragma("journal_mode=MEMORY");
    connection.exec("BEGIN IMMEDIATE");
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw unwritable(path, error);
  }
}

function unwritable(path: string, cause: unknown): StoreError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new StoreError(`${dirname(path)} can't be written: ${reason}`, {
    fix: "Make the index folder writable, or choose another.",
    cause,
  });
}

function nameHolder(path: string): void {
  const since = new Date().toISOString().replace(/\.\d+Z$/, "+00:00");
  try {
    writeFileSync(path, JSON.stringify({ pid: process.pid, host: hostname(), since }));
  } catch {
    // The lock is held all the same; only its name is missing, as on a full disk.
  }
}

function holderNamed(path: string): string {
  try {
    const { pid, host, since } = Holder.parse(JSON.parse(readFileSync(path, "utf8")));
    return `process ${pid} on ${host}, since ${since}`;
  } catch {
    return "a process that did not give its name";
  }
}
