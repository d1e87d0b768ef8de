import { expect, test } from "vitest";
import type { ChunkId, DocumentId } from "../../src/rag/contracts.ts";
import { inverseDocumentFrequency } from "../../src/rag/store/postings.ts";
import { openStore } from "../../src/rag/store/reader.ts";
import { openWriter } from "../../src/rag/store/transaction.ts";
import { newIndex, sha256 } from "../rag/store/building.ts";
import { loadVectors } from "./vectors.ts";

type Vectors = {
  readonly idf: readonly { chunks: number; frequency: number; idf: number }[];
  readonly texts: readonly string[];
  readonly searches: readonly {
    readonly k1: number;
    readonly b: number;
    readonly query: readonly string[];
    readonly hits: readonly [id: string, score: number][];
  }[];
};

const vectors = loadVectors<Vectors>("bm25");

test("inverse document frequencies are equal, to the bit", () => {
  for (const { chunks, frequency, idf } of vectors.idf) {
    expect(inverseDocumentFrequency(chunks, frequency)).toBe(idf);
  }
});

test("scores and orders are equal, to the bit", async () => {
  const path = newIndex();
  const analyze = (text: string) => text.split(/\s+/).filter(Boolean);
  const one = { rows: 1, dimensions: 1, values: Float32Array.of(1) };
  await openWriter(path, { entries: {}, probe: null }, { analyze }, (writer) => {
    vectors.texts.forEach((text, number) => {
      const name = String(number).padStart(3, "0");
      const id = `d${name}` as DocumentId;
      const digest = sha256(text);
      const end = [...text].length;
      const chunk = { id: `c${name}` as ChunkId, documentId: id, ordinal: 0, start: 0, end };
      const whole = { ...chunk, text, headingPath: [], digest, preamble: "" };
      const document = { id, text, digest, source: id, title: "", metadata: {} };
      writer.put(document, [whole], one, digest);
    });
  });
  for (const { k1, b, query, hits } of vectors.searches) {
    const store = openStore(path, null, { bm25K1: k1, bm25B: b });
    const found = store.searchKeyword(query, 12);
    store.close();
    expect(found.map(({ chunkId, score }) => [chunkId, score])).toEqual(hits);
  }
});
