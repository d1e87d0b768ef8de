/** What an index was built with, and what it holds; each entry is checked when it is read. */

import { z } from "zod";
import { compareCodePoints } from "../code-points.ts";
import { IndexMismatchError } from "../errors.ts";
import { quoted } from "../quoted.ts";
import { reduced, rowChecksum, rowIsIntact } from "./checksums.ts";
import { damaged, REBUILD } from "./faults.ts";
import type { Connection } from "./schema.ts";

export const LEAST_PROBE_COSINE = 0.999;

/**
 * The identity of an index: settings that change what is stored.
 *
 * `entries` maps a key such as `embedding.model` to a JSON scalar as text. `probe` is the float32
 * vector of one fixed text, little-endian: it tells a model that changed under its name. null:
 * not compared.
 */
export type Manifest = {
  readonly entries: Readonly<Record<string, string>>;
  readonly probe: Uint8Array | null;
};

/**
 * What the index holds after `run` runs that changed it; a writer works on a copy of its own.
 *
 * `tokens` is the length of all chunks, counted in terms. `created` and `updated` are seconds since
 * the epoch. The digests are sums of `checksums.element`. `last_run` has the keys of the file.
 */
export type State = {
  run: number;
  documents: number;
  chunks: number;
  tokens: number;
  dimensions: number;
  corpus_digest: bigint;
  index_digest: bigint;
  created: number;
  updated: number;
  last_run: Readonly<Record<string, number>>;
};

const count = z.number().int().nonnegative();
const digest = z.string().regex(/^[0-9a-f]{64}$/);
const StoredState = z.object({
  run: count,
  documents: count,
  chunks: count,
  tokens: count,
  dimensions: count,
  corpus_digest: digest.transform((text) => BigInt(`0x${text}`)),
  index_digest: digest.transform((text) => BigInt(`0x${text}`)),
  created: z.number(),
  updated: z.number(),
  last_run: z.record(z.string(), count),
});

type Entry = [key: string, value: string, checksum: number];

/** The state of an index that holds nothing, after `run` runs. */
export function emptyState(run: number, now: number): State {
  return {
    run,
    documents: 0,
    chunks: 0,
    tokens: 0,
    dimensions: 0,
    corpus_digest: 0n,
    index_digest: 0n,
    created: now,
    updated: now,
    last_run: {},
  };
}

/** Store the identity, over whatever was there. */
export function writeIdentity(connection: Connection, manifest: Manifest): void {
  connection.exec("DELETE FROM manifest WHERE key LIKE 'identity/%' OR key = 'probe'");
  for (const [key, value] of Object.entries(manifest.entries)) {
    write(connection, `identity/${key}`, value);
  }
  if (manifest.probe) write(connection, "probe", Buffer.from(manifest.probe).toString("hex"));
}

/** Store the state, over the one before. */
export function writeState(connection: Connection, state: State): void {
  const digests = {
    corpus_digest: digestText(state.corpus_digest),
    index_digest: digestText(state.index_digest),
  };
  write(connection, "state", JSON.stringify({ ...state, ...digests }));
}

/**
 * Read the state.
 *
 * @throws IndexCorruptError it is lost or damaged.
 */
export function readState(connection: Connection, path: string): State {
  const row = connection
    .prepare<[], Entry>("SELECT key, value, checksum FROM manifest WHERE key = 'state'")
    .raw()
    .get();
  if (!row || !rowIsIntact(row[2], row[0], row[1])) throw damaged(path, "its state is lost");
  return StoredState.parse(JSON.parse(row[1]));
}

/**
 * Read the identity.
 *
 * @throws IndexCorruptError an entry is damaged.
 */
export function readIdentity(connection: Connection, path: string): Manifest {
  const entries: Record<string, string> = {};
  let probe: Uint8Array | null = null;
  const rows = connection
    .prepare<[], Entry>("SELECT key, value, checksum FROM manifest WHERE key <> 'state'")
    .raw()
    .all();
  for (const [key, value, checksum] of rows) {
    if (!rowIsIntact(checksum, key, value)) {
      throw damaged(path, `its manifest entry ${quoted(key)} does not match its checksum`);
    }
    if (key === "probe") probe = Buffer.from(value, "hex");
    else entries[key.replace(/^identity\//, "")] = value;
  }
  return { entries, probe };
}

/**
 * Refuse an index that was built with other settings.
 *
 * @throws IndexMismatchError names each key that differs, with both values.
 */
export function requireIdentity(stored: Manifest, configured: Manifest): void {
  const keys = new Set([...Object.keys(stored.entries), ...Object.keys(configured.entries)]);
  const differences = [...keys]
    .sort(compareCodePoints)
    .filter((key) => stored.entries[key] !== configured.entries[key])
    .map(
      (key) =>
        `${key}: the index has ${stored.entries[key] ?? "nothing"}, ` +
        `the settings say ${configured.entries[key] ?? "nothing"}`,
    );
  if (differences.length === 0 && stored.probe && configured.probe) {
    const near = cosine(stored.probe, configured.probe);
    if (!(near >= LEAST_PROBE_COSINE)) {
      differences.push(
        "probe: the embedder gives another vector for the same text than when the index was " +
          `built (cosine ${near.toFixed(4)}, at least ${LEAST_PROBE_COSINE} expected)`,
      );
    }
  }
  if (differences.length > 0)
    throw new IndexMismatchError(differences.join("; "), { fix: REBUILD });
}

/** A digest as 64 hexadecimal digits. */
export function digestText(digest: bigint): string {
  return reduced(digest).toString(16).padStart(64, "0");
}

function write(connection: Connection, key: string, value: string): void {
  connection
    .prepare("INSERT OR REPLACE INTO manifest(key, value, checksum) VALUES (?, ?, ?)")
    .run(key, value, rowChecksum(key, value));
}

function cosine(left: Uint8Array, right: Uint8Array): number {
  if (left.byteLength !== right.byteLength) return 0;
  const [a, b] = [left, right].map((bytes) => new Float32Array(Uint8Array.from(bytes).buffer));
  let [dot, aa, bb] = [0, 0, 0];
  a?.forEach((value, index) => {
    const other = b?.[index] ?? 0;
    dot += value * other;
    aa += value * value;
    bb += other * other;
  });
  return dot / (Math.sqrt(aa) * Math.sqrt(bb) || 1);
}
