/** Damage to what a search reads is an error of the search; all other damage `verify` finds. */

import { readFileSync, writeFileSync } from "node:fs";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import type { ChunkId, DocumentId } from "../../../src/rag/contracts.ts";
import { IndexCorruptError } from "../../../src/rag/errors.ts";
import { blobChecksum, rowChecksum } from "../../../src/rag/store/checksums.ts";
import { openStore, type SqliteStore } from "../../../src/rag/store/reader.ts";
import { verifyIndex } from "../../../src/rag/store/verify.ts";
import {
  analyze,
  DIMENSIONS,
  MANIFEST,
  make,
  newIndex,
  opened,
  tamper,
  write,
} from "./building.ts";

const CORPUS = Object.fromEntries(
  Array.from({ length: 40 }, (_, i) => [`${i}.md`, [`pump number${i} valve`, `tank ${i % 3}`]]),
);

async function indexed(): Promise<string> {
  const path = newIndex();
  await write(path, CORPUS);
  return path;
}

const attempts = {
  keyword: (store: SqliteStore) => store.searchKeyword(["pump", "number7"], 5),
  dense: (store: SqliteStore) => store.searchDense(new Float32Array(DIMENSIONS).fill(1), 5),
  chunk: (store: SqliteStore) =>
    store.loadChunks([make("7.md", CORPUS["7.md"] ?? []).chunks[0]?.id as ChunkId]),
  document: (store: SqliteStore) => store.document("7.md" as DocumentId),
};

const flipped = (column: string, at: number) =>
  `CAST(substr(${column}, 1, ${at}) || X'7f' || substr(${column}, ${at} + 2) AS BLOB)`;

test.each<[keyof typeof attempts, string]>([
  ["keyword", `UPDATE posting SET postings = ${flipped("postings", 4)} WHERE term = 'pump'`],
  ["keyword", "UPDATE posting SET postings = X'000001' WHERE term = 'pump'"],
  ["keyword", "UPDATE posting SET checksum = 0 WHERE term = 'number7'"],
  ["keyword", "UPDATE posting SET block = 1 WHERE term = 'number7'"],
  ["keyword", "UPDATE posting SET term = 'number77' WHERE term = 'number7'"],
  ["keyword", "DELETE FROM posting WHERE term = 'number7'"],
  ["keyword", "DELETE FROM term WHERE text = 'number7'"],
  ["keyword", "UPDATE term SET frequency = 2 WHERE text = 'number7'"],
  [
    "keyword",
    "UPDATE posting SET (postings, checksum) = (SELECT postings, checksum FROM posting " +
      "WHERE term = 'number8') WHERE term = 'number7'",
  ],
  ["keyword", `UPDATE lengths SET lengths = ${flipped("lengths", 40)}`],
  ["keyword", "DELETE FROM lengths"],
  ["dense", `UPDATE vectors SET vectors = ${flipped("vectors", 100)}`],
  ["dense", "UPDATE vectors SET vectors = zeroblob(10)"],
  ["dense", "UPDATE vectors SET block = 5 WHERE block = 1"],
  ["dense", "UPDATE vectors SET run = 9"],
  ["dense", "DELETE FROM vectors WHERE block = 1"],
  ["dense", "UPDATE chunk SET id = 'other' || number"],
  ["keyword", "UPDATE chunk SET id = 'other' || number"],
  ["chunk", "UPDATE chunk SET text = 'tampered'"],
  ["chunk", "UPDATE chunk SET start_char = start_char + 1"],
  ["chunk", "UPDATE chunk SET heading_path = '[0]'"],
  ["document", "UPDATE document SET title = 'tampered'"],
  ["document", "UPDATE document SET gaps = '[]'"],
  ["keyword", "UPDATE manifest SET value = '{}' WHERE key = 'state'"],
  ["keyword", "DELETE FROM manifest WHERE key = 'state'"],
  ["keyword", "UPDATE manifest SET value = '2' WHERE key = 'identity/analysis'"],
  ["keyword", "DROP TABLE posting"],
])("a search (%s) refuses what was altered, and verify names it: %s", async (kind, statement) => {
  const index = await indexed();
  if (!statement.startsWith("DROP")) expect(tamper(index, statement)).toBeGreaterThan(0);
  else tamper(index, statement);
  for (const searches of [1, 2]) {
    const search = () => {
      const store = openStore(index, MANIFEST);
      try {
        for (let at = 0; at < searches; at += 1) attempts[kind](store);
      } finally {
        store.close();
      }
    };
    expect(search).toThrow(IndexCorruptError);
    expect(search).toThrow("Run `index --rebuild`.");
  }
  expect(await verifyIndex(index, { analyze })).not.toEqual([]);
  await write(index, CORPUS, { rebuild: true });
  expect(await verifyIndex(index, { analyze })).toEqual([]);
});

test.each([
  "UPDATE document SET id = 'other.md' WHERE id = '7.md'",
  "DELETE FROM document WHERE id = '7.md'",
  "DELETE FROM chunk WHERE ordinal = 1 AND number < 9",
  "UPDATE chunk SET document = 1",
  "INSERT INTO posting VALUES ('extra', 0, X'000001', 0)",
  "INSERT INTO term VALUES ('extra', 1)",
  "INSERT INTO vectors SELECT 9, run, vectors, checksum FROM vectors WHERE block = 0",
  "DELETE FROM manifest WHERE key = 'identity/analysis' OR key = 'identity/embedder'",
])("verify finds what no search needs to notice: %s", async (statement) => {
  const index = await indexed();
  expect(tamper(index, statement)).toBeGreaterThan(0);
  expect(await verifyIndex(index, { analyze })).not.toEqual([]);
});

/** A value of the index, to be forged. */
function stored<T>(index: string, query: string): T {
  const connection = new Database(index, { readonly: true });
  const value = connection.prepare<[], T>(query).pluck().get();
  connection.close();
  return value as T;
}

describe("what was forged together with its checksum", () => {
  test("postings that are wrong and intact", async () => {
    const index = await indexed();
    const where = "WHERE term = 'number7'";
    const blob = stored<Buffer>(index, `SELECT postings FROM posting ${where}`);
    blob[2] = 9;
    tamper(
      index,
      `UPDATE posting SET postings = ?, checksum = ? ${where}`,
      blob,
      blobChecksum(blob, "number7 0"),
    );
    expect((await verifyIndex(index, { analyze })).join()).toContain("not what its chunks hold");
  });

  test("a vector that belongs to no chunk", async () => {
    const index = await indexed();
    await write(index, {}, { removed: ["7.md"] });
    const blob = stored<Buffer>(index, "SELECT vectors FROM vectors WHERE block = 0");
    blob.write("free", 14 * 4 * DIMENSIONS);
    tamper(
      index,
      "UPDATE vectors SET vectors = ?, checksum = ? WHERE block = 0",
      blob,
      blobChecksum(blob, "vectors 0 2"),
    );
    expect((await verifyIndex(index, { analyze })).join()).toContain("do not pair");
  });

  test("a term that no chunk holds", async () => {
    const index = await indexed();
    const blob = Buffer.from([0, 0, 1]);
    tamper(index, "INSERT INTO term VALUES ('extra', 1)");
    const checksum = blobChecksum(blob, "extra 0");
    tamper(index, "INSERT INTO posting VALUES ('extra', 0, ?, ?)", blob, checksum);
    expect((await verifyIndex(index, { analyze })).join()).toContain("terms that no chunk holds");
  });

  test.each(["corpus_digest", "index_digest", "documents"])(
    "a state with another %s",
    async (key) => {
      const index = await indexed();
      const state = JSON.parse(
        stored<string>(index, "SELECT value FROM manifest WHERE key='state'"),
      );
      state[key] = key.endsWith("digest") ? "0".repeat(64) : state[key] + 1;
      const value = JSON.stringify(state);
      const checksum = rowChecksum("state", value);
      tamper(
        index,
        "UPDATE manifest SET value = ?, checksum = ? WHERE key = 'state'",
        value,
        checksum,
      );
      expect(await verifyIndex(index, { analyze })).not.toEqual([]);
    },
  );
});

test("verify finds an index of other terms", async () => {
  const index = await indexed();
  const other = (text: string) => analyze(text).slice(1);
  expect(await verifyIndex(index, { analyze: other })).not.toEqual([]);
});

test("a block that is lost between two searches is missed", async () => {
  const index = await indexed();
  const store = opened(index);
  attempts.dense(store);
  tamper(index, "DELETE FROM vectors WHERE block = 1");
  expect(() => attempts.dense(store)).toThrow("no vector");
});

test.each([0.01, 0.3, 0.6, 0.9])("a file cut to %d of its length is damage", async (kept) => {
  const index = await indexed();
  const content = readFileSync(index);
  writeFileSync(index, content.subarray(0, Math.floor(content.length * kept)));
  expect(() => {
    const store = openStore(index, MANIFEST);
    try {
      attempts.keyword(store);
    } finally {
      store.close();
    }
  }).toThrow(IndexCorruptError);
  expect(await verifyIndex(index, { analyze })).not.toEqual([]);
});

test("verify reports its progress", async () => {
  const reported: [number, number][] = [];
  await verifyIndex(await indexed(), {
    analyze,
    progress: (done, total) => reported.push([done, total]),
  });
  expect(reported.at(-1)).toEqual([80, 80]);
});
