import { describe, expect, test } from "vitest";
import type { ChunkId, Hit } from "../../../src/rag/contracts.ts";
import {
  convexFusion,
  type FusionPlan,
  fuse,
  reciprocalRankFusion,
} from "../../../src/rag/retrieve/fusion.ts";

const KINDS = ["convex", "rrf"] as const;

function ranking(scores: Readonly<Record<string, number>>): Hit[] {
  return Object.entries(scores).map(([id, score]) => ({ chunkId: id as ChunkId, score }));
}

function plan(kind: FusionPlan["kind"], denseWeight = 0.5, candidateK = 100): FusionPlan {
  return { kind, denseWeight, rankConstant: 60, candidateK };
}

const ids = (hits: readonly Hit[]) => hits.map(({ chunkId }) => chunkId).join("");

test("reciprocal rank counts ranks from one", () => {
  const legs = [
    { ranking: ranking({ a: 9, b: 1 }), weight: 1 },
    { ranking: ranking({ b: 5 }), weight: 1 },
  ];
  expect(reciprocalRankFusion(legs)).toEqual(ranking({ b: 1 / 62 + 1 / 61, a: 1 / 61 }));
});

test("convex fusion mixes normalised scores", () => {
  const legs = [
    { ranking: ranking({ a: 0.9, b: 0.5, c: 0.1 }), weight: 0.25 },
    { ranking: ranking({ c: 30, b: 10 }), weight: 0.75 },
  ];
  expect(convexFusion(legs)).toEqual(ranking({ c: 0.75, a: 0.25, b: 0.125 }));
});

test("a keyword leg that holds every match is measured from zero", () => {
  const dense = ranking({ x: 0.9, y: 0.1 });
  const keyword = ranking({ a: 8, b: 6 });
  const whole = fuse(dense, keyword, plan("convex", 0.5, 3));
  expect(whole).toEqual(ranking({ a: 0.5, x: 0.5, b: 0.375, y: 0 }));
  const cutOff = fuse(dense, keyword, plan("convex", 0.5, 2));
  expect(cutOff).toEqual(ranking({ a: 0.5, x: 0.5, b: 0, y: 0 }));
});

test("a negative rank constant is refused", () => {
  expect(() => reciprocalRankFusion([], -1)).toThrow("rankConstant must be >= 0, got -1");
});

describe.each(KINDS)("%s", (kind) => {
  test("ties are ordered by chunk id", () => {
    expect(ids(fuse(ranking({ b: 1, z: 1 }), ranking({ a: 1, z: 1 }), plan(kind)))[0]).toBe("z");
    const again = fuse(ranking({ z: 1, b: 1 }), ranking({ z: 1, a: 1 }), plan(kind));
    expect(ids(again)).toBe("zab");
  });

  test("a chunk has one vote per leg", () => {
    const once = ranking({ a: 2, b: 1 });
    expect(fuse([...once, ...ranking({ a: 2 })], [], plan(kind))).toEqual(
      fuse(once, [], plan(kind)),
    );
  });

  test("an empty leg leaves the other one's order", () => {
    expect(ids(fuse([], ranking({ a: 3, b: 2, c: 1 }), plan(kind)))).toBe("abc");
    expect(fuse([], [], plan(kind))).toEqual([]);
  });

  test.each([
    [0, "kw"],
    [1, "de"],
  ])("of dense weight %d keeps %s alone", (weight, kept) => {
    const fused = fuse(ranking({ d: 2, e: 1 }), ranking({ k: 2, w: 1 }), plan(kind, weight));
    expect(ids(fused)).toBe(kept);
  });

  test("only the candidate depth of each leg counts", () => {
    const fused = fuse(ranking({ a: 3, b: 2 }), ranking({ c: 3, d: 2 }), plan(kind, 0.5, 1));
    expect([...ids(fused)].sort()).toEqual(["a", "c"]);
  });
});
