import { createHash } from "node:crypto";
import { expect, test } from "vitest";

import { decode, UnusableError } from "../../src/rag/ingest/decoding.ts";
import { decoderOf, ENCODINGS } from "../../src/rag/ingest/encodings.ts";
import { loadVectors } from "./vectors.ts";

type Case = {
  readonly name: string;
  readonly fallback: string;
  readonly raw: string;
  readonly text?: string;
  readonly digest?: string;
  readonly reason?: string;
  readonly detail?: string;
};
type Vectors = {
  readonly texts: readonly Case[];
  readonly upperHalves: Readonly<Record<string, readonly (string | null)[]>>;
};

const vectors = loadVectors<Vectors>("decoding");

function decoded({ raw, fallback }: Case) {
  try {
    const text = decode(Buffer.from(raw, "base64"), fallback);
    return { text, digest: createHash("sha256").update(text, "utf8").digest("hex") };
  } catch (error) {
    if (!(error instanceof UnusableError)) throw error;
    return { reason: error.reason, detail: error.detail };
  }
}

test.each(vectors.texts)("$name, with '$fallback' to fall back on", (vector) => {
  const { name: _, raw: __, fallback: ___, ...expected } = vector;
  expect(decoded(vector)).toEqual(expected);
});

test.each(Object.entries(vectors.upperHalves))("the characters of %s", (name, characters) => {
  const decoder = decoderOf(name);
  const found = characters.map((_, at) => decoder?.(Buffer.from([97, 128 + at]))?.slice(1) ?? null);
  expect(found).toEqual(characters);
});

test("every encoding of one byte is among them", () => {
  const checked = new Set(Object.keys(vectors.upperHalves));
  expect(ENCODINGS.filter((name) => !checked.has(name))).toEqual(["cp949"]);
});
