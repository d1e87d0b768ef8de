import { expect, test } from "vitest";

import { countCodePoints } from "../../src/rag/code-points.ts";
import { buildTextEmbedder } from "../../src/rag/embed/embedder.ts";
import { buildHashEncoder } from "../../src/rag/embed/hashing.ts";
import { batches, cutToFit } from "../../src/rag/embed/windows.ts";
import { loadVectors } from "./vectors.ts";

type Embedded = { readonly text: string; readonly float32: string };
type Vectors = {
  readonly vectors: readonly (Embedded & { readonly dimensions: number })[];
  readonly long: readonly (Embedded & { readonly maxTokens: number })[];
  readonly windows: readonly {
    readonly limit: number;
    readonly text: string;
    readonly windows: readonly string[];
  }[];
  readonly batches: readonly {
    readonly sizes: readonly (readonly number[])[];
    readonly most: number;
    readonly mostTokens: number;
    readonly ranges: readonly (readonly number[])[];
  }[];
};

const vectors = loadVectors<Vectors>("hashing");

/** Little-endian single precision, in base 64. */
function bits({ buffer, byteOffset, length }: Float32Array): string {
  const view = new DataView(buffer, byteOffset, length * 4);
  const floats = Array.from({ length }, (_, at) => view.getFloat32(at * 4, true));
  const bytes = Buffer.alloc(length * 4);
  for (const [at, value] of floats.entries()) bytes.writeFloatLE(value, at * 4);
  return bytes.toString("base64");
}

test.each(vectors.vectors)("$dimensions dimensions of $text", async (vector) => {
  const embedder = buildTextEmbedder(buildHashEncoder(vector.dimensions));
  const { values } = await embedder.embedDocuments([vector.text]);
  expect(bits(values)).toBe(vector.float32);
});

test.each(vectors.long)("windows of $maxTokens are averaged", async (vector) => {
  const embedder = buildTextEmbedder(buildHashEncoder(16), { maxTokens: vector.maxTokens });
  const { values } = await embedder.embedDocuments([vector.text]);
  expect(bits(values)).toBe(vector.float32);
});

test.each(vectors.windows)("windows of at most $limit", ({ limit, text, windows }) => {
  expect(cutToFit(text, limit, (texts) => texts.map(countCodePoints))).toEqual(windows);
});

test.each(vectors.batches)("batches of $sizes", ({ sizes, most, mostTokens, ranges }) => {
  const found = [...batches(sizes, { most, mostTokens })];
  expect(found.map(({ start, end }) => [start, end])).toEqual(ranges);
});
