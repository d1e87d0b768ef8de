import { expect, test } from "vitest";
import type { Chunk, DocumentId } from "../../../src/rag/contracts.ts";
import { StoreError } from "../../../src/rag/errors.ts";
import { connect } from "../../../src/rag/store/schema.ts";
import { openWriter } from "../../../src/rag/store/transaction.ts";
import { verifyIndex } from "../../../src/rag/store/verify.ts";
import type { IndexWriter } from "../../../src/rag/store/writer.ts";
import {
  analyze,
  DIMENSIONS,
  MANIFEST,
  make,
  newIndex,
  opened,
  sha256,
  vectorsOf,
  write,
} from "./building.ts";

async function indexed(): Promise<string> {
  const path = newIndex();
  await write(path, { "a.md": ["pump", "valve"], "b.md": ["tank"] });
  return path;
}

function run(path: string, use: (writer: IndexWriter) => void): Promise<void> {
  return openWriter(path, MANIFEST, { analyze }, use);
}

test("a document comes back as it was put, gaps, emoji and odd metadata included", async () => {
  const path = newIndex();
  const text = "# \u{1f600}\n\npump\n\n\u{1f600} valve \u{1f600}\0\n\nend";
  const metadata = { "10": "ten", "2": "two", "\u{1f600}": "\u2028", "\uffee": '"\\' };
  const document = {
    ...make("dir/ä.md", []).document,
    text,
    digest: sha256(text),
    title: "Title\u007f",
    metadata,
  };
  const chunk: Chunk = {
    ...(make("dir/ä.md", ["\u{1f600} valve"]).chunks[0] as Chunk),
    start: 11,
    end: 18,
    headingPath: ["\u{1f600}", '"quoted"'],
    preamble: "a\tb",
  };
  await run(path, (writer) => writer.put(document, [chunk], vectorsOf([chunk]), "s"));
  const store = opened(path);
  expect(store.document(document.id)).toEqual(document);
  expect(store.chunks(document.id)).toEqual([chunk]);
  expect(store.documents()).toEqual(
    new Map([[document.id, { sourceDigest: "s", digest: document.digest }]]),
  );
  expect(await verifyIndex(path, { analyze })).toEqual([]);
});

test("a changed document keeps its unchanged chunks", async () => {
  const index = await indexed();
  await write(index, { "a.md": ["valve", "steam"] });
  const { lastRun, chunks } = opened(index).stats();
  expect(lastRun).toEqual({ put: 1, removed: 0, chunks_added: 1, chunks_removed: 1 });
  expect(chunks).toBe(3);
});

test("a chunk with another heading is indexed anew", async () => {
  const index = await indexed();
  const { document, chunks } = make("b.md", ["tank"]);
  const headed = chunks.map((chunk) => ({ ...chunk, headingPath: ["Boilers"] }));
  await run(index, (writer) => writer.put(document, headed, vectorsOf(headed), "s"));
  expect(opened(index).searchKeyword(["boilers"], 5).length).toBe(1);
  expect(await verifyIndex(index, { analyze })).toEqual([]);
});

test("numbers of deleted chunks are used again", async () => {
  const index = await indexed();
  for (let step = 0; step < 8; step += 1) {
    const removed = step ? [`${step - 1}.md`] : [];
    await write(index, { [`${step}.md`]: ["steam", `gauge ${step}`] }, { removed });
  }
  const connection = connect(index, "read");
  expect(connection.prepare("SELECT max(number) FROM chunk").pluck().get()).toBeLessThan(7);
  connection.close();
  expect(await verifyIndex(index, { analyze })).toEqual([]);
});

const zeros = new Float32Array(2 * DIMENSIONS);

test.each([
  ["1 vectors for 2 chunks", 1, DIMENSIONS, zeros.subarray(DIMENSIONS)],
  ["vectors have shape (2, 4), expected 8 dimensions", 2, 4, zeros.subarray(8)],
  ["vector 0 is zero, not finite or too long", 2, DIMENSIONS, zeros],
  ["vector 1 is zero", 2, DIMENSIONS, zeros.map((_, at) => (at === 9 ? Number.NaN : 1))],
  ["vector 0 is zero", 2, DIMENSIONS, zeros.map(() => 1e9)],
])("vectors that don't fit are refused: %s", async (what, rows, dimensions, values) => {
  const index = await indexed();
  const { document, chunks } = make("c.md", ["one", "two"]);
  const attempt = run(index, (writer) =>
    writer.put(document, chunks, { rows, dimensions, values }, "s"),
  );
  await expect(attempt).rejects.toThrow(StoreError);
  await expect(attempt).rejects.toThrow(what);
  expect(await verifyIndex(index, { analyze })).toEqual([]);
});

test("a chunk that is not at its span is refused", async () => {
  const { document, chunks } = make("c.md", ["\u{1f600} one", "two"]);
  const shifted = chunks.map((chunk) => ({ ...chunk, start: chunk.start + 1, end: chunk.end + 1 }));
  const put = run(await indexed(), (writer) =>
    writer.put(document, shifted, vectorsOf(chunks), "s"),
  );
  await expect(put).rejects.toThrow("is not the text at its span");
});

test("no text with a lone surrogate is stored or found", async () => {
  const index = await indexed();
  const { document, chunks } = make("c.md", ["one \ud800"]);
  const put = run(index, (writer) => writer.put(document, chunks, vectorsOf(chunks), "s"));
  await expect(put).rejects.toThrow("lone surrogate");
  const store = opened(index);
  expect(store.searchDense(new Float32Array(DIMENSIONS).fill(1), 5, { prefix: "\ud800" })).toEqual(
    [],
  );
  expect(() => store.document("\ud800" as DocumentId)).toThrow("no document");
});

test("two documents cannot share a chunk id", async () => {
  const [a, b] = [make("c.md", ["one"]), make("d.md", ["one"])];
  const stolen = b.chunks.map((chunk, at) => ({ ...chunk, id: a.chunks[at]?.id ?? chunk.id }));
  const put = run(await indexed(), (writer) => {
    writer.put(a.document, a.chunks, vectorsOf(a.chunks), "s");
    writer.put(b.document, stolen, vectorsOf(stolen), "s");
  });
  await expect(put).rejects.toThrow("two documents, or two chunks, have one id");
});
