/** Counts terms, lengths, postings and vectors anew, one block of chunks after another. */

import { setImmediate } from "node:timers/promises";
import { representation } from "../contracts.ts";
import { quoted } from "../quoted.ts";
import { blobIsIntact, element, reduced, rowIsIntact } from "./checksums.ts";
import { decodedBlocks } from "./dense.ts";
import { postingPlace } from "./inverted.ts";
import { buildOccurrences, type Occurrences } from "./occurrences.ts";
import { BLOCK } from "./postings.ts";
import { CHUNK_QUERY, type ChunkRow, chunkContent, chunkFromRow } from "./rows.ts";
import type { StoredBlock } from "./vector-blocks.ts";
import { BLOCK as VECTORS } from "./vectors.ts";
import type { View } from "./view.ts";
import { type Analyze, vectorElement } from "./writer.ts";

const CHUNKS_PER_TURN = 64;

/** Called with the chunks recounted and all there are. */
export type Progress = (done: number, total: number) => void;

/** Findings, by rising block. */
export async function* recounted(
  view: View,
  analyze: Analyze,
  progress: Progress,
): AsyncGenerator<string> {
  const { dimensions } = view.state;
  const slots = view.slots();
  const chunksOf = view.connection
    .prepare<[number, number], ChunkRow>(
      `${CHUNK_QUERY} WHERE chunk.number BETWEEN ? AND ? ORDER BY chunk.number`,
    )
    .raw();
  let [digest, rows, done] = [0n, 0, 0];
  for (let block = 0; block * BLOCK < slots.length; block += 1) {
    const first = block * BLOCK;
    const occurrences = buildOccurrences();
    const vectors = vectorsOf(view, block);
    const live = new Uint8Array(BLOCK);
    for (const row of chunksOf.iterate(first, first + BLOCK - 1)) {
      const at = row[0] - first;
      const chunk = chunkFromRow(row, view.path);
      const terms = analyze(representation(chunk));
      occurrences.append(row[0], terms);
      live[at] = 1;
      const vector = vectors.subarray(at * dimensions, (at + 1) * dimensions);
      digest += element(chunkContent(chunk)) + vectorElement(chunk, vector);
      if (slots[row[0]] !== terms.length + 1) {
        yield `chunk ${quoted(chunk.id)}: its length is not the number of its terms`;
      }
      done += 1;
      progress(done, view.state.chunks);
      // Signals are taken between turns of the event loop.
      if (done % CHUNKS_PER_TURN === 0) await setImmediate();
    }
    if (!pairs(live, vectors, dimensions)) yield `block ${block}: chunks and vectors do not pair`;
    rows += yield* postingsOf(view, block, occurrences);
  }
  yield* totals(view, { chunks: done, rows, digest });
}

function* totals(
  view: View,
  found: {
    readonly chunks: number;
    readonly rows: number;
    readonly digest: bigint;
  },
): Generator<string> {
  const { chunks, index_digest } = view.state;
  if (found.chunks !== chunks || countOf(view, "chunk") !== found.chunks) {
    yield `there are ${found.chunks} chunks, and the index was left with ${chunks}`;
  }
  if (countOf(view, "posting") !== found.rows) {
    yield "there are postings of terms that no chunk holds";
  }
  if (reduced(found.digest) !== index_digest) {
    yield "chunks and vectors do not have the index digest";
  }
  const ids = view.connection
    .prepare<[], [number, string, number]>("SELECT number, id, id_checksum FROM chunk")
    .raw();
  for (const [number, id, checksum] of ids.iterate()) {
    if (!rowIsIntact(checksum, number, id)) {
      yield `chunk ${quoted(id)}: its id does not match its checksum`;
    }
  }
}

/** Vectors of a block of postings, row after row; zeros where there are none. */
function vectorsOf(view: View, block: number): Float32Array {
  const { dimensions } = view.state;
  const vectors = new Float32Array(BLOCK * dimensions);
  const first = (block * BLOCK) / VECTORS;
  const stored = view.connection
    .prepare<[number, number], StoredBlock>(
      "SELECT block, run, vectors, checksum FROM vectors WHERE block BETWEEN ? AND ?",
    )
    .raw()
    .iterate(first, first + BLOCK / VECTORS - 1);
  for (const [place, values] of decodedBlocks(view, stored)) {
    vectors.set(values, (place - first) * VECTORS * dimensions);
  }
  return vectors;
}

/** Whether there are vectors where there are chunks, and nowhere else. */
function pairs(live: Uint8Array, vectors: Float32Array, dimensions: number): boolean {
  return live.every((is, at) => {
    const row = vectors.subarray(at * dimensions, (at + 1) * dimensions);
    return row.some((value) => value !== 0) === (is === 1);
  });
}

/** Compare a block's postings; returns how many rows it should have. */
function* postingsOf(
  view: View,
  block: number,
  occurrences: Occurrences,
): Generator<string, number> {
  const select = view.connection
    .prepare<[string, number], [unknown, number]>(
      "SELECT postings, checksum FROM posting WHERE term = ? AND block = ?",
    )
    .raw();
  let rows = 0;
  for (const { term, postings } of occurrences.grouped()) {
    const stored = select.get(term, block);
    const place = `term ${quoted(term)}: its postings in block ${block}`;
    if (!stored) yield `${place} are missing`;
    else if (!blobIsIntact(stored[1], stored[0], postingPlace(term, block))) {
      yield `${place} do not match their checksum`;
    } else if (!stored[0].equals(postings)) yield `${place} are not what its chunks hold`;
    rows += 1;
  }
  return rows;
}

function countOf(view: View, table: "chunk" | "posting"): number {
  return view.connection.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0;
}
