import { expect, test } from "vitest";

import { buildAnalyzer, detectLanguage } from "../../src/rag/analysis.ts";
import { LANGUAGES, stemmerOf } from "../../src/rag/stemming.ts";
import { loadVectors } from "./vectors.ts";

type Vectors = {
  readonly terms: readonly {
    readonly language: string;
    readonly text: string;
    readonly terms: readonly string[];
  }[];
  readonly stems: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly detected: readonly { readonly texts: readonly string[]; readonly language: string }[];
};

const vectors = loadVectors<Vectors>("terms");

test.each(vectors.terms)("terms of $text in $language", ({ language, text, terms }) => {
  expect(buildAnalyzer(language).terms(text)).toEqual(terms);
});

test("the languages are the same", () => {
  expect(LANGUAGES).toEqual(Object.keys(vectors.stems));
});

test.each(Object.entries(vectors.stems))("stems of %s", (language, stems) => {
  const stem = stemmerOf(language);
  expect(Object.keys(stems).length).toBeGreaterThan(7);
  expect(Object.fromEntries(Object.keys(stems).map((word) => [word, stem(word)]))).toEqual(stems);
});

test.each(vectors.detected)("$language is detected", ({ texts, language }) => {
  expect(detectLanguage(texts)).toBe(language);
});
