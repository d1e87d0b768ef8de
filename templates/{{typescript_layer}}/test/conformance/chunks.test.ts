import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";

import { chunkDocument } from "../../src/rag/chunk/chunker.ts";
import { CHUNKER_VERSION } from "../../src/rag/chunk/version.ts";
import { sliceCodePoints } from "../../src/rag/code-points.ts";
import type { Chunk, Document, DocumentId } from "../../src/rag/contracts.ts";
import { loadVectors } from "./vectors.ts";

type Cut = {
  readonly spans: readonly number[];
  readonly headings: readonly string[];
  readonly sha256: string;
};
type Vectors = {
  readonly version: number;
  readonly documents: readonly {
    readonly id: DocumentId;
    readonly title: string;
    readonly format: string;
    readonly text: string;
    readonly chunks: Readonly<Record<string, Cut>>;
  }[];
};

const vectors = loadVectors<Vectors>("chunks");

/** All that chunks hold, in one checksum. */
function checksum(chunks: readonly Chunk[]): string {
  const told = chunks.map((it) =>
    [it.id, it.ordinal, it.digest, ...it.headingPath, it.preamble, it.text].join("\n"),
  );
  return createHash("sha256").update(told.join("\n\n")).digest("hex");
}

test("the version is the same", () => {
  expect(CHUNKER_VERSION).toBe(vectors.version);
});

describe.each(vectors.documents)("$id", ({ id, title, format, text, chunks }) => {
  const document: Document = { id, text, digest: "", source: id, title, metadata: { format } };

  test.each(Object.entries(chunks))("in chunks of %s", (sizes, expected) => {
    const [chunkChars = 0, overlapChars = 0] = sizes.split("/").map(Number);
    const found = chunkDocument(document, { chunkChars, overlapChars });
    expect(found.flatMap(({ start, end }) => [start, end])).toEqual(expected.spans);
    const headings = new Set(found.map(({ headingPath }) => headingPath.join(" > ")));
    expect(headings).toEqual(new Set(expected.headings));
    expect(checksum(found)).toBe(expected.sha256);
    for (const chunk of found) {
      expect(sliceCodePoints(text, chunk.start, chunk.end)).toBe(chunk.text);
    }
  });
});
