/** The reading side of the dense index: a scan for the first query, a matrix for all others. */

import type { Filter, Hit, Vector } from "../contracts.ts";
import { StoreError } from "../errors.ts";
import { damaged } from "./faults.ts";
import { buildScannedMatrix, fitsMemory, type ScannedMatrix } from "./matrix.ts";
import type { Connection } from "./schema.ts";
import { decode, type StoredBlock } from "./vector-blocks.ts";
import { BLOCK, candidates, innerProduct, scanError } from "./vectors.ts";
import type { View } from "./view.ts";

const SELECT = "SELECT block, run, vectors, checksum FROM vectors";

/**
 * Exact search by inner product.
 *
 * The first search of a process streams the vectors and keeps none, so that a one-shot search
 * needs little memory. The second loads the matrix; from then on, only blocks that a later run
 * wrote are read again.
 */
export type DenseIndex = {
  /** The `depth` best chunks that `where` allows. */
  search(view: View, vector: Vector, depth: number, where: Filter | undefined): Hit[];
  /** Vectors of chunk numbers, in their order; valid until the next search. */
  rows(view: View, numbers: readonly number[]): Vector[];
};

type Scanned = { readonly scores: Float32Array; readonly longest: number };

type Kept = {
  readonly connection: Connection;
  readonly dimensions: number;
  readonly matrix: ScannedMatrix;
  /** Overwritten by each search. */
  readonly scores: Float32Array;
  /** By block: the longest vector; absent while the block was never read. */
  readonly longest: Map<number, number>;
  run: number;
};

export function buildDenseIndex(): DenseIndex {
  let searches = 0;
  let kept: Kept | undefined;

  function isCurrent(view: View): boolean {
    return kept?.connection === view.connection && kept.run === view.state.run;
  }

  function refresh(view: View): void {
    const { dimensions, run } = view.state;
    if (isCurrent(view)) return;
    if (kept?.connection !== view.connection || kept.dimensions !== dimensions) kept = undefined;
    if (!fitsMemory(view.slots().length, dimensions)) return;
    const matrix = kept?.matrix ?? buildScannedMatrix(dimensions);
    const longest = kept?.longest ?? new Map<number, number>();
    const since = kept?.run ?? 0;
    kept = undefined;
    matrix.reserve(Math.ceil(view.slots().length / BLOCK) * BLOCK);
    const changed = view.connection
      .prepare<[number], StoredBlock>(`${SELECT} WHERE run > ?`)
      .raw()
      .iterate(since);
    for (const [block, vectors] of decodedBlocks(view, changed)) {
      matrix.set(block * BLOCK, vectors);
      longest.set(block, longestOf(vectors, dimensions));
    }
    requireAll(view, longest);
    const scores = new Float32Array(view.slots().length);
    kept = { connection: view.connection, dimensions, matrix, scores, longest, run };
  }

  function scan(view: View, vector: Vector): Scanned {
    if (kept === undefined || !isCurrent(view)) return streamed(view, vector);
    kept.matrix.scan(vector, kept.scores);
    return { scores: kept.scores, longest: most(kept.longest.values()) };
  }

  function rows(view: View, numbers: readonly number[]): Vector[] {
    const { matrix } = kept ?? {};
    if (matrix && isCurrent(view)) return numbers.map(matrix.row);
    return storedRows(view, numbers);
  }

  return {
    rows,
    search(view, query, depth, where) {
      const vector = comparable(view, query);
      if (view.state.chunks === 0) return [];
      searches += 1;
      if (searches > 1) refresh(view);
      const { scores, longest } = scan(view, vector);
      view.refused(where)?.forEach((refused, number) => {
        if (refused) scores[number] = -Infinity;
      });
      const numbers = candidates(scores, depth, {
        error: scanError(longest, vector),
      });
      const exact = Float64Array.from(rows(view, numbers), (row) => innerProduct(row, vector));
      return view.ranking(numbers, exact, depth);
    },
  };
}

/**
 * The vector, if it can be compared with the stored ones.
 *
 * @throws StoreError it has another size, or holds NaN or infinity.
 */
export function comparable(view: View, vector: Vector): Vector {
  if (view.state.chunks > 0 && vector.length !== view.state.dimensions) {
    throw new StoreError(
      `the query vector has shape (${vector.length},), ` +
        `the index has vectors of ${view.state.dimensions} dimensions`,
    );
  }
  if (!vector.every(Number.isFinite))
    throw new StoreError("the query vector holds NaN or infinity");
  return vector;
}

/** Blocks of vectors; one that starts behind the last chunk is damage. */
export function* decodedBlocks(
  view: View,
  rows: Iterable<StoredBlock>,
): Generator<[block: number, vectors: Float32Array]> {
  for (const row of rows) {
    const [block] = row;
    const vectors = decode(row, view.state.dimensions, view.path);
    if (block < 0 || block * BLOCK >= view.slots().length) {
      throw damaged(view.path, `vectors of block ${block} belong to no chunk`);
    }
    yield [block, vectors];
  }
}

/** A scan that reads the file and keeps one block at a time. */
function streamed(view: View, vector: Vector): Scanned {
  const { dimensions } = view.state;
  const count = view.slots().length;
  const matrix = buildScannedMatrix(dimensions);
  matrix.reserve(BLOCK);
  const scores = new Float32Array(Math.ceil(count / BLOCK) * BLOCK).fill(-Infinity);
  const longest = new Map<number, number>();
  const stored = view.connection.prepare<[], StoredBlock>(SELECT).raw().iterate();
  for (const [block, vectors] of decodedBlocks(view, stored)) {
    matrix.set(0, vectors);
    matrix.scan(vector, scores.subarray(block * BLOCK, (block + 1) * BLOCK));
    longest.set(block, longestOf(vectors, dimensions));
  }
  requireAll(view, longest);
  return {
    scores: scores.subarray(0, count),
    longest: most(longest.values()),
  };
}

function storedRows(view: View, numbers: readonly number[]): Vector[] {
  const { dimensions } = view.state;
  const wanted = [...new Set(numbers.map((number) => Math.floor(number / BLOCK)))];
  const found = new Map(
    decodedBlocks(view, view.where<StoredBlock>(`${SELECT} WHERE block`, wanted.sort(byValue))),
  );
  return numbers.map((number) => {
    const vectors = found.get(Math.floor(number / BLOCK));
    if (!vectors) throw damaged(view.path, "a chunk has no vector");
    const at = (number % BLOCK) * dimensions;
    return vectors.subarray(at, at + dimensions);
  });
}

function byValue(left: number, right: number): number {
  return left - right;
}

function most(lengths: Iterable<number>): number {
  let longest = 0;
  for (const length of lengths) if (length > longest) longest = length;
  return longest;
}

/** Length of the longest of several vectors, given one after another. */
function longestOf(vectors: Float32Array, dimensions: number): number {
  let longest = 0;
  for (let at = 0; at < vectors.length; at += dimensions) {
    let square = 0;
    for (let part = at; part < at + dimensions; part += 1) {
      const value = vectors[part] ?? 0;
      square += value * value;
    }
    if (square > longest) longest = square;
  }
  return Math.sqrt(longest);
}

/** Every chunk in use has its block of vectors. */
function requireAll(view: View, present: ReadonlyMap<number, unknown>): void {
  const slots = view.slots();
  for (let block = 0; block * BLOCK < slots.length; block += 1) {
    if (present.has(block)) continue;
    if (slots.subarray(block * BLOCK, (block + 1) * BLOCK).some(Boolean)) {
      throw damaged(view.path, "a chunk has no vector");
    }
  }
}
