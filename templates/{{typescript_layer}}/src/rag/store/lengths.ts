/**
 * Which chunk numbers are in use, and how many terms each chunk has.
 *
 * One blob holds a block of `postings.BLOCK` numbers as uint32: 0 for a free number, else the
 * chunk's length plus 1. The lowest free number is used first, so that deletions leave no holes
 * that stay.
 */

import { blobChecksum, blobIsIntact } from "./checksums.ts";
import { damaged } from "./faults.ts";
import { BLOCK } from "./postings.ts";
import type { Connection } from "./schema.ts";

/**
 * One block, of length `BLOCK`.
 *
 * @throws IndexCorruptError the blob is not what was written.
 */
export function decode(block: number, blob: unknown, checksum: unknown, path: string): Uint32Array {
  if (!blobIsIntact(checksum, blob, `lengths ${block}`) || blob.byteLength !== 4 * BLOCK) {
    throw damaged(path, `lengths of block ${block} do not match their checksum`);
  }
  return new Uint32Array(Uint8Array.from(blob).buffer);
}

/** All blocks, by number; errors as `decode`. */
export function readBlocks(connection: Connection, path: string): Map<number, Uint32Array> {
  const rows = connection
    .prepare<[], [number, unknown, unknown]>("SELECT block, lengths, checksum FROM lengths")
    .raw()
    .all();
  return new Map(rows.map(([block, blob, sum]) => [block, decode(block, blob, sum, path)]));
}

/**
 * All blocks in one, up to the last number in use.
 *
 * @throws IndexCorruptError they do not add up to `chunks` numbers in use and `tokens` terms.
 */
export function readLengths(
  connection: Connection,
  path: string,
  total: { readonly chunks: number; readonly tokens: number },
): Uint32Array {
  const stored = readBlocks(connection, path);
  const lengths = new Uint32Array((Math.max(-1, ...stored.keys()) + 1) * BLOCK);
  for (const [block, values] of stored) lengths.set(values, block * BLOCK);
  let [live, sum, last] = [0, 0, -1];
  lengths.forEach((length, number) => {
    if (length === 0) return;
    live += 1;
    sum += length;
    last = number;
  });
  if (live !== total.chunks || sum - live !== total.tokens) {
    throw damaged(path, "its chunks are not as many, or not as long, as were written");
  }
  return lengths.subarray(0, last + 1);
}

/** Hands out chunk numbers inside a write transaction. */
export type Numbers = {
  /** A free number, now in use for a chunk of `length` terms. */
  take(length: number): number;
  /** Length of the chunk at `number`. */
  length(number: number): number;
  /** Set the length of the chunk at `number`. */
  resize(number: number, length: number): void;
  /** Make `number` free. */
  release(number: number): void;
  /** Whether the block of `number` has no free number left. */
  isFull(number: number): boolean;
  /** Blocks that have numbers in use. */
  liveBlocks(): number[];
  /** Write what changed; a block with nothing in use is dropped. */
  save(): void;
};

export function openNumbers(connection: Connection, path: string): Numbers {
  const blocks = readBlocks(connection, path);
  const live = new Map([...blocks].map(([block, taken]) => [block, taken.filter(Boolean).length]));
  const changed = new Set<number>();
  let current = -1;
  let lowest = 0;

  function writable(block: number): Uint32Array {
    changed.add(block);
    let values = blocks.get(block);
    if (!values) {
      values = new Uint32Array(BLOCK);
      blocks.set(block, values);
    }
    return values;
  }

  function resize(number: number, length: number): void {
    writable(Math.floor(number / BLOCK))[number % BLOCK] = length + 1;
  }

  function count(block: number, change: number): void {
    live.set(block, (live.get(block) ?? 0) + change);
  }

  function findRoom(): void {
    if (current >= 0 && live.get(current) !== BLOCK) return;
    current = 0;
    while (live.get(current) === BLOCK) current += 1;
    lowest = 0;
  }

  return {
    take(length) {
      findRoom();
      const taken = writable(current);
      while (taken[lowest] !== 0) lowest += 1;
      const number = current * BLOCK + lowest;
      count(current, 1);
      resize(number, length);
      return number;
    },
    length: (number) => (blocks.get(Math.floor(number / BLOCK))?.[number % BLOCK] ?? 0) - 1,
    resize,
    release(number) {
      const block = Math.floor(number / BLOCK);
      writable(block)[number % BLOCK] = 0;
      count(block, -1);
      if (block === current) lowest = Math.min(lowest, number % BLOCK);
    },
    isFull: (number) => live.get(Math.floor(number / BLOCK)) === BLOCK,
    liveBlocks: () => [...live].filter(([, taken]) => taken > 0).map(([block]) => block),
    save() {
      const drop = connection.prepare("DELETE FROM lengths WHERE block = ?");
      const put = connection.prepare("INSERT OR REPLACE INTO lengths VALUES (?, ?, ?)");
      for (const block of changed) {
        const blob = Buffer.from((blocks.get(block) ?? new Uint32Array(BLOCK)).buffer);
        if (live.get(block)) put.run(block, blob, blobChecksum(blob, `lengths ${block}`));
        else drop.run(block);
      }
    },
  };
}
