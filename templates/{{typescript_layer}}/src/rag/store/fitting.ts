/** Checks on what a run puts into the index. */

import { stringIndices } from "../code-points.ts";
import type { Chunk, Document, Matrix } from "../contracts.ts";
import { StoreError } from "../errors.ts";
import { quoted } from "../quoted.ts";
import { isText } from "./checksums.ts";

/** Keeps every inner product finite. */
const LONGEST_SQUARE = 1e18;

/**
 * Refuse chunks and vectors that do not belong to the document, or to each other.
 *
 * `dimensions` is the size of the vectors in the index; 0 while it has none.
 *
 * @throws StoreError names the document, and the chunk or row at fault.
 */
export function requireFitting(
  document: Document,
  chunks: readonly Chunk[],
  vectors: Matrix,
  dimensions: number,
): void {
  const place = `document ${quoted(document.id)}`;
  if (![document.id, document.source, document.title, document.text].every(isText)) {
    throw new StoreError(`${place}: it holds a lone surrogate, which no file can`);
  }
  for (const chunk of chunks) {
    if (chunk.documentId !== document.id) {
      throw new StoreError(`${place}: chunk ${quoted(chunk.id)} is of ${quoted(chunk.documentId)}`);
    }
  }
  const strange = strangeChunk(document.text, chunks);
  if (strange)
    throw new StoreError(`${place}: chunk ${quoted(strange.id)} is not the text at its span`);
  if (new Set(chunks.map((chunk) => chunk.id)).size !== chunks.length) {
    throw new StoreError(`${place}: two chunks have one id`);
  }
  if (vectors.rows !== chunks.length) {
    throw new StoreError(`${place}: ${vectors.rows} vectors for ${chunks.length} chunks`);
  }
  if (chunks.length > 0) requireVectors(place, vectors, dimensions);
}

/** The first chunk that is not the text at its span; offsets are converted all at once. */
function strangeChunk(text: string, chunks: readonly Chunk[]): Chunk | undefined {
  const offsets = chunks.flatMap((chunk) => [chunk.start, chunk.end]).sort((a, b) => a - b);
  const indices = stringIndices(text, offsets);
  const indexOf = new Map(offsets.map((offset, at) => [offset, indices[at]]));
  return chunks.find(
    (chunk) => text.slice(indexOf.get(chunk.start), indexOf.get(chunk.end)) !== chunk.text,
  );
}

function requireVectors(place: string, vectors: Matrix, dimensions: number): void {
  const { rows, values } = vectors;
  const size = vectors.dimensions;
  if (size < 1 || values.length !== rows * size || (dimensions && size !== dimensions)) {
    const expected = dimensions ? `${dimensions} dimensions` : "one row per chunk";
    throw new StoreError(`${place}: vectors have shape (${rows}, ${size}), expected ${expected}`);
  }
  for (let row = 0; row < rows; row += 1) {
    let square = 0;
    for (let at = row * size; at < (row + 1) * size; at += 1) {
      const value = values[at] ?? 0;
      square += value * value;
    }
    // A NaN fails the comparison too.
    if (!(square > 0 && square < LONGEST_SQUARE)) {
      throw new StoreError(`${place}: vector ${row} is zero, not finite or too long`);
    }
  }
}
