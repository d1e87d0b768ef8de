/** Composition root of retrieval: both legs, fusion, rerank. Generation is not imported. */

import type { Analyzer } from "./analysis.ts";
import { indexPath, type Settings } from "./config.ts";
import {
  type Chunk,
  type ChunkId,
  type Embedder,
  type Filter,
  type Leg,
  type Passage,
  type Placing,
  type Ranking,
  type RerankedPassages,
  type Reranker,
  representation,
  type Vector,
} from "./contracts.ts";
import { rerank } from "./rerank/reranking.ts";
import { searchDense } from "./retrieve/dense.ts";
import { type FusionPlan, fuse } from "./retrieve/fusion.ts";
import { searchKeyword } from "./retrieve/keyword.ts";
import { openStore, type SqliteStore } from "./store/reader.ts";
import { analyzerFor, embedderFrom, languageOfIndex, manifestOf, rerankerFrom } from "./wiring.ts";

export { type FusionPlan, fuse } from "./retrieve/fusion.ts";

/** What each retriever found for one query, before fusion; `vector` is the query's. */
export type Legs = {
  readonly dense: Ranking;
  readonly keyword: Ranking;
  readonly vector: Vector | null;
};

export type LegOptions = {
  readonly where?: Filter | undefined;
  readonly dense?: boolean;
  readonly keyword?: boolean;
};

/** What retrieval works with. */
export type Parts = {
  readonly settings: Settings;
  readonly store: SqliteStore;
  readonly embedder: Embedder;
  readonly analyzer: Analyzer;
  /** Null when the fused order is served as it is. */
  readonly reranker: Reranker | null;
};

/** Retrieval over one open index, as served and as evaluated. */
export type Retrieval = Parts & {
  /** Fusion as the settings ask for it. */
  readonly plan: FusionPlan;
  /** The passages that may answer `query`, best first, from one committed state. */
  search(
    query: string,
    options?: { readonly where?: Filter | undefined; readonly topN?: number | undefined },
  ): Promise<RerankedPassages>;
  /** Search both indexes down to `depth`, or one; a query without a word has no hits. */
  legs(query: string, depth: number, options?: LegOptions): Promise<Legs>;
  /** Load the best fused hits as passages, reorder them and cut to what a prompt takes. */
  rerank(
    query: string,
    fused: Ranking,
    legs: Legs,
    options?: { readonly topN?: number | undefined },
  ): Promise<RerankedPassages>;
  /** Terms of the query that the keyword index holds for the chunk, in query order. */
  matchedTerms(query: string, chunk: Chunk): string[];
  /** The same retrieval with another reranker. */
  withReranker(reranker: Reranker | null): Retrieval;
  /** Close the index. */
  close(): void;
};

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/**
 * Open the index that the settings name, for searching.
 *
 * @throws IndexMissingError nothing is indexed yet.
 * @throws IndexMismatchError the index was built with other settings.
 */
export async function openRetrieval(settings: Settings): Promise<Retrieval> {
  const language = languageOfIndex(settings);
  const embedder = await embedderFrom(settings);
  const manifest = manifestOf(settings, await embedder.identity(), language);
  const analyzer = analyzerFor(language);
  const reranker = await rerankerFrom(settings);
  const { bm25K1, bm25B } = settings;
  const store = openStore(indexPath(settings), manifest, { bm25K1, bm25B });
  return buildRetrieval({ settings, store, embedder, analyzer, reranker });
}

/** Retrieval of the parts given; it closes the store that it was given. */
export function buildRetrieval(parts: Parts): Retrieval {
  const { settings, store, embedder, analyzer, reranker } = parts;
  const plan: FusionPlan = {
    kind: settings.fusion,
    denseWeight: settings.denseWeight,
    rankConstant: settings.rrfK,
    candidateK: settings.candidateK,
  };

  async function vectorOf(query: string, dense: boolean): Promise<Vector | null> {
    return dense && LETTER_OR_DIGIT.test(query) ? embedder.embedQuery(query) : null;
  }

  function searchLegs(
    query: string,
    depth: number,
    vector: Vector | null,
    { where, keyword = true }: LegOptions,
  ): Legs {
    if (!LETTER_OR_DIGIT.test(query)) return { dense: [], keyword: [], vector: null };
    const analyze = analyzer.terms;
    return {
      dense: vector ? searchDense(store, vector, { depth, where }) : [],
      keyword: keyword ? searchKeyword(store, query, { analyze, depth, where }) : [],
      vector,
    };
  }

  /** The passages that are reranked, and how many are kept. */
  function passagesFor(fused: Ranking, legs: Legs, topN: number | undefined) {
    const limit = topN || settings.rerankTopN;
    const depth = reranker ? Math.max(settings.rerankCandidates, limit) : limit;
    return { limit, passages: loadPassages(store, fused.slice(0, depth), legs) };
  }

  function reordered(query: string, { limit, passages }: ReturnType<typeof passagesFor>) {
    return rerank(query, passages, { reranker, weight: settings.rerankWeight, topN: limit });
  }

  return {
    ...parts,
    plan,
    legs: async (query, depth, options = {}) => {
      const vector = await vectorOf(query, options.dense ?? true);
      return store.snapshot(() => searchLegs(query, depth, vector, options));
    },
    rerank: (query, fused, legs, { topN } = {}) => reordered(query, passagesFor(fused, legs, topN)),
    search: async (query, { where, topN } = {}) => {
      const vector = await vectorOf(query, plan.denseWeight > 0);
      const keyword = plan.denseWeight < 1;
      // Nothing is awaited while a state is held, so that searches at once don't prolong it.
      const found = store.snapshot(() => {
        const legs = searchLegs(query, plan.candidateK, vector, { where, keyword });
        return passagesFor(fuse(legs.dense, legs.keyword, plan), legs, topN);
      });
      return reordered(query, found);
    },
    matchedTerms: (query, chunk) => {
      const held = new Set(analyzer.terms(representation(chunk)));
      return [...new Set(analyzer.terms(query))].filter((term) => held.has(term));
    },
    withReranker: (other) => buildRetrieval({ ...parts, reranker: other }),
    close: store.close,
  };
}

function loadPassages(store: SqliteStore, fused: Ranking, legs: Legs): Passage[] {
  const ids = fused.map(({ chunkId }) => chunkId);
  const placed: [Leg, Map<ChunkId, Placing>][] = [
    ["dense", placingsOf(legs.dense)],
    ["keyword", placingsOf(legs.keyword)],
    ["fused", placingsOf(fused)],
  ];
  const near = legs.vector ? store.similarities(ids, legs.vector) : [];
  return store.loadChunks(ids).map((chunk, at) => ({
    chunk,
    score: fused[at]?.score ?? 0,
    placings: Object.fromEntries(
      placed.flatMap(([leg, ranks]) => {
        const placing = ranks.get(chunk.id);
        return placing ? [[leg, placing]] : [];
      }),
    ),
    similarity: near[at] ?? null,
  }));
}

function placingsOf(ranking: Ranking): Map<ChunkId, Placing> {
  return new Map(ranking.map(({ chunkId, score }, at) => [chunkId, { rank: at + 1, score }]));
}
