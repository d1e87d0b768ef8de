/** Retrieval by meaning: nearest chunk vectors to the query's vector. */

import type { Filter, Ranking, Store, Vector } from "../contracts.ts";

/** Top `depth` chunks by inner product with `vector`, exact. */
export function searchDense(
  store: Store,
  vector: Vector,
  { depth, where }: { readonly depth: number; readonly where?: Filter | undefined },
): Ranking {
  return store.searchDense(vector, depth, where);
}
