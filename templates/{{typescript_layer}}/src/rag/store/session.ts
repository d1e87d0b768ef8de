/** A reader's connection: one read transaction at a time, always on the newest state. */

import { existsSync, readFileSync, statSync } from "node:fs";
import { IndexMissingError } from "../errors.ts";
import { BUILD, damaged, sqliteCode, translated } from "./faults.ts";
import { type Manifest, readIdentity, readState, requireIdentity } from "./manifest.ts";
import {
  type Connection,
  connect,
  connectCopy,
  hasTables,
  requireIndex,
  requireVersion,
} from "./schema.ts";
import { openView, type View } from "./view.ts";

/** Opens the file and checks it whenever another run has written it. */
export type Session = {
  /**
   * Hold one committed state while `read` runs, or its promise; inside, the same state is held on.
   *
   * @throws IndexMissingError there is no index.
   * @throws IndexMismatchError it was built with other settings.
   * @throws IndexCorruptError it is damaged.
   */
  view<T>(read: (view: View) => T): T;
  /** Close the file; the session may be used again. */
  close(): void;
};

type Opened = {
  readonly connection: Connection;
  readonly frozen: boolean;
  readonly file: string;
};

export function openSession(path: string, manifest: Manifest | null): Session {
  let opened: Opened | undefined;
  let current: View | undefined;
  let depth = 0;

  function close(): void {
    opened?.connection.close();
    opened = undefined;
    current = undefined;
  }

  /** The connection, opened anew if another file has taken the path. */
  function reopened(): Connection {
    if (!opened || opened.file !== fileIdentity(path, opened.frozen)) {
      close();
      opened = openReadOnly(path);
    }
    return opened.connection;
  }

  function checked(connection: Connection): View {
    if (!hasTables(connection)) throw missing(path);
    requireIndex(connection, path);
    requireVersion(connection);
    if (manifest) requireIdentity(readIdentity(connection, path), manifest);
    return openView(connection, path, readState(connection, path));
  }

  function begin(): View {
    const connection = reopened();
    connection.exec("BEGIN");
    try {
      if (current && readState(connection, path).run === current.state.run) return current;
      return checked(connection);
    } catch (error) {
      end();
      current = undefined;
      throw error;
    }
  }

  function end(): void {
    if (opened?.connection.inTransaction) opened.connection.exec("ROLLBACK");
  }

  function release(): void {
    depth -= 1;
    if (depth === 0) end();
  }

  function held(): View {
    if (!current || depth === 0) current = begin();
    depth += 1;
    return current;
  }

  return {
    close,
    view: <T>(read: (view: View) => T) =>
      translated(path, () => {
        const view = held();
        let isPending = false;
        try {
          const result = read(view);
          if (!(result instanceof Promise)) return result;
          isPending = true;
          return result.finally(release) as T;
        } finally {
          if (!isPending) release();
        }
      }),
  };
}

/**
 * What tells a file from another of the same name; for a frozen one, also when it was written to.
 *
 * @throws IndexMissingError there is no file.
 */
function fileIdentity(path: string, frozen: boolean): string {
  let found: ReturnType<typeof statOf>;
  try {
    found = statOf(path);
  } catch (error) {
    throw damaged(path, error instanceof Error ? error.message : String(error), error);
  }
  if (!found) throw missing(path);
  return [found.dev, found.ino, frozen ? found.mtimeNs : ""].join(" ");
}

function statOf(path: string) {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}

/**
 * Open for reading, also from a folder that may not be written.
 *
 * There SQLite cannot make the shared memory that its log needs. Without a log the file is complete
 * in itself, and is read as frozen: a copy in memory, taken again when the file was written to.
 */
function openReadOnly(path: string): Opened {
  const file = fileIdentity(path, false);
  const connection = connect(path, "read");
  try {
    connection.pragma("user_version");
    return { connection, frozen: false, file };
  } catch (error) {
    connection.close();
    const denied = /^SQLITE_(CANTOPEN|READONLY)/.test(sqliteCode(error));
    if (!denied || existsSync(`${path}-wal`)) throw error;
    const frozen = fileIdentity(path, true);
    return {
      connection: connectCopy(readFileSync(path)),
      frozen: true,
      file: frozen,
    };
  }
}

/** The error for a path without an index. */
function missing(path: string): IndexMissingError {
  return new IndexMissingError(`there is no index at ${path}`, { fix: BUILD });
}

/**
 * The identity of the index at `path`; null if there is no index.
 *
 * @throws IndexMismatchError its schema is older or newer.
 * @throws IndexCorruptError it is damaged.
 */
export function readManifest(path: string): Manifest | null {
  const session = openSession(path, null);
  try {
    return session.view(({ connection }) => readIdentity(connection, path));
  } catch (error) {
    if (error instanceof IndexMissingError) return null;
    throw error;
  } finally {
    session.close();
  }
}
