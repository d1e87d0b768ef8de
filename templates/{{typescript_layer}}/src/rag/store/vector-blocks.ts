/**
 * The writing side of the dense index: vectors of `vectors.BLOCK` chunks in one blob.
 *
 * A blob carries the run that wrote it last, so that a reader which keeps the matrix fetches what
 * changed since its own run, and nothing grows with the number of runs.
 */

import type { Vector } from "../contracts.ts";
import { blobChecksum, blobIsIntact } from "./checksums.ts";
import { damaged } from "./faults.ts";
import type { Connection } from "./schema.ts";
import { BLOCK } from "./vectors.ts";

const MOST_PENDING = 64;

export type StoredBlock = [block: number, run: number, vectors: unknown, checksum: unknown];

/**
 * The vectors of one block, row after row, of length `BLOCK * dimensions`.
 *
 * @throws IndexCorruptError the blob is not what was written.
 */
export function decode(
  [block, run, blob, checksum]: StoredBlock,
  dimensions: number,
  path: string,
): Float32Array {
  if (
    !blobIsIntact(checksum, blob, place(block, run)) ||
    blob.byteLength !== 4 * BLOCK * dimensions
  ) {
    throw damaged(path, `vectors of block ${block} do not match their checksum`);
  }
  const aligned = blob.byteOffset % 4 === 0 ? blob : Uint8Array.from(blob);
  return new Float32Array(aligned.buffer, aligned.byteOffset, BLOCK * dimensions);
}

/** Sets and clears vectors by chunk number, inside a write transaction. */
export type VectorBlocks = {
  /** Size of the vectors, once there are some. */
  setDimensions(dimensions: number): void;
  /** A copy of the vector at `number`. */
  get(number: number): Vector;
  set(number: number, vector: Vector): void;
  /** Leave no vector at `number`: zeros. */
  clear(number: number): void;
  /** Write what is pending; a block without vectors is dropped. */
  save(): void;
};

export function openVectorBlocks(
  connection: Connection,
  path: string,
  initial: { readonly dimensions: number; readonly run: number },
): VectorBlocks {
  const { run } = initial;
  const select = connection
    .prepare<[number], StoredBlock>(
      "SELECT block, run, vectors, checksum FROM vectors WHERE block = ?",
    )
    .raw();
  const drop = connection.prepare("DELETE FROM vectors WHERE block = ?");
  const put = connection.prepare("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?, ?)");
  const pending = new Map<number, Float32Array>();
  let dimensions = initial.dimensions;

  function save(): void {
    for (const [block, vectors] of pending) {
      if (vectors.some(Boolean)) {
        const blob = Buffer.from(vectors.buffer);
        put.run(block, run, blob, blobChecksum(blob, place(block, run)));
      } else drop.run(block);
    }
    pending.clear();
  }

  function loaded(block: number): Float32Array {
    let vectors = pending.get(block);
    if (vectors) return vectors;
    if (pending.size >= MOST_PENDING) save();
    const row = select.get(block);
    vectors = new Float32Array(BLOCK * dimensions);
    if (row) vectors.set(decode(row, dimensions, path));
    pending.set(block, vectors);
    return vectors;
  }

  function rowOf(number: number): Float32Array {
    const at = (number % BLOCK) * dimensions;
    return loaded(Math.floor(number / BLOCK)).subarray(at, at + dimensions);
  }

  return {
    setDimensions: (size) => {
      dimensions = size;
    },
    get: (number) => rowOf(number).slice(),
    set: (number, vector) => rowOf(number).set(vector),
    clear: (number) => void rowOf(number).fill(0),
    save,
  };
}

function place(block: number, run: number): string {
  return `vectors ${block} ${run}`;
}
