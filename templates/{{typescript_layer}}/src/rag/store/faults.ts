/** Turns what SQLite reports into errors that say what to do; no engine's text is an answer. */

import Database from "better-sqlite3";
import { IndexCorruptError, IndexLockedError, StoreError } from "../errors.ts";

export const BUILD = "Run `index`.";
export const REBUILD = "Run `index --rebuild`.";

const DAMAGED = /^SQLITE_(CORRUPT|NOTADB|FORMAT)/;
const BUSY = /^SQLITE_(BUSY|LOCKED)/;
const DENIED = /^SQLITE_(READONLY|PERM|AUTH)/;

/** The error for an index that contradicts itself. */
export function damaged(path: string, what: string, cause?: unknown): IndexCorruptError {
  return new IndexCorruptError(`${path} is damaged: ${what}`, {
    fix: REBUILD,
    cause,
  });
}

/** Throw StoreError or one of its kinds for whatever SQLite throws inside. */
export function translated<T>(path: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw translation(path, error);
  }
}

/** The StoreError for what SQLite throws, or its driver; any other error as it is. */
export function translation(path: string, error: unknown): unknown {
  if (error instanceof Database.SqliteError) return storeError(path, error);
  return driverError(error) ?? error;
}

/** The error for a driver whose compiled part is missing, or of another Node. */
export function driverError(error: unknown): StoreError | undefined {
  if (!(error instanceof Error)) return undefined;
  const isMissing = "tries" in error;
  if (!isMissing && !("code" in error && error.code === "ERR_DLOPEN_FAILED")) return undefined;
  return new StoreError("better-sqlite3 is not compiled for this version of Node", {
    fix: "Run `npm rebuild better-sqlite3`.",
    cause: error,
  });
}

/** The code of an SQLite error, such as `SQLITE_BUSY_SNAPSHOT`; empty for any other error. */
export function sqliteCode(error: unknown): string {
  return error instanceof Database.SqliteError ? error.code : "";
}

/** Whether another connection is in the way. */
export function isBusy(error: unknown): boolean {
  return BUSY.test(sqliteCode(error));
}

function storeError(path: string, error: InstanceType<typeof Database.SqliteError>): StoreError {
  const { code, message } = error;
  const options = { cause: error };
  // A lost table has no code of its own.
  if (DAMAGED.test(code) || (code === "SQLITE_ERROR" && message.startsWith("no such"))) {
    return damaged(path, message, error);
  }
  if (BUSY.test(code)) {
    const fix = "Try again later.";
    return new IndexLockedError(`${path} is in use by another process`, {
      fix,
      ...options,
    });
  }
  return new StoreError(`${path}${explained(code, message)}`, {
    ...options,
    ...(code.startsWith("SQLITE_FULL") ? { fix: "Free some space." } : {}),
  });
}

function explained(code: string, message: string): string {
  if (DENIED.test(code)) return " can't be written: it or its folder is read-only";
  if (code.startsWith("SQLITE_CANTOPEN")) {
    return " can't be opened: check that its folder may be written";
  }
  if (code.startsWith("SQLITE_FULL")) return " can't grow: the disk is full";
  if (code.startsWith("SQLITE_IOERR")) {
    return ": reading or writing failed; is the disk full or failing?";
  }
  if (code.startsWith("SQLITE_CONSTRAINT")) return ": two documents, or two chunks, have one id";
  return `: ${message}`;
}
