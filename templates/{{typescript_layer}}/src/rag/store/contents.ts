/** The tables of documents and chunks, inside a write transaction or a read one. */

import type { Chunk, ChunkId, DocumentId } from "../contracts.ts";
import { isText } from "./checksums.ts";
import {
  CHUNK_QUERY,
  type ChunkRow,
  chunkFromRow,
  DOCUMENT_QUERY,
  type DocumentEntry,
  type DocumentFields,
  type DocumentRow,
  documentFromRow,
} from "./rows.ts";
import type { Connection } from "./schema.ts";

/** Of a document: of its source, and of its text. */
export type Digests = { readonly sourceDigest: string; readonly digest: string };

export type PlacedChunk = { readonly number: number; readonly chunk: Chunk };

/** Reads rows; knows nothing of the two indexes. */
export type Contents = {
  /** Digest of the source of each document. */
  sourceDigests(): Map<DocumentId, string>;
  /** Digests of source and text of each document. */
  digests(): Map<DocumentId, Digests>;
  /** The document, if there is one. */
  document(id: DocumentId): DocumentEntry | undefined;
  /** Numbers and chunks of a document, by id. */
  chunks(document: number): Map<ChunkId, PlacedChunk>;
};

/** Writes rows too. */
export type WritableContents = Contents & {
  /** Add a document; returns its number. */
  insertDocument(fields: DocumentFields): number;
  updateDocument(number: number, fields: DocumentFields): void;
  /** Delete a document that has no chunks any more. */
  deleteDocument(number: number): void;
  /** Add a chunk, as `rows.chunkRow` makes it. */
  insertChunk(row: readonly (number | string)[]): void;
  updateChunk(row: readonly (number | string)[]): void;
  deleteChunk(number: number): void;
};

const INSERT_DOCUMENT = "INSERT INTO document VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?)";
const UPDATE_DOCUMENT = `UPDATE document SET (
    id, digest, source_digest, source, title, metadata, gaps, checksum
    ) = (?, ?, ?, ?, ?, ?, ?, ?) WHERE number = ?`;
const INSERT_CHUNK = "INSERT INTO chunk VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
const UPDATE_CHUNK = `UPDATE chunk SET (
    id, id_checksum, document, ordinal, start_char, end_char, text, heading_path, preamble,
    digest, checksum
    ) = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) WHERE number = ?`;

export function openContents(connection: Connection, path: string): Contents {
  const documents = connection.prepare<[string], DocumentRow>(`${DOCUMENT_QUERY} WHERE id = ?`);
  const chunks = connection.prepare<[number], ChunkRow>(`${CHUNK_QUERY} WHERE chunk.document = ?`);
  return {
    sourceDigests: () =>
      new Map(
        connection
          .prepare<[], [DocumentId, string]>("SELECT id, source_digest FROM document")
          .raw()
          .all(),
      ),
    digests() {
      const rows = connection
        .prepare<[], [DocumentId, string, string]>("SELECT id, source_digest, digest FROM document")
        .raw()
        .all();
      return new Map(rows.map(([id, sourceDigest, digest]) => [id, { sourceDigest, digest }]));
    },
    document(id) {
      const row = isText(id) ? documents.raw().get(id) : undefined;
      return row && documentFromRow(row, path);
    },
    chunks(document) {
      const placed = chunks
        .raw()
        .all(document)
        .map((row) => ({ number: row[0], chunk: chunkFromRow(row, path) }));
      return new Map(placed.map((each) => [each.chunk.id, each]));
    },
  };
}

export function openWritableContents(connection: Connection, path: string): WritableContents {
  const insertDocument = connection.prepare(INSERT_DOCUMENT);
  const updateDocument = connection.prepare(UPDATE_DOCUMENT);
  const deleteDocument = connection.prepare("DELETE FROM document WHERE number = ?");
  const insertChunk = connection.prepare(INSERT_CHUNK);
  const updateChunk = connection.prepare(UPDATE_CHUNK);
  const deleteChunk = connection.prepare("DELETE FROM chunk WHERE number = ?");
  return {
    ...openContents(connection, path),
    insertDocument: (fields) => Number(insertDocument.run(...fields).lastInsertRowid),
    updateDocument: (number, fields) => void updateDocument.run(...fields, number),
    deleteDocument: (number) => void deleteDocument.run(number),
    insertChunk: (row) => void insertChunk.run(...row),
    updateChunk: ([number, ...fields]) => void updateChunk.run(...fields, number),
    deleteChunk: (number) => void deleteChunk.run(number),
  };
}
