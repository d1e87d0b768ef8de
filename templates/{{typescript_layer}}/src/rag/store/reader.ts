/** The store that searches read: both legs, and the chunks themselves, at one committed state. */

import type {
  Chunk,
  ChunkId,
  Document,
  DocumentId,
  Filter,
  Hit,
  Store,
  Vector,
} from "../contracts.ts";
import { StoreError } from "../errors.ts";
import { quoted } from "../quoted.ts";
import { type Digests, openContents } from "./contents.ts";
import { buildDenseIndex, comparable } from "./dense.ts";
import { buildKeywordIndex } from "./keyword.ts";
import type { Manifest } from "./manifest.ts";
import { CHUNK_QUERY, type ChunkRow, chunkFromRow, documentOf } from "./rows.ts";
import { openSession } from "./session.ts";
import { type IndexStats, readStats } from "./stats.ts";
import { innerProduct } from "./vectors.ts";
import type { View } from "./view.ts";

/** Reads the index; made by `openStore`. Every call sees the newest committed state. */
export type SqliteStore = Store & {
  /** Close the file. */
  close(): void;
  /** Hold one committed state while `read` runs, or its promise, whatever is written meanwhile. */
  snapshot<T>(read: () => T): T;
  /** Exact inner product of each chunk's vector with `vector`, in the order asked. */
  similarities(ids: readonly ChunkId[], vector: Vector): number[];
  /** BM25 of each chunk, in the order asked; 0 where none of the terms occurs. */
  keywordScores(ids: readonly ChunkId[], terms: readonly string[]): number[];
  /** For each chunk, the terms that it holds and what each adds to its BM25. */
  matchedTerms(ids: readonly ChunkId[], terms: readonly string[]): Map<string, number>[];
  /** One chunk; errors as `loadChunks`. */
  chunk(id: ChunkId): Chunk;
  /** The chunks of a document, by rising ordinal; errors as `document`. */
  chunks(id: DocumentId): Chunk[];
  /** A document with the text that was indexed; StoreError when there is none. */
  document(id: DocumentId): Document;
  /** Digests of source and text of each document. */
  documents(): Map<DocumentId, Digests>;
  /** The `k` chunks nearest to a chunk, itself left out, with their inner products. */
  neighbours(id: ChunkId, k: number): Hit[];
  /** Sizes, times and digests of the index. */
  stats(): IndexStats;
};

/**
 * Open the index for searches; loads nothing that the first search does not need.
 *
 * With `manifest` null any index of this schema is opened, to look at it.
 *
 * @throws IndexMissingError there is no index.
 * @throws IndexMismatchError it was built with other settings than `manifest`.
 * @throws IndexCorruptError it is damaged.
 * @throws StoreError it can't be opened.
 */
export function openStore(
  path: string,
  manifest: Manifest | null,
  { bm25K1 = 1.2, bm25B = 0.75 }: { readonly bm25K1?: number; readonly bm25B?: number } = {},
): SqliteStore {
  const session = openSession(path, manifest);
  const { view } = session;
  const dense = buildDenseIndex();
  const keyword = buildKeywordIndex({ k1: bm25K1, b: bm25B });
  try {
    view(() => undefined);
  } catch (error) {
    session.close();
    throw error;
  }

  /** Errors: StoreError when there is no such chunk, IndexCorruptError when one was altered. */
  function loadChunks(ids: readonly ChunkId[]): Chunk[] {
    const rows = view((at) => [...at.where<ChunkRow>(`${CHUNK_QUERY} WHERE chunk.id`, ids)]);
    const found = new Map(rows.map((row) => [row[1], row]));
    return ids.map((id) => {
      const row = found.get(id);
      if (!row) throw new StoreError(`there is no chunk ${quoted(id)} in the index`);
      return chunkFromRow(row, path);
    });
  }

  return {
    close: session.close,
    snapshot: (read) => view(() => read()),
    searchDense: (vector, depth, where?: Filter) =>
      view((at) => (depth > 0 ? dense.search(at, vector, depth, where) : [])),
    searchKeyword: (terms, depth, where?: Filter) =>
      view((at) => (depth > 0 && terms.length ? keyword.search(at, terms, depth, where) : [])),
    similarities: (ids, vector) =>
      view((at) => {
        const query = comparable(at, vector);
        return dense.rows(at, at.numbers(ids)).map((row) => innerProduct(row, query));
      }),
    keywordScores: (ids, terms) =>
      view((at) => {
        const scores = keyword.scores(at, terms);
        return at.numbers(ids).map((number) => scores[number] ?? 0);
      }),
    matchedTerms: (ids, terms) => view((at) => keyword.matches(at, at.numbers(ids), terms)),
    loadChunks,
    chunk: (id) => loadChunks([id])[0] as Chunk,
    chunks: (id) => view((at) => chunksOf(at, id)),
    document: (id) => view((at) => documentOf(entryOf(at, id), chunksOf(at, id))),
    documents: () => view(({ connection }) => openContents(connection, path).digests()),
    neighbours: (id, k) =>
      view((at) => {
        const [row] = dense.rows(at, at.numbers([id]));
        const hits = dense.search(at, Float32Array.from(row ?? []), k + 1, undefined);
        return hits.filter((hit) => hit.chunkId !== id).slice(0, k);
      }),
    stats: () => view(readStats),
  };
}

function entryOf({ connection, path }: View, id: DocumentId) {
  const entry = openContents(connection, path).document(id);
  if (!entry) throw new StoreError(`there is no document ${quoted(id)} in the index`);
  return entry;
}

function chunksOf(view: View, id: DocumentId): Chunk[] {
  const { number } = entryOf(view, id);
  const found = openContents(view.connection, view.path).chunks(number).values();
  return [...found].map(({ chunk }) => chunk).sort((a, b) => a.ordinal - b.ordinal);
}
