/** A file of vectors by key, that may be shared, damaged or unwritable without harm. */

import { mkdirSync, renameSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { crc32 } from "node:zlib";
import Database from "better-sqlite3";
import type { Vector } from "../contracts.ts";

export const SCHEMA_VERSION = 1;

const TABLE = `CREATE TABLE IF NOT EXISTS vectors (
    space BLOB NOT NULL, key BLOB NOT NULL, vector BLOB NOT NULL, checksum INTEGER NOT NULL,
    PRIMARY KEY (space, key)
)`;
const WAIT_MS = 30_000;
const KEYS_PER_QUERY = 500;
/** Codes of a file that may be whole, but can't be used now. Any other one is damage. */
const BLOCKED = /^SQLITE_(PERM|BUSY|LOCKED|NOMEM|READONLY|INTERRUPT|IOERR|FULL|CANTOPEN)(_|$)/;

/**
 * Vectors of one `space`, the digest of what makes vectors comparable; keys are digests too.
 *
 * Each `store` is one transaction. A damaged file is set aside as `*.damaged` and begun anew; one
 * that can't be opened, read or written is done without. Either is logged, neither thrown.
 */
export type VectorFile = {
  /** The vectors that are there and whole, by key in hex. */
  load(keys: readonly string[]): Map<string, Vector>;
  /** Keep vectors by key in hex, durable when it returns. */
  store(vectors: ReadonlyMap<string, Vector>): void;
  /** Close the file; afterwards nothing is found and nothing kept. */
  close(): void;
};

export type VectorFileOptions = {
  readonly space: Buffer;
  readonly dimensions: number;
  readonly log?: (event: string) => void;
};

type Row = [key: Buffer, vector: Buffer, checksum: number];

export function openVectorFile(
  path: string,
  { space, dimensions, log = console.warn }: VectorFileOptions,
): VectorFile {
  let connection: Database.Database | undefined;

  function close(): void {
    connection?.close();
    connection = undefined;
  }

  function giveUp(error: unknown): void {
    close();
    if (!isDamage(error)) {
      log(`embed.cache unusable, going on without it: ${path}: ${error}`);
      return;
    }
    const aside = `${path}.damaged`;
    log(`embed.cache damaged, set aside as ${aside}: ${error}`);
    try {
      renameSync(path, aside);
      connection = open(path);
    } catch (again) {
      log(`embed.cache unusable, going on without it: ${path}: ${again}`);
    }
  }

  /** Use the file, if there is one; what it says is wrong ends its use. */
  function attempt(use: (connection: Database.Database) => void): void {
    if (!connection) return;
    try {
      use(connection);
    } catch (error) {
      giveUp(error);
    }
  }

  try {
    connection = open(path);
  } catch (error) {
    giveUp(error);
  }

  return {
    close,
    load(keys) {
      const found = new Map<string, Vector>();
      for (let start = 0; start < keys.length; start += KEYS_PER_QUERY) {
        const part = keys
          .slice(start, start + KEYS_PER_QUERY)
          .map((key) => Buffer.from(key, "hex"));
        attempt((file) => {
          for (const [key, vector, checksum] of select(file, space, part)) {
            if (checksum !== checksumOf(key, vector)) continue;
            if (vector.byteLength !== 4 * dimensions) continue;
            found.set(key.toString("hex"), new Float32Array(Uint8Array.from(vector).buffer));
          }
        });
      }
      return found;
    },
    store(vectors) {
      attempt((file) => {
        const insert = file.prepare("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?, ?)");
        file.transaction(() => {
          for (const [hex, vector] of vectors) {
            const key = Buffer.from(hex, "hex");
            const blob = Buffer.from(vector.slice().buffer);
            insert.run(space, key, blob, checksumOf(key, blob));
          }
        })();
      });
    },
  };
}

function select(file: Database.Database, space: Buffer, keys: readonly Buffer[]): Row[] {
  const marks = keys.map(() => "?").join(",");
  return file
    .prepare<Buffer[], Row>(
      `SELECT key, vector, checksum FROM vectors WHERE space = ? AND key IN (${marks})`,
    )
    .raw()
    .all(space, ...keys);
}

function open(path: string): Database.Database {
  mkdirSync(dirname(resolve(path)), { recursive: true });
  const connection = new Database(resolve(path), { timeout: WAIT_MS });
  try {
    const version = connection.pragma("user_version", { simple: true });
    if (version !== 0 && version !== SCHEMA_VERSION) {
      throw new Database.SqliteError(
        `schema version ${version}, not ${SCHEMA_VERSION}`,
        "SQLITE_CORRUPT",
      );
    }
    connection.pragma("journal_mode = WAL");
    connection.pragma("synchronous = FULL");
    connection.exec(TABLE);
    connection.pragma(`user_version = ${SCHEMA_VERSION}`);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

function isDamage(error: unknown): boolean {
  return error instanceof Database.SqliteError && !BLOCKED.test(error.code);
}

function checksumOf(key: Uint8Array, vector: Uint8Array): number {
  return crc32(vector, crc32(key));
}
