/** A reranker that scores a passage once, however many rows of a query ask for it. */

import type { ChunkId, Passage, Reranker } from "../contracts.ts";
import { RerankError } from "../errors.ts";

export type Clock = () => number;

/**
 * Remembers the scores of one query's passages, and what each of them took.
 *
 * `sparedMs` is what the latest call would have taken longer without remembering, so that every
 * row is charged for all of its passages.
 */
export type RememberingReranker = Reranker & { sparedMs(): number };

/** Errors are the reranker's own. */
export function buildRememberingReranker(reranker: Reranker, clock: Clock): RememberingReranker {
  const known = new Map<ChunkId, { readonly score: number; readonly tookMs: number }>();
  let spared = 0;

  async function ask(query: string, passages: readonly Passage[]): Promise<void> {
    const start = clock();
    const scores = await reranker.score(query, passages);
    const tookMs = (clock() - start) / passages.length;
    if (scores.length !== passages.length) {
      throw new RerankError(
        `the reranker gave ${scores.length} scores for ${passages.length} passages`,
      );
    }
    for (const [at, { chunk }] of passages.entries()) {
      known.set(chunk.id, { score: scores[at] ?? Number.NaN, tookMs });
    }
  }

  return {
    async score(query, passages) {
      const unknown = passages.filter(({ chunk }) => !known.has(chunk.id));
      spared = passages.reduce((sum, { chunk }) => sum + (known.get(chunk.id)?.tookMs ?? 0), 0);
      if (unknown.length > 0) await ask(query, unknown);
      return passages.map(({ chunk }) => known.get(chunk.id)?.score ?? Number.NaN);
    },
    sparedMs: () => spared,
  };
}
