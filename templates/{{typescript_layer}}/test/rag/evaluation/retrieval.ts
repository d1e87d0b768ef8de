/** Retrieval whose rankings are written down in the test. */

import { DEFAULTS, type Settings } from "../../../src/rag/config.ts";
import type {
  Chunk,
  ChunkId,
  DocumentId,
  Hit,
  Passage,
  Reranker,
} from "../../../src/rag/contracts.ts";
import type { Subject } from "../../../src/rag/evaluation/subject.ts";
import { rerank } from "../../../src/rag/rerank/reranking.ts";
import { fuse } from "../../../src/rag/retrieve/fusion.ts";

type Rankings = Readonly<Record<string, readonly string[]>>;

export type Written = {
  /** Chunk ids by query, best first; a chunk `doc#n` belongs to the document `doc`. */
  readonly dense?: Rankings;
  readonly keyword?: Rankings;
  readonly settings?: Partial<Settings>;
  readonly reranker?: Reranker | null;
  readonly nearest?: Readonly<Record<string, number>>;
  readonly searches?: string[];
};

const PINNED = { rerank: "none", rerankTopN: 8, fusion: "convex", denseWeight: 0.5 } as const;

export function writtenRetrieval(written: Written): Subject {
  const { dense = {}, keyword = {}, nearest = {}, searches = [] } = written;
  const settings: Settings = { ...DEFAULTS, ...PINNED, ...written.settings };
  const reranker = written.reranker ?? null;
  const plan = {
    kind: settings.fusion,
    denseWeight: settings.denseWeight,
    rankConstant: settings.rrfK,
    candidateK: settings.candidateK,
  };
  const subject: Subject = {
    settings,
    plan,
    reranker,
    store: { loadChunks: (ids) => ids.map(chunkOf) },
    async legs(query, depth, { dense: isDense = true, keyword: isKeyword = true } = {}) {
      searches.push(...new Array<string>(Number(isDense) + Number(isKeyword)).fill(query));
      return {
        dense: isDense ? hitsOf(dense[query]).slice(0, depth) : [],
        keyword: isKeyword ? hitsOf(keyword[query]).slice(0, depth) : [],
        vector: null,
      };
    },
    async search(query) {
      const legs = await subject.legs(query, plan.candidateK);
      return subject.rerank(query, fuse(legs.dense, legs.keyword, plan), legs);
    },
    async rerank(query, fused, _legs, { topN } = {}) {
      const passages: Passage[] = fused.map(({ chunkId, score }) => ({
        chunk: chunkOf(chunkId),
        score,
        placings: {},
        similarity: nearest[query] ?? null,
      }));
      const limit = topN ?? settings.rerankTopN;
      return rerank(query, passages, { reranker, weight: 1, topN: limit, log: () => undefined });
    },
    withReranker: (other) => writtenRetrieval({ ...written, reranker: other }),
  };
  return subject;
}

function chunkOf(id: ChunkId): Chunk {
  return {
    id,
    documentId: (id.split("#")[0] ?? "") as DocumentId,
    ordinal: 0,
    start: 0,
    end: id.length,
    text: id,
    headingPath: [],
    digest: "",
    preamble: "",
  };
}

function hitsOf(ids: readonly string[] = []): Hit[] {
  return ids.map((id, at) => ({ chunkId: id as ChunkId, score: 1 / (at + 1) }));
}
