/** Tables of the index file, and how a connection to it is set up. */

import { resolve } from "node:path";
import Database from "better-sqlite3";
import { IndexMismatchError, StoreError } from "../errors.ts";
import { REBUILD } from "./faults.ts";

export const SCHEMA_VERSION = 1;
export const APPLICATION_ID = 0x52414758;
export const PAGE_BYTES = 8192;

const BUSY_MS = 10_000;

export type Connection = Database.Database;

export const TABLES = [
  `CREATE TABLE manifest(
        key TEXT PRIMARY KEY, value TEXT NOT NULL, checksum INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE document(
        number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, digest TEXT NOT NULL,
        source_digest TEXT NOT NULL, source TEXT NOT NULL, title TEXT NOT NULL,
        metadata TEXT NOT NULL, gaps TEXT NOT NULL, checksum INTEGER NOT NULL
    ) STRICT`,
  `CREATE TABLE chunk(
        number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, id_checksum INTEGER NOT NULL,
        document INTEGER NOT NULL REFERENCES document(number), ordinal INTEGER NOT NULL,
        start_char INTEGER NOT NULL, end_char INTEGER NOT NULL, text TEXT NOT NULL,
        heading_path TEXT NOT NULL, preamble TEXT NOT NULL, digest TEXT NOT NULL,
        checksum INTEGER NOT NULL
    ) STRICT`,
  "CREATE INDEX chunk_document ON chunk(document, ordinal)",
  `CREATE TABLE lengths(
        block INTEGER PRIMARY KEY, lengths BLOB NOT NULL, checksum INTEGER NOT NULL
    ) STRICT`,
  `CREATE TABLE vectors(
        block INTEGER PRIMARY KEY, run INTEGER NOT NULL, vectors BLOB NOT NULL,
        checksum INTEGER NOT NULL
    ) STRICT`,
  "CREATE INDEX vectors_run ON vectors(run)",
  `CREATE TABLE term(
        text TEXT PRIMARY KEY, frequency INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE posting(
        term TEXT NOT NULL, block INTEGER NOT NULL, postings BLOB NOT NULL,
        checksum INTEGER NOT NULL, PRIMARY KEY(term, block)
    ) STRICT, WITHOUT ROWID`,
];

/** `create` makes the file when there is none; `write` and `read` need one. */
export type Access = "read" | "write" | "create";

/**
 * Open the file; transactions are begun and ended by the caller alone.
 *
 * @throws SqliteError the file cannot be opened.
 */
export function connect(path: string, access: Access): Connection {
  return prepared(
    new Database(resolve(path), {
      readonly: access === "read",
      fileMustExist: access !== "create",
      timeout: BUSY_MS,
    }),
  );
}

/** Open a copy, in memory, of a file that is complete in itself; for reading only. */
export function connectCopy(file: Buffer): Connection {
  // Bytes 18 and 19 say that a file has a log: a copy has none.
  file.fill(1, 18, 20);
  return prepared(new Database(file, { readonly: true }));
}

function prepared(connection: Connection): Connection {
  connection.pragma("foreign_keys=ON");
  connection.pragma("temp_store=MEMORY");
  return connection;
}

/**
 * Have a commit wait for the disk.
 *
 * Checkpoints happen after a commit and never inside one, so that a run which committed cannot
 * fail in its checkpoint.
 */
export function prepareWriter(connection: Connection): void {
  connection.pragma(`page_size=${PAGE_BYTES}`);
  connection.pragma("synchronous=FULL");
  connection.pragma("wal_autocheckpoint=0");
  connection.pragma("cache_size=-65536");
}

/**
 * Write ahead to a log, so that readers and a writer don't wait for each other.
 *
 * @throws StoreError the file system does not allow it.
 */
export function useLog(connection: Connection, path: string): void {
  if (connection.pragma("journal_mode=WAL", { simple: true }) !== "wal") {
    throw new StoreError(`${path}: its file system has no shared memory, which the index needs`);
  }
}

/** For a file that nobody reads yet, and that is thrown away when its run fails. */
export function useNoJournal(connection: Connection): void {
  connection.pragma("journal_mode=OFF");
}

/** Whether anything was ever committed to the file. */
export function hasTables(connection: Connection): boolean {
  return connection.prepare("SELECT 1 FROM sqlite_master LIMIT 1").get() !== undefined;
}

/**
 * Refuse a file of another program.
 *
 * @throws StoreError the file has tables, and they are not ours.
 */
export function requireIndex(connection: Connection, path: string): void {
  if (connection.pragma("application_id", { simple: true }) !== APPLICATION_ID) {
    throw new StoreError(`${path} is an SQLite file, but not an index`, {
      fix: "Move it away, or choose another index folder.",
    });
  }
}

/**
 * Refuse tables of an older or newer layout.
 *
 * @throws IndexMismatchError the schema version differs from `SCHEMA_VERSION`.
 */
export function requireVersion(connection: Connection): void {
  const stored = connection.pragma("user_version", { simple: true });
  if (stored !== SCHEMA_VERSION) {
    throw new IndexMismatchError(
      `schema: the index has ${stored}, this program writes ${SCHEMA_VERSION}`,
      { fix: REBUILD },
    );
  }
}

/** Create the tables inside the caller's transaction. */
export function createTables(connection: Connection): void {
  connection.pragma(`application_id=${APPLICATION_ID}`);
  connection.pragma(`user_version=${SCHEMA_VERSION}`);
  for (const statement of TABLES) connection.exec(statement);
}

/** Drop whatever tables there are, the referring ones first. */
export function dropTables(connection: Connection): void {
  const names = connection
    .prepare<[], string>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' " +
        "ORDER BY rowid DESC",
    )
    .pluck()
    .all();
  for (const name of names) connection.exec(`DROP TABLE "${name.replaceAll('"', '""')}"`);
}
