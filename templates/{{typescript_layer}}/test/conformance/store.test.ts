import { createHash } from "node:crypto";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { countCodePoints } from "../../src/rag/code-points.ts";
import type { Chunk, ChunkId, Document, DocumentId } from "../../src/rag/contracts.ts";
import { blobChecksum, canonical, element, rowChecksum } from "../../src/rag/store/checksums.ts";
import { digestText } from "../../src/rag/store/manifest.ts";
import { BLOCK } from "../../src/rag/store/postings.ts";
import { openWriter } from "../../src/rag/store/transaction.ts";
import { newIndex, sha256 } from "../rag/store/building.ts";
import { loadVectors } from "./vectors.ts";

type Vectors = {
  readonly canonical: readonly { fields: readonly unknown[]; json: string; crc32: number }[];
  readonly blobs: readonly { blob: string; place: string; crc32: number }[];
  readonly elements: readonly { parts: readonly string[]; digest: string }[];
  readonly runs: readonly {
    readonly put: Readonly<Record<string, readonly string[]>>;
    readonly removed: readonly string[];
  }[];
  readonly manifest: { readonly entries: Readonly<Record<string, string>>; readonly probe: string };
  readonly tables: Readonly<Record<string, readonly unknown[]>>;
};

const vectors = loadVectors<Vectors>("store");
const CONTROLS = String.fromCodePoint(
  ...Array(0x20).keys(),
  ...Array.from('"\\/\x7f\x80\u2028\u2029\ufeff\u{1f600}', (at) => at.codePointAt(0) ?? 0),
);

test("rows have the same canonical bytes and checksums", () => {
  for (const { fields, json, crc32 } of vectors.canonical) {
    expect(canonical(...fields).toString()).toBe(json);
    expect(rowChecksum(...fields)).toBe(crc32);
  }
});

test("blobs have the same checksums", () => {
  for (const { blob, place, crc32 } of vectors.blobs) {
    expect(blobChecksum(Buffer.from(blob, "base64"), place)).toBe(crc32);
  }
});

test("elements of a digest are the same", () => {
  for (const { parts, digest } of vectors.elements) {
    expect(digestText(element(...parts.map((part) => Buffer.from(part, "base64"))))).toBe(digest);
  }
});

test("two runs leave the same rows", async () => {
  const path = newIndex();
  const manifest = { ...vectors.manifest, probe: Buffer.from(vectors.manifest.probe, "base64") };
  const analyze = (text: string) => text.split(/\s+/).filter(Boolean);
  for (const [at, { put, removed }] of vectors.runs.entries()) {
    const clock = () => [1000.5, 2000.25][at] ?? 0;
    await openWriter(path, manifest, { analyze, clock }, (writer) => {
      for (const [name, texts] of Object.entries(put)) {
        const { document, chunks } = made(name, texts);
        const rows = chunks.flatMap(({ digest }) => [...Buffer.from(digest, "hex").subarray(0, 6)]);
        const values = Float32Array.from(rows, (value) => value - 127.5);
        const matrix = { rows: chunks.length, dimensions: 6, values };
        writer.put(document, chunks, matrix, `source of ${name}`);
      }
      for (const name of removed) writer.remove(name as DocumentId);
    });
  }
  const connection = new Database(path, { readonly: true });
  for (const [table, rows] of Object.entries(vectors.tables)) {
    expect(rowsOf(connection, table), table).toEqual(rows);
  }
  connection.close();
});

/** A document that starts and ends with a gap; of a chunk's heading the last part counts up. */
function made(name: string, texts: readonly string[]): { document: Document; chunks: Chunk[] } {
  const id = name as DocumentId;
  let text = "# \u{1f41d}\n";
  const chunks = texts.map((part, ordinal): Chunk => {
    const start = countCodePoints(text);
    text += `${part}\n\n`;
    return {
      id: sha256(`${name} ${ordinal} ${part}`).slice(0, 16) as ChunkId,
      documentId: id,
      ordinal,
      start,
      end: start + countCodePoints(part),
      text: part,
      headingPath: ["Top", `"${ordinal}"`],
      digest: sha256(part),
      preamble: ordinal ? "| pre |" : "",
    };
  });
  const metadata = { "10": "ten", "2": "two", "\uffee": "x", "\u{1f41d}": CONTROLS };
  const digest = sha256(text);
  return {
    document: { id, text, digest, source: `src/${name}`, title: "Title", metadata },
    chunks,
  };
}

function rowsOf(connection: Database.Database, table: string): unknown[] {
  const order = table === "manifest" ? "key" : table === "posting" ? "1, 2" : "1";
  const rows = connection.prepare<[], unknown[]>(`SELECT * FROM ${table} ORDER BY ${order}`);
  return rows
    .raw()
    .all()
    .map((row) => (row[0] === "state" ? ["state", JSON.parse(String(row[1]))] : row.map(shown)));
}

/** Bytes in base 64; of lengths, which are zeros in the main, the digest. */
function shown(value: unknown): unknown {
  if (!Buffer.isBuffer(value)) return value;
  if (value.byteLength !== 4 * BLOCK) return value.toString("base64");
  return createHash("sha256").update(value).digest("hex");
}
