/** Small indexes, and plain answers to compare theirs with. */

import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { onTestFinished } from "vitest";
import { countCodePoints } from "../../../src/rag/code-points.ts";
import type {
  Chunk,
  ChunkId,
  Document,
  DocumentId,
  Hit,
  Matrix,
} from "../../../src/rag/contracts.ts";
import type { Manifest } from "../../../src/rag/store/manifest.ts";
import { naturalLog } from "../../../src/rag/store/postings.ts";
import { openStore, type SqliteStore } from "../../../src/rag/store/reader.ts";
import { openWriter } from "../../../src/rag/store/transaction.ts";

export const DIMENSIONS = 8;
export const MANIFEST: Manifest = {
  entries: { analysis: "1", embedder: '"hash"' },
  probe: null,
};

/** Documents, each as the texts of its chunks. */
export type Corpus = Readonly<Record<string, readonly string[]>>;

export const analyze = (text: string): string[] =>
  text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];

export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** A path for an index, in a folder that goes when the test ends. */
export function newIndex(): string {
  const folder = mkdtempSync(join(tmpdir(), "index-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "index.sqlite");
}

/** A document of one chunk per text; equal texts of one document differ by a counter. */
export function make(
  name: string,
  texts: readonly string[],
): { document: Document; chunks: Chunk[] } {
  const id = name as DocumentId;
  const seen = new Map<string, number>();
  let start = 0;
  const chunks = texts.map((text, ordinal): Chunk => {
    const repeat = (seen.get(text) ?? 0) + 1;
    seen.set(text, repeat);
    const end = start + countCodePoints(text);
    const chunk = {
      id: sha256(`${name}\n${text}\n${repeat}`).slice(0, 16) as ChunkId,
      documentId: id,
      ordinal,
      start,
      end,
      text,
      headingPath: [],
      digest: sha256(text),
      preamble: "",
    };
    start = end + 2;
    return chunk;
  });
  const text = texts.join("\n\n");
  return {
    document: { id, text, digest: sha256(text), source: name, title: "", metadata: {} },
    chunks,
  };
}

/** Numbers from -1 to 1, the same for a seed. */
export function draws(seed: number, count: number): Float32Array {
  let state = seed || 1;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return state / 2 ** 31;
  });
}

/** One unit vector per chunk, by its text alone: equal texts tie. */
export function vectorsOf(chunks: readonly Chunk[]): Matrix {
  const values = new Float32Array(chunks.length * DIMENSIONS);
  chunks.forEach((chunk, row) => {
    const drawn = draws(Number.parseInt(chunk.digest.slice(0, 7), 16), DIMENSIONS);
    const length = Math.hypot(...drawn);
    values.set(
      drawn.map((value) => value / length),
      row * DIMENSIONS,
    );
  });
  return { rows: chunks.length, dimensions: DIMENSIONS, values };
}

/** One run: puts `documents` and removes others. */
export async function write(
  path: string,
  documents: Corpus,
  {
    removed = [],
    manifest = MANIFEST,
    rebuild = false,
  }: Partial<{
    removed: readonly string[];
    manifest: Manifest;
    rebuild: boolean;
  }> = {},
): Promise<void> {
  await openWriter(path, manifest, { analyze, rebuild }, (writer) => {
    for (const [name, texts] of Object.entries(documents)) {
      const { document, chunks } = make(name, texts);
      writer.put(document, chunks, vectorsOf(chunks), document.digest);
    }
    for (const name of removed) writer.remove(name as DocumentId);
  });
}

/** Open the index for a test, which closes it. */
export function opened(path: string, manifest: Manifest | null = MANIFEST): SqliteStore {
  const store = openStore(path, manifest);
  onTestFinished(() => store.close());
  return store;
}

/** Change the file behind the store's back; returns how many rows changed. */
export function tamper(path: string, statement: string, ...values: unknown[]): number {
  const connection = new Database(path);
  try {
    connection.pragma("foreign_keys=OFF");
    const prepared = connection.prepare(statement);
    if (!prepared.reader) return prepared.run(...values).changes;
    prepared.all(...values);
    return 0;
  } finally {
    connection.close();
  }
}

/** What a search must return to the bit, computed by the book from all texts. */
export function buildReference(documents: Corpus) {
  const chunks = Object.entries(documents).flatMap(([name, texts]) => make(name, texts).chunks);
  const { values } = vectorsOf(chunks);

  function ranked(scores: ReadonlyMap<number, number>, prefix: string): Hit[] {
    return [...scores]
      .map(([at, score]) => ({ chunk: chunks[at] as Chunk, score }))
      .filter(({ chunk }) => chunk.documentId.startsWith(prefix))
      .map(({ chunk, score }) => ({ chunkId: chunk.id, score }))
      .sort((a, b) => b.score - a.score || (a.chunkId < b.chunkId ? -1 : 1));
  }

  return {
    chunks,
    /** Products added from the first dimension to the last. */
    dense(vector: Float32Array, prefix = ""): Hit[] {
      const scores = chunks.map((_, row): [number, number] => {
        let total = 0;
        vector.forEach((value, at) => {
          total += (values[row * DIMENSIONS + at] ?? 0) * value;
        });
        return [row, total];
      });
      return ranked(new Map(scores), prefix);
    },
    /** Terms added in the order in which they first occur in the query. */
    keyword(query: readonly string[], { prefix = "", k1 = 1.2, b = 0.75 } = {}): Hit[] {
      const terms = chunks.map((chunk) => analyze(chunk.text));
      const average = terms.reduce((sum, each) => sum + each.length, 0) / Math.max(1, terms.length);
      const count = (each: readonly string[], term: string) =>
        each.filter((one) => one === term).length;
      const scores = new Map<number, number>();
      for (const term of new Set(query)) {
        const holding = [...terms.keys()].filter((at) => terms[at]?.includes(term));
        const df = holding.length;
        const idf = naturalLog(1 + (terms.length - df + 0.5) / (df + 0.5));
        for (const at of holding) {
          const repeats = Math.min(255, count(terms[at] ?? [], term));
          const norm = k1 * (1 - b + b * ((terms[at]?.length ?? 0) / average));
          const part = idf * count(query, term) * (repeats / (repeats + norm));
          scores.set(at, (scores.get(at) ?? 0) + part);
        }
      }
      return ranked(scores, prefix);
    },
  };
}
