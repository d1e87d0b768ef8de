import { expect, test } from "vitest";

import { encodeJson } from "../../src/rag/json.ts";
import { quoted } from "../../src/rag/quoted.ts";
import { loadVectors } from "./vectors.ts";

type Vectors = {
  readonly numbers: readonly { readonly number: number; readonly json: string }[];
  readonly quoted: readonly { readonly text: string; readonly quoted: string }[];
};

const vectors = loadVectors<Vectors>("writing");

test.each(vectors.numbers)("$number is $json in JSON", ({ number, json }) => {
  expect(encodeJson(number)).toBe(json);
});

test.each(vectors.quoted)("$text is shown as $quoted", ({ text, quoted: shown }) => {
  expect(quoted(text)).toBe(shown);
});
