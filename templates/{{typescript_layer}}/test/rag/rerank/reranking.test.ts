import fc from "fast-check";
import { expect, test } from "vitest";
import { type Passage, type Reranker, requireReranked } from "../../../src/rag/contracts.ts";
import { RerankError } from "../../../src/rag/errors.ts";
import { rerank } from "../../../src/rag/rerank/reranking.ts";
import { CANDIDATES, makePassage } from "./passages.ts";

/** Gives the scores it was made with, or throws them. */
function scripted(scores: readonly number[] | Error): Reranker {
  return {
    async score() {
      if (scores instanceof Error) throw scores;
      return scores;
    },
  };
}

function run(
  candidates: readonly Passage[],
  scores: readonly number[] | Error,
  {
    weight = 0.5,
    topN = 5,
    log = () => {},
  }: Partial<{
    weight: number;
    topN: number;
    log: (event: string) => void;
  }> = {},
) {
  return rerank("pump", candidates, { reranker: scripted(scores), weight, topN, log });
}

const ids = ({ passages }: { readonly passages: readonly Passage[] }) =>
  passages.map(({ chunk }) => chunk.id).join(" ");

test("without a reranker the fused order is kept and cut", async () => {
  const reranked = await rerank("pump", CANDIDATES, { reranker: null, weight: 0.5, topN: 2 });
  expect(reranked.passages).toEqual(CANDIDATES.slice(0, 2));
  expect([reranked.query, reranked.status]).toEqual(["pump", "none"]);
});

test("the result is genuine", async () => {
  for (const scores of [[1, 2, 3, 4, 5], []]) {
    const reranked = await run(CANDIDATES, scores);
    expect(requireReranked(reranked)).toBe(reranked);
    expect(() => requireReranked({ ...reranked })).toThrow(TypeError);
  }
});

test("weight 1 is the reranker's order, and weight 0 the fused one", async () => {
  const scores = [-3, 10, 0, 2, 1];
  expect(ids(await run(CANDIDATES, scores, { weight: 1 }))).toBe("c2 c4 c5 c3 c1");
  expect(ids(await run(CANDIDATES, scores, { weight: 0 }))).toBe("c1 c2 c3 c4 c5");
});

test("scores are min-max normalised and mixed", async () => {
  const reranked = await run(CANDIDATES, [0, 100, 0, 0, 0], { weight: 0.25 });
  const found = reranked.passages.map(({ chunk, score }) => [chunk.id, score]);
  expect(found).toEqual([
    ["c2", 0.8125],
    ["c1", 0.75],
    ["c3", 0.375],
    ["c4", 0.1875],
    ["c5", 0],
  ]);
  expect(reranked.status).toBe("ok");
});

test("the cut comes after the mixing", async () => {
  expect(ids(await run(CANDIDATES, [0, 0, 0, 0, 9], { weight: 1, topN: 1 }))).toBe("c5");
});

test("ties keep ascending chunk id in any order of candidates", async () => {
  const tied = ["b", "c", "a"].map((name) => makePassage(name, "pump", 1));
  for (const order of [tied, tied.toReversed()]) {
    expect(ids(await run(order, [7, 7, 7]))).toBe("a b c");
  }
});

test("placings gain rank and score of the reranker", async () => {
  const { passages } = await run(CANDIDATES, [-3, 10, 0, 2, 1]);
  const placings = new Map(passages.map(({ chunk, placings }) => [String(chunk.id), placings]));
  expect(placings.get("c2")?.rerank).toEqual({ rank: 1, score: 10 });
  expect(placings.get("c1")?.rerank).toEqual({ rank: 5, score: -3 });
  expect(placings.get("c1")?.fused).toEqual(CANDIDATES[0]?.placings.fused);
  expect(CANDIDATES[0]?.placings).not.toHaveProperty("rerank");
});

test("no candidates give no passages", async () => {
  expect((await run([], [])).passages).toEqual([]);
});

test.each<[string, readonly number[] | Error]>([
  ["the reranker gave 3 scores for 5 passages", [1, 2, 3]],
  ["the reranker gave 6 scores for 5 passages", [1, 1, 1, 1, 1, 1]],
  ["the reranker gave NaN for passage 3", [1, 2, Number.NaN, 4, 5]],
  ["the reranker gave -Infinity for passage 5", [1, 2, 3, 4, -Infinity]],
  ["the reranker gave 3 for passage 3", [1, 2, "3" as never, 4, 5]],
  ["out of service", new RerankError("out of\nservice", { fix: "wait" })],
  ["RangeError: too slow", new RangeError("too slow")],
])("a failing reranker degrades to the fused order: %s", async (reason, scores) => {
  const logged: string[] = [];
  const reranked = await run(CANDIDATES, scores, { topN: 3, log: (event) => logged.push(event) });
  expect(reranked.passages).toEqual(CANDIDATES.slice(0, 3));
  expect(reranked.status).toBe(`degraded: ${reason}`);
  expect(logged).toEqual([`rerank.degraded candidates=5 reason=${reason}`]);
});

test("a lone surrogate in the query reaches no model", async () => {
  let asked = "";
  const reranker: Reranker = {
    async score(query, passages) {
      asked = query;
      return passages.map(() => 1);
    },
  };
  const reranked = await rerank("a\ud800 \u{1f600}", CANDIDATES, { reranker, weight: 1, topN: 1 });
  expect(asked).toBe("a? \u{1f600}");
  expect(reranked.query).toBe("a\ud800 \u{1f600}");
});

test("passages are the best candidates by falling score", async () => {
  const scores = fc.double({ min: -1e6, max: 1e6, noNaN: true });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(scores, scores), { maxLength: 12 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.integer({ min: 1, max: 15 }),
      async (scored, weight, topN) => {
        const name = (at: number) => `c${String(at).padStart(2, "0")}`;
        const candidates = scored.map(([fused], at) => makePassage(name(at), "pump", fused));
        const given = scored.map(([, score]) => score);
        const { passages } = await run(candidates, given, { weight, topN: 99 });
        expect(ids({ passages }).split(" ").sort()).toEqual(
          ids({ passages: candidates }).split(" "),
        );
        for (const { score } of passages) {
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(1 + 1e-9);
        }
        const order = passages.toSorted(
          (a, b) => b.score - a.score || (a.chunk.id < b.chunk.id ? -1 : 1),
        );
        expect(passages).toEqual(order);
        const cut = await run(candidates, given, { weight, topN });
        expect(cut.passages).toEqual(passages.slice(0, topN));
      },
    ),
  );
});
