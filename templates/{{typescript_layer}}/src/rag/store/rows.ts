/**
 * Documents and chunks as table rows, and back; each row is checked against its checksum.
 *
 * The text of a document is stored once: as the texts of its chunks, and the gaps that no chunk
 * covers. Offsets count code points.
 */

import {
  compareCodePoints,
  countCodePoints,
  sliceCodePoints,
  stringIndices,
} from "../code-points.ts";
import type { Chunk, ChunkId, Document, DocumentId } from "../contracts.ts";
import { quoted } from "../quoted.ts";
import { blobChecksum, canonical, element, rowChecksum, rowIsIntact } from "./checksums.ts";
import { damaged } from "./faults.ts";

export type Gap = readonly [start: number, text: string];

export const CHUNK_QUERY = `SELECT chunk.number, chunk.id, document.id, chunk.ordinal,
    chunk.start_char, chunk.end_char, chunk.text, chunk.heading_path, chunk.preamble, chunk.digest,
    chunk.checksum FROM chunk LEFT JOIN document ON document.number = chunk.document`;
export const DOCUMENT_QUERY = `SELECT number, id, digest, source_digest, source, title, metadata,
    gaps, checksum FROM document`;

type ChunkFields = [
  id: string,
  documentId: string,
  ordinal: number,
  start: number,
  end: number,
  text: string,
  headingPath: string,
  preamble: string,
  digest: string,
];
export type ChunkRow = [number: number, ...fields: ChunkFields, checksum: number];
/** Values of the table `document` without its number, in its order. */
export type DocumentFields = [
  id: string,
  digest: string,
  sourceDigest: string,
  source: string,
  title: string,
  metadata: string,
  gaps: string,
  checksum: number,
];
export type DocumentRow = [number: number, ...fields: DocumentFields];

/** A document without its text: `number` in the index, digests of source and text. */
export type DocumentEntry = {
  readonly number: number;
  readonly id: DocumentId;
  readonly digest: string;
  readonly sourceDigest: string;
  readonly source: string;
  readonly title: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly gaps: readonly Gap[];
};

/** Everything about a chunk that answers can show, as canonical bytes. */
export function chunkContent(chunk: Chunk): Buffer {
  return canonical(...fieldsOf(chunk));
}

/** Values of the table `chunk`, in its order. */
export function chunkRow(
  number: number,
  document: number,
  chunk: Chunk,
  content: Uint8Array,
): (number | string)[] {
  const [id, , ...fields] = fieldsOf(chunk);
  const checksum = blobChecksum(content, `chunk ${number}`);
  return [number, id, rowChecksum(number, id), document, ...fields, checksum];
}

/**
 * The chunk of a row of `CHUNK_QUERY`.
 *
 * @throws IndexCorruptError the row is not what was written.
 */
export function chunkFromRow(row: ChunkRow, path: string): Chunk {
  const [number, id, documentId, ordinal, start, end, text, headingPath, preamble, digest] = row;
  if (blobChecksum(canonical(...row.slice(1, -1)), `chunk ${number}`) !== row[10]) {
    throw damaged(path, `chunk ${quoted(id)} does not match its checksum`);
  }
  return {
    id: id as ChunkId,
    documentId: documentId as DocumentId,
    ordinal,
    start,
    end,
    text,
    headingPath: JSON.parse(headingPath),
    digest,
    preamble,
  };
}

/** Values of the table `document` without its number, in its order. */
export function documentFields(
  document: Document,
  sourceDigest: string,
  gaps: readonly Gap[],
): DocumentFields {
  const { id, digest, source, title } = document;
  const metadata = metadataJson(document.metadata);
  const fields = [id, digest, sourceDigest, source, title, metadata, JSON.stringify(gaps)] as const;
  return [...fields, rowChecksum(...fields)];
}

/**
 * The document of a row of `DOCUMENT_QUERY`.
 *
 * @throws IndexCorruptError the row is not what was written.
 */
export function documentFromRow(row: DocumentRow, path: string): DocumentEntry {
  const [number, id, digest, sourceDigest, source, title, metadata, gaps, checksum] = row;
  if (!rowIsIntact(checksum, ...row.slice(1, -1))) {
    throw damaged(path, `document ${quoted(id)} does not match its checksum`);
  }
  return {
    number,
    id: id as DocumentId,
    digest,
    sourceDigest,
    source,
    title,
    metadata: JSON.parse(metadata),
    gaps: JSON.parse(gaps),
  };
}

/** The document that a run put; its text may have been lost in part, its digest not. */
export function documentOf(entry: DocumentEntry, chunks: readonly Chunk[]): Document {
  const { id, digest, source, title, metadata } = entry;
  return {
    id,
    text: assemble(chunks, entry.gaps),
    digest,
    source,
    title,
    metadata,
  };
}

/** What a document adds to the corpus digest. */
export function documentElement(id: string, digest: string): bigint {
  return element(Buffer.from(id), Buffer.from(digest));
}

/** Stretches of `text` that no chunk covers, as start and text, by rising start. */
export function uncovered(text: string, chunks: readonly Chunk[]): Gap[] {
  const spans = chunks
    .map((chunk) => [chunk.start, chunk.end] as const)
    .sort((left, right) => left[0] - right[0] || left[1] - right[1]);
  const bounds: number[] = [];
  let reached = 0;
  for (const [start, end] of [...spans, [countCodePoints(text), 0] as const]) {
    if (start > reached) bounds.push(reached, start);
    reached = Math.max(reached, end);
  }
  const indices = stringIndices(text, bounds);
  return bounds.flatMap((start, at): Gap[] =>
    at % 2 === 0 ? [[start, text.slice(indices[at], indices[at + 1])]] : [],
  );
}

/**
 * The document's text, from what its chunks and gaps hold.
 *
 * A stretch that neither holds is left out, so that the text's digest shows the loss.
 */
export function assemble(chunks: readonly Chunk[], gaps: readonly Gap[]): string {
  const pieces: string[] = [];
  let reached = 0;
  const parts: Gap[] = [...gaps, ...chunks.map((chunk): Gap => [chunk.start, chunk.text])];
  parts.sort((left, right) => left[0] - right[0] || compareCodePoints(left[1], right[1]));
  for (const [start, text] of parts) {
    const length = countCodePoints(text);
    if (start + length <= reached) continue;
    pieces.push(sliceCodePoints(text, Math.max(0, reached - start), length));
    reached = start + length;
  }
  return pieces.join("");
}

function fieldsOf(chunk: Chunk): ChunkFields {
  return [
    chunk.id,
    chunk.documentId,
    chunk.ordinal,
    chunk.start,
    chunk.end,
    chunk.text,
    JSON.stringify(chunk.headingPath),
    chunk.preamble,
    chunk.digest,
  ];
}

/** Written out, since an object puts keys that look like numbers first. */
function metadataJson(metadata: Readonly<Record<string, string>>): string {
  const entries = Object.entries(metadata).sort(([a], [b]) => compareCodePoints(a, b));
  const pairs = entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
  return `{${pairs.join(",")}}`;
}
