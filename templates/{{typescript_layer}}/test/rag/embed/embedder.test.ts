import { expect, test } from "vitest";

import type { Matrix } from "../../../src/rag/contracts.ts";
import { buildTextEmbedder, type EmbedderOptions } from "../../../src/rag/embed/embedder.ts";
import type { Encoder } from "../../../src/rag/embed/encoder.ts";
import { buildHashEncoder } from "../../../src/rag/embed/hashing.ts";
import { EmbeddingError } from "../../../src/rag/errors.ts";

type Spoil = (texts: readonly string[], vectors: Matrix) => Matrix;

/** Hash vectors; a token is a character, and each call is written down. */
function counting(
  options: EmbedderOptions & { readonly limit?: number; readonly spoil?: Spoil } = {},
) {
  const { limit = 0, spoil = (_, vectors) => vectors, ...rest } = options;
  const hash = buildHashEncoder(64);
  const calls: (readonly string[])[] = [];
  const encoder: Encoder = {
    profile: async () => ({
      provider: "counting",
      model: "hash",
      dimensions: 64,
      maxTokens: limit,
    }),
    countTokens: hash.countTokens,
    encode: async (texts, role) => {
      calls.push(texts);
      return spoil(texts, await hash.encode(texts, role));
    },
  };
  return { calls, ...buildTextEmbedder(encoder, rest) };
}

test("prefixes are put before queries and documents", async () => {
  const embedder = counting({ queryPrefix: "query: ", documentPrefix: "passage: " });
  await embedder.embedDocuments(["pump", "tank"]);
  await embedder.embedQuery("pump");
  expect(embedder.calls).toEqual([["passage: pump", "passage: tank"], ["query: pump"]]);
  expect(await embedder.identity()).toEqual({
    provider: "counting",
    model: "hash",
    dimensions: 64,
    queryPrefix: "query: ",
    documentPrefix: "passage: ",
    normalised: true,
  });
});

test("calls are limited by texts and by tokens", async () => {
  const embedder = counting({ batchTexts: 3, batchTokens: 10 });
  const long = "g".repeat(30);
  const texts = ["aaaa", "bbbb", "cccc", "d", "e", "f", long, "h"];
  expect((await embedder.embedDocuments(texts)).rows).toBe(8);
  expect(embedder.calls).toEqual([["aaaa", "bbbb"], ["cccc", "d", "e"], ["f"], [long], ["h"]]);
});

test("rows stand in the order of the texts, with length 1", async () => {
  const { rows, dimensions, values } = await counting().embedDocuments(["pump", "tank"]);
  expect([rows, dimensions]).toEqual([2, 64]);
  expect(values.slice(64)).toEqual(await counting().embedQuery("tank"));
  expect(Math.hypot(...values.slice(0, 64))).toBeCloseTo(1, 6);
  expect(await counting().embedDocuments([])).toMatchObject({ rows: 0, dimensions: 64 });
});

test("a text that is too long is split, averaged, counted and told of", async () => {
  const events: string[] = [];
  const embedder = counting({ limit: 20, log: (event) => events.push(event) });
  await embedder.embedDocuments(["short", "pump drains the tank in nine minutes"]);
  expect(embedder.oversized()).toBe(1);
  expect(events).toEqual(["embed.oversized tokens=36 limit=20 windows=2"]);
  expect(embedder.calls[0]?.slice(1).join("")).toBe("pump drains the tank in nine minutes");
});

test.each([
  [10, 0, 4],
  [10, 99, 4],
  [0, 10, 4],
  [0, 0, 1],
  [99, 20, 2],
])("of limits %d and %d the lower one gives %d windows", async (limit, maxTokens, windows) => {
  const embedder = counting({ limit, maxTokens });
  await embedder.embedQuery("w".repeat(40));
  expect(embedder.calls.flat()).toHaveLength(windows);
});

test("a window of white space is left out", async () => {
  const embedder = counting({ limit: 10 });
  await embedder.embedDocuments([`pump${" ".repeat(60)}tank`]);
  expect(embedder.calls.flat().every((text) => text.trim() !== "")).toBe(true);
});

test("a blank text and a lone surrogate are told apart", async () => {
  await expect(counting().embedDocuments(["a", " \n"])).rejects.toThrow("text 1 is blank");
  const embedder = counting();
  await embedder.embedQuery("a\ud800b");
  expect(embedder.calls).toEqual([["a?b"]]);
});

test.each<[string, number]>([
  ["bad", 2],
  ["text of windows", 1],
])("a bad vector of %s is named by its text, though one was split", async (bad, row) => {
  const spoil: Spoil = (texts, vectors) => {
    for (const [at, text] of texts.entries()) {
      if (bad.includes(text)) vectors.values.fill(Number.NaN, at * 64, (at + 1) * 64);
    }
    return vectors;
  };
  const embedding = counting({ limit: 10, spoil }).embedDocuments([
    "fine",
    "a text of windows",
    "bad",
  ]);
  await expect(embedding).rejects.toThrow(`counting hash: the vector of text ${row} holds NaN`);
});

test("what was yielded before a failure is good", async () => {
  const spoil: Spoil = (texts, vectors) => {
    if (texts.includes("boom")) throw new EmbeddingError("boom");
    return vectors;
  };
  const batches = counting({ batchTexts: 1, spoil }).embedBatches(["a", "b", "boom", "c"]);
  expect((await batches.next()).value).toMatchObject({ rows: 1 });
  expect((await batches.next()).value).toMatchObject({ rows: 1 });
  await expect(batches.next()).rejects.toThrow("boom");
});
