import { describe, expect, test } from "vitest";
import type { ChunkId } from "../../../src/rag/contracts.ts";
import { StoreError } from "../../../src/rag/errors.ts";
import { buildScannedMatrix } from "../../../src/rag/store/matrix.ts";
import { openWriter } from "../../../src/rag/store/transaction.ts";
import { candidates, innerProduct, scanError } from "../../../src/rag/store/vectors.ts";
import {
  analyze,
  buildReference,
  DIMENSIONS,
  draws,
  MANIFEST,
  make,
  newIndex,
  opened,
  vectorsOf,
  write,
} from "./building.ts";

/** Every third text is the same: their vectors tie. */
const CORPUS = Object.fromEntries(
  Array.from({ length: 50 }, (_, i) => [
    `${"ab"[i % 2]}/${i}.md`,
    Array.from({ length: 6 }, (_, j) => ((i + j) % 3 ? `text ${i} ${j}` : "same")),
  ]),
);
const REFERENCE = buildReference(CORPUS);

async function indexed(): Promise<string> {
  const path = newIndex();
  await write(path, CORPUS);
  return path;
}

const query = (seed: number) => draws(seed + 100, DIMENSIONS);

test("results are those of brute force, to the bit", async () => {
  const store = opened(await indexed());
  for (const prefix of ["", "a/", "b/1", "none"]) {
    for (const depth of [1, 7, 120, 1000]) {
      const expected = REFERENCE.dense(query(depth), prefix).slice(0, depth);
      expect(store.searchDense(query(depth), depth, { prefix })).toEqual(expected);
    }
  }
});

test("the first search, which streams, and the second, of the matrix, answer alike", async () => {
  const store = opened(await indexed());
  expect(store.searchDense(query(1), 100)).toEqual(store.searchDense(query(1), 100));
});

test("scores that float32 cannot tell apart are ranked exactly", async () => {
  const numbers = [...draws(5, 64)];
  const { document, chunks } = make(
    "a.md",
    Array.from({ length: 300 }, (_, at) => `text ${at}`),
  );
  const rows = chunks.map((_, seed) => {
    const keys = draws(seed + 9, 64);
    return [...numbers.keys()]
      .sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0))
      .map((at) => numbers[at] ?? 0);
  });
  const path = newIndex();
  const vectors = { rows: 300, dimensions: 64, values: Float32Array.from(rows.flat()) };
  await openWriter(path, MANIFEST, { analyze }, (writer) =>
    writer.put(document, chunks, vectors, "s"),
  );
  const expected = rows
    .map((row, at) => ({
      chunkId: chunks[at]?.id ?? "",
      score: Float32Array.from(row).reduce((sum, value) => sum + value, 0),
    }))
    .sort((a, b) => b.score - a.score || (a.chunkId < b.chunkId ? -1 : 1));
  const store = opened(path);
  for (const _ of [1, 2]) {
    expect(store.searchDense(new Float32Array(64).fill(1), 5)).toEqual(expected.slice(0, 5));
  }
});

test("ties at the cutoff go by chunk id", async () => {
  const store = opened(await indexed());
  const same = REFERENCE.chunks.filter(({ text }) => text === "same");
  const tied = same.map(({ id }) => id).sort();
  const vector = vectorsOf(same).values.slice(0, DIMENSIONS);
  for (const _ of [1, 2]) {
    expect(store.searchDense(vector, 10).map(({ chunkId }) => chunkId)).toEqual(tied.slice(0, 10));
  }
});

test("a reader follows edits and deletions", async () => {
  const path = await indexed();
  const now: Record<string, readonly string[]> = { ...CORPUS };
  const store = opened(path);
  for (let step = 0; step < 6; step += 1) {
    const edits = {
      [`a/${2 * step}.md`]: [`new ${step}`],
      [`c/${step}.md`]: Array.from({ length: 40 }, () => ["more", `${step}`]).flat(),
    };
    const gone = `b/${2 * step + 1}.md`;
    await write(path, edits, { removed: [gone] });
    Object.assign(now, edits);
    delete now[gone];
    const expected = buildReference(now).dense(query(step)).slice(0, 50);
    expect(store.searchDense(query(step), 50)).toEqual(expected);
  }
});

test("similarities come in the order asked", async () => {
  const store = opened(await indexed());
  const hits = store.searchDense(query(3), 30).toReversed();
  const ids = hits.map(({ chunkId }) => chunkId);
  expect(store.similarities(ids, query(3))).toEqual(hits.map(({ score }) => score));
  expect(() => store.similarities(["unknown" as ChunkId], query(3))).toThrow("no chunk 'unknown'");
});

test("neighbours leave the chunk itself out", async () => {
  const [, chunk] = REFERENCE.chunks;
  const near = opened(await indexed()).neighbours(chunk?.id as ChunkId, 5);
  expect(near.length).toBe(5);
  expect(near.map(({ chunkId }) => chunkId)).not.toContain(chunk?.id);
});

test.each([
  ["of another size", new Float32Array(DIMENSIONS + 1)],
  ["with NaN", new Float32Array(DIMENSIONS).fill(Number.NaN)],
  ["with infinity", new Float32Array(DIMENSIONS).fill(Infinity)],
])("a query vector %s is refused", async (_, vector) => {
  const store = opened(await indexed());
  expect(() => store.searchDense(vector, 5)).toThrow(StoreError);
  expect(() => store.searchDense(vector, 5)).toThrow("query vector");
});

describe("the scan", () => {
  test.each([1, 8, 16, 24, 384])("is within its bound at %d dimensions", (dimensions) => {
    const rows = 5000;
    const values = draws(3, rows * dimensions);
    const vector = draws(4, dimensions);
    const matrix = buildScannedMatrix(dimensions);
    matrix.reserve(64);
    matrix.set(0, values.subarray(0, 64 * dimensions));
    matrix.reserve(rows);
    matrix.set(64, values.subarray(64 * dimensions));
    const scores = new Float32Array(rows);
    matrix.scan(vector, scores);
    let [most, longest] = [0, 0];
    scores.forEach((score, at) => {
      const row = values.subarray(at * dimensions, (at + 1) * dimensions);
      if (at % 999 === 0) expect(matrix.row(at)).toEqual(row);
      most = Math.max(most, Math.abs(score - innerProduct(row, vector)));
      longest = Math.max(longest, Math.sqrt(innerProduct(row, row)));
    });
    expect(most).toBeLessThan(scanError(longest, vector));
    expect(most).toBeGreaterThan(0);
  });

  test.each([1, 5, 64, 300])("keeps every score that may be among the top %d", (depth) => {
    const scores = draws(depth, 1000).map((value) => Math.round(value * 30) / 10);
    for (let at = 0; at < scores.length; at += 7) scores[at] = -Infinity;
    const kth = scores.slice().sort()[scores.length - depth] ?? 0;
    const within = (margin: number) =>
      [...scores.keys()].filter((at) => (scores[at] ?? 0) >= kth - margin);
    expect(candidates(scores, depth)).toEqual(within(0));
    const wide = candidates(scores, depth, { error: 0.11 });
    expect(wide).toEqual(expect.arrayContaining(within(0.2)));
  });
});
