/** Retrieval by words: BM25 over the terms that chunks and queries are split into. */

import type { Filter, Ranking, Store } from "../contracts.ts";

export type KeywordOptions = {
  readonly analyze: (text: string) => readonly string[];
  readonly depth: number;
  readonly where?: Filter | undefined;
};

/** Top `depth` chunks by BM25; no text is a syntax error, and no terms give no hits. */
export function searchKeyword(
  store: Store,
  query: string,
  { analyze, depth, where }: KeywordOptions,
): Ranking {
  const terms = analyze(query);
  return terms.length > 0 ? store.searchKeyword(terms, depth, where) : [];
}
