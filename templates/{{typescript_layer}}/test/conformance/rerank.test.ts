import { expect, test } from "vitest";
import { buildLexicalReranker } from "../../src/rag/rerank/lexical.ts";
import { rerank } from "../../src/rag/rerank/reranking.ts";
import { makePassage } from "../rag/rerank/passages.ts";
import { loadVectors } from "./vectors.ts";

type Vectors = {
  readonly texts: readonly string[];
  readonly lexical: readonly { readonly query: string; readonly scores: readonly number[] }[];
  readonly mixed: readonly {
    readonly fused: readonly number[];
    readonly scores: readonly number[];
    readonly weight: number;
    readonly passages: readonly { id: string; score: number; rank: number; given: number }[];
  }[];
};

const vectors = loadVectors<Vectors>("rerank");

test.each(vectors.lexical)("the words of $query are found alike", async ({ query, scores }) => {
  const passages = vectors.texts.map((text, number) => makePassage(`c${number}`, text, 1));
  expect(await buildLexicalReranker().score(query, passages)).toEqual(scores);
});

test.each(vectors.mixed)("$scores are mixed alike with $fused", async (mixed) => {
  const candidates = mixed.fused.map((score, number) => makePassage(`c${number}`, "", score));
  const reranker = { score: async () => mixed.scores };
  const found = await rerank("q", candidates, { reranker, weight: mixed.weight, topN: 9 });
  const shown = found.passages.map(({ chunk, score, placings }) => ({
    id: chunk.id,
    score,
    rank: placings.rerank?.rank,
    given: placings.rerank?.score,
  }));
  expect(shown).toEqual(mixed.passages);
});
