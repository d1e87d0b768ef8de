import { expect, test } from "vitest";
import type { ChunkId, Hit } from "../../src/rag/contracts.ts";
import { type FusionPlan, fuse } from "../../src/rag/retrieve/fusion.ts";
import { loadVectors } from "./vectors.ts";

type Pairs = readonly [id: string, score: number][];
type Vectors = {
  readonly cases: readonly {
    readonly plan: FusionPlan;
    readonly dense: Pairs;
    readonly keyword: Pairs;
    readonly fused: Pairs;
  }[];
};

function hits(pairs: Pairs): Hit[] {
  return pairs.map(([id, score]) => ({ chunkId: id as ChunkId, score }));
}

test.each(loadVectors<Vectors>("fusion").cases)(
  "scores and order of $plan.kind are equal, to the bit",
  ({ plan, dense, keyword, fused }) => {
    expect(fuse(hits(dense), hits(keyword), plan)).toEqual(hits(fused));
  },
);
