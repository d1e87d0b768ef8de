/** Puts documents into both indexes and takes them out, inside one write transaction. */

import {
  type Chunk,
  type Document,
  type DocumentId,
  type Matrix,
  representation,
  type Vector,
} from "../contracts.ts";
import { StoreError } from "../errors.ts";
import { quoted } from "../quoted.ts";
import { element, reduced } from "./checksums.ts";
import { openWritableContents, type PlacedChunk } from "./contents.ts";
import { damaged, translated } from "./faults.ts";
import { requireFitting } from "./fitting.ts";
import { openInvertedIndex } from "./inverted.ts";
import { openNumbers } from "./lengths.ts";
import { type State, writeState } from "./manifest.ts";
import {
  chunkContent,
  chunkRow,
  type DocumentEntry,
  type DocumentFields,
  documentElement,
  documentFields,
  uncovered,
} from "./rows.ts";
import type { Connection } from "./schema.ts";
import { openVectorBlocks } from "./vector-blocks.ts";

export type Analyze = (text: string) => readonly string[];

/**
 * One run; made by `openWriter`, which commits it whole or not at all.
 *
 * A chunk that an earlier run indexed is kept, with its vector, when its id and its representation
 * are unchanged.
 */
export type IndexWriter = {
  /** Digest of the source of each document in the index. */
  documents(): Map<DocumentId, string>;
  /**
   * Index a document, over what the index holds under its id; one vector per chunk, in order.
   *
   * @throws StoreError chunks or vectors do not fit the document, each other or the index.
   */
  put(document: Document, chunks: readonly Chunk[], vectors: Matrix, sourceDigest: string): void;
  /** Take a document and its chunks out of both indexes. */
  remove(id: DocumentId): void;
};

/** A writer, and the end of its run: `finish` writes what is pending, `now` in epoch seconds. */
export type OpenRun = {
  readonly writer: IndexWriter;
  finish(now: number): void;
};

export function beginRun(
  connection: Connection,
  path: string,
  state: State,
  analyze: Analyze,
): OpenRun {
  const contents = openWritableContents(connection, path);
  const numbers = openNumbers(connection, path);
  const inverted = openInvertedIndex(connection, path, numbers);
  const blocks = openVectorBlocks(connection, path, {
    ...state,
    run: state.run + 1,
  });
  const tally = { put: 0, removed: 0, chunks_added: 0, chunks_removed: 0 };

  /** Take the terms of a chunk out, and its vector out of the digest. */
  function forget(number: number, chunk: Chunk): void {
    const terms = analyze(representation(chunk));
    if (terms.length !== numbers.length(number)) {
      throw damaged(path, `chunk ${quoted(chunk.id)} has other terms than when it was put`);
    }
    inverted.remove(number, terms);
    state.tokens -= terms.length;
    state.index_digest -= vectorElement(chunk, blocks.get(number));
  }

  function learn(number: number, chunk: Chunk, terms: readonly string[], vector: Vector): void {
    inverted.add(number, terms);
    blocks.set(number, vector);
    state.tokens += terms.length;
    state.index_digest += vectorElement(chunk, vector);
  }

  function add(document: number, chunk: Chunk, vector: Vector): void {
    const terms = analyze(representation(chunk));
    const number = numbers.take(terms.length);
    learn(number, chunk, terms, vector);
    const content = chunkContent(chunk);
    state.chunks += 1;
    state.index_digest += element(content);
    tally.chunks_added += 1;
    contents.insertChunk(chunkRow(number, document, chunk, content));
  }

  /** Put a chunk in another's place, or at another span. */
  function move(document: number, former: PlacedChunk, chunk: Chunk, vector: Vector): void {
    const { number } = former;
    const content = chunkContent(chunk);
    state.index_digest += element(content) - element(chunkContent(former.chunk));
    if (representation(chunk) !== representation(former.chunk)) {
      const terms = analyze(representation(chunk));
      forget(number, former.chunk);
      numbers.resize(number, terms.length);
      learn(number, chunk, terms, vector);
    }
    contents.updateChunk(chunkRow(number, document, chunk, content));
  }

  function drop({ number, chunk }: PlacedChunk): void {
    forget(number, chunk);
    blocks.clear(number);
    numbers.release(number);
    contents.deleteChunk(number);
    state.chunks -= 1;
    state.index_digest -= element(chunkContent(chunk));
    tally.chunks_removed += 1;
  }

  function putDocument(entry: DocumentEntry | undefined, fields: DocumentFields): number {
    state.corpus_digest += documentElement(fields[0], fields[1]);
    if (!entry) {
      state.documents += 1;
      return contents.insertDocument(fields);
    }
    state.corpus_digest -= documentElement(entry.id, entry.digest);
    contents.updateDocument(entry.number, fields);
    return entry.number;
  }

  function entryOf(id: DocumentId): DocumentEntry {
    const entry = contents.document(id);
    if (!entry) throw new StoreError(`there is no document ${quoted(id)} in the index`);
    return entry;
  }

  function put(
    document: Document,
    chunks: readonly Chunk[],
    vectors: Matrix,
    source: string,
  ): void {
    const entry = contents.document(document.id);
    const former = entry ? contents.chunks(entry.number) : new Map<string, PlacedChunk>();
    const fields = documentFields(document, source, uncovered(document.text, chunks));
    const number = putDocument(entry, fields);
    const kept = new Set<string>(chunks.map(({ id }) => id));
    for (const [id, placed] of former) if (!kept.has(id)) drop(placed);
    const { dimensions, values } = vectors;
    chunks.forEach((chunk, row) => {
      const vector = values.subarray(row * dimensions, (row + 1) * dimensions);
      const placed = former.get(chunk.id);
      if (!placed) add(number, chunk, vector);
      else if (!sameContent(placed.chunk, chunk)) move(number, placed, chunk, vector);
    });
    tally.put += 1;
  }

  const writer: IndexWriter = {
    documents: () => translated(path, contents.sourceDigests),
    put(document, chunks, vectors, sourceDigest) {
      requireFitting(document, chunks, vectors, state.dimensions);
      if (chunks.length > 0) {
        state.dimensions = vectors.dimensions;
        blocks.setDimensions(vectors.dimensions);
      }
      translated(path, () => put(document, chunks, vectors, sourceDigest));
    },
    remove: (id) =>
      translated(path, () => {
        const { number, digest } = entryOf(id);
        for (const placed of contents.chunks(number).values()) drop(placed);
        contents.deleteDocument(number);
        state.documents -= 1;
        state.corpus_digest -= documentElement(id, digest);
        tally.removed += 1;
      }),
  };

  return {
    writer,
    finish(now) {
      inverted.finish();
      numbers.save();
      blocks.save();
      if (tally.put + tally.removed === 0) return;
      state.run += 1;
      state.updated = now;
      state.last_run = tally;
      state.corpus_digest = reduced(state.corpus_digest);
      state.index_digest = reduced(state.index_digest);
      writeState(connection, state);
    },
  };
}

/** What a chunk's vector adds to the index digest. */
export function vectorElement(chunk: Chunk, vector: Vector): bigint {
  const bytes = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
  return element(Buffer.from(chunk.id), bytes);
}

function sameContent(left: Chunk, right: Chunk): boolean {
  return chunkContent(left).equals(chunkContent(right));
}
