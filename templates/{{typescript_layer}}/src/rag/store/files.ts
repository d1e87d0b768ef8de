/** The index as a file with companions: its log and the log's shared memory. */

import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { IndexCorruptError, StoreError } from "../errors.ts";
import { translated } from "./faults.ts";
import { connect, hasTables, requireIndex } from "./schema.ts";

const COMPANIONS = ["-wal", "-shm"];

/** Whether there is no file, or an empty one. */
export function isAbsent(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0;
}

/**
 * Whether the file is there, and SQLite finds fault with it.
 *
 * @throws StoreError it is a file of another program.
 */
export function isDamaged(path: string): boolean {
  if (!existsSync(path)) return false;
  try {
    return translated(path, () => {
      const connection = connect(path, "write");
      try {
        if (hasTables(connection)) requireIndex(connection, path);
        return connection.pragma("quick_check(1)", { simple: true }) !== "ok";
      } finally {
        connection.close();
      }
    });
  } catch (error) {
    if (error instanceof IndexCorruptError) return true;
    throw error;
  }
}

/**
 * Put a finished file in the place of none, or of a damaged one.
 *
 * The log that a damaged file left goes first: it must never be played into the new file.
 */
export function replaceFile(fresh: string, path: string): void {
  try {
    for (const suffix of COMPANIONS) rmSync(path + suffix, { force: true });
    renameSync(fresh, path);
    if (process.platform === "win32") return;
    const folder = openSync(dirname(path), "r");
    fsyncSync(folder);
    closeSync(folder);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreError(`${path} can't be replaced: ${reason}`, {
      cause: error,
    });
  }
}

/** Delete an index and what lies beside it, as far as it is there. */
export function deleteFile(path: string): void {
  for (const suffix of ["", ...COMPANIONS]) rmSync(path + suffix, { force: true });
}
