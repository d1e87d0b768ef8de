/** What evaluation needs of the retrieval that is served, and how it reads documents from it. */

import type { Settings } from "../config.ts";
import type {
  ChunkId,
  DocumentId,
  Hit,
  Ranking,
  RerankedPassages,
  Reranker,
  Store,
} from "../contracts.ts";
import type { FusionPlan, Legs } from "../retrieval.ts";

/** Where chunks are read from by id. */
export type ChunkSource = Pick<Store, "loadChunks">;

/** Retrieval in its parts, so that the legs are searched once for every row. */
export type Subject = {
  readonly settings: Settings;
  readonly store: ChunkSource;
  /** Null when the fused order is served as it is. */
  readonly reranker: Reranker | null;
  /** Fusion as it is served. */
  readonly plan: FusionPlan;
  /** Both rankings down to `depth`, or one of them. */
  legs(
    query: string,
    depth: number,
    options?: { readonly dense?: boolean; readonly keyword?: boolean },
  ): Promise<Legs>;
  /** The passages that are served for a query. */
  search(query: string): Promise<RerankedPassages>;
  /** The fused hits reordered, the first `topN` of them. */
  rerank(
    query: string,
    fused: Ranking,
    legs: Legs,
    options?: { readonly topN?: number },
  ): Promise<RerankedPassages>;
  /** The same retrieval with another reranker. */
  withReranker(reranker: Reranker): Subject;
};

/** Rankings of chunks as rankings of documents; a chunk's document is read once. */
export type DocumentRanks = {
  /** Read the documents of chunks that are new. */
  learn(...rankings: readonly Ranking[]): void;
  /** Documents in the order of their first chunk; the chunks must be learnt. */
  of(chunkIds: Iterable<ChunkId>): DocumentId[];
};

export function buildDocumentRanks(chunks: ChunkSource): DocumentRanks {
  const documents = new Map<ChunkId, DocumentId>();
  return {
    learn(...rankings) {
      const ids = new Set(rankings.flatMap((ranking) => ranking.map((hit: Hit) => hit.chunkId)));
      const unknown = [...ids].filter((id) => !documents.has(id)).sort();
      if (unknown.length === 0) return;
      for (const chunk of chunks.loadChunks(unknown)) documents.set(chunk.id, chunk.documentId);
    },
    of(chunkIds) {
      const found = new Set<DocumentId>();
      for (const id of chunkIds) {
        const documentId = documents.get(id);
        if (documentId === undefined) throw new RangeError(`chunk ${id} was not learnt`);
        found.add(documentId);
      }
      return [...found];
    },
  };
}
