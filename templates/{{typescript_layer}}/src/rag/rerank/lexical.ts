/**
 * Word overlap: a stand-in that shows what a poor reranker costs.
 *
 * Over BM25 it lowers nDCG@10 on SciFact from 0.69 to 0.58, for it repeats, without weights, what
 * the keyword leg knows better. For tests and comparisons; do not serve with it.
 */

import { type Reranker, representation } from "../contracts.ts";
import { caseFold } from "../folding.ts";

const WORD = /[\p{L}\p{N}_]+/gu;

/** Scores a passage by the share of the query's distinct words that it holds, 0 to 1. */
export function buildLexicalReranker(): Reranker {
  return {
    async score(query, passages) {
      const wanted = wordsOf(query);
      return passages.map(({ chunk }) => {
        const held = wordsOf(representation(chunk));
        const shared = [...wanted].filter((word) => held.has(word)).length;
        return shared / Math.max(1, wanted.size);
      });
    },
  };
}

function wordsOf(text: string): Set<string> {
  return new Set(caseFold(text).match(WORD) ?? []);
}
