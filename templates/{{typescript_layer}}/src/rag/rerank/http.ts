/** The `/rerank` shape that Cohere, Jina, vLLM and Text Embeddings Inference share. */

import { z } from "zod";
import { type Reranker, representation } from "../contracts.ts";
import { RerankError } from "../errors.ts";
import type { JsonClient } from "../transport.ts";

const Score = z.object({
  index: z.number().int(),
  relevance_score: z.number().nullish(),
  score: z.number().nullish(),
});
const Scores = z.union([z.object({ results: z.array(Score) }), z.array(Score)]);

/**
 * Posts the query and the passages, and puts the scores back in the order given.
 *
 * Scoring throws RerankError when the call failed, or when a score is missing, repeated or for no
 * passage.
 */
export function buildHttpReranker(client: JsonClient, model = ""): Reranker {
  return {
    async score(query, passages) {
      if (passages.length === 0) return [];
      const documents = passages.map(({ chunk }) => representation(chunk));
      const payload = { query, documents, top_n: documents.length };
      // Text Embeddings Inference serves one model, and calls the documents `texts`.
      const extra = model ? { model } : { texts: documents };
      const reply = await client.post("", { ...payload, ...extra }, Scores);
      return inOrder(Array.isArray(reply) ? reply : reply.results, documents.length);
    },
  };
}

function inOrder(given: readonly z.infer<typeof Score>[], expected: number): number[] {
  const scores = new Map<number, number>();
  for (const { index, relevance_score, score } of given) {
    const value = relevance_score ?? score ?? undefined;
    if (value === undefined || index < 0 || index >= expected || scores.has(index)) {
      throw new RerankError(`the reranker's result for index ${index} makes no sense`);
    }
    scores.set(index, value);
  }
  if (scores.size !== expected) {
    throw new RerankError(`the reranker gave ${scores.size} scores for ${expected} passages`);
  }
  return Array.from({ length: expected }, (_, index) => scores.get(index) ?? 0);
}
