/** Queries of every kind through the whole of retrieval, over an index made from files. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DEFAULTS, type Settings } from "../../src/rag/config.ts";
import { indexSources, newSummary } from "../../src/rag/indexing.ts";
import { openRetrieval } from "../../src/rag/retrieval.ts";
import { emptyFolder } from "../fixtures/folder.ts";

type Documents = Readonly<Record<string, string>>;
type Found = { readonly name: string; readonly score: number };

const CORPUS: Documents = {
  "returns.md": "# 退货政策\n\n收到商品后三十天内可以退货。\n",
  "hours.md": "# 营业时间\n\n每天早上九点开门。\n",
  "policy.md": "# Policy POL-358\n\nReturns are accepted for thirty days.\n",
  "policies.md": "# Policies\n\nAll of POL and 358 others, pol after pol, 358 in number.\n",
  "fusion.md": "# Fusion\n\nSet `rank_constant` to 60.\n",
  "ranks.md": "# Ranks\n\nA rank is not constant; the rank of a constant rank is constant.\n",
  "users.md": "# Accounts\n\nCall getUserName() first.\n",
};
const HOSTILE = [
  ...["don't", '"hi', "foo::bar", "3.11", "c++", "*", "AND OR NOT", "NEAR(a b)", "col:x", ""],
  ...["policy ".repeat(3000), "\ud800", "a\ud800b", "\0", "'; DROP TABLE chunk; --", "👩‍👩‍👧‍👦"],
];

/** A folder with its index: what is indexed there is searched there. */
function place(documents: Documents = CORPUS) {
  const root = emptyFolder();
  const corpus = join(root, "corpus");
  mkdirSync(corpus);
  for (const [name, text] of Object.entries(documents)) writeFileSync(join(corpus, name), text);
  const settings: Settings = {
    ...DEFAULTS,
    indexDir: join(root, "index"),
    embedding: "hash",
    rerank: "none",
    language: "english",
    fusion: "convex",
    denseWeight: 0,
    rerankTopN: 8,
  };
  return {
    async add(name: string, text: string) {
      writeFileSync(join(corpus, name), text);
      await indexSources(settings, corpus, newSummary());
    },
    async search(query: string, changed: Partial<Settings> = {}): Promise<Found[]> {
      await indexSources(settings, corpus, newSummary());
      const retrieval = await openRetrieval({ ...settings, ...changed });
      const { passages } = await retrieval.search(query);
      retrieval.close();
      return passages.map(({ chunk, score }) => ({ name: chunk.documentId, score }));
    },
  };
}

const names = (found: readonly Found[]) => found.map(({ name }) => name);

describe.each([0, 0.3, 1])("with dense weight %d", (denseWeight) => {
  test.each(HOSTILE.map((query, at) => [at, query] as const))(
    "any query has ranked passages or none (%i)",
    async (_, query) => {
      const scores = (await place().search(query, { denseWeight })).map(({ score }) => score);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    },
  );
});

test.each(["我想退货", "退货"])("Chinese is found by parts of its words: %s", async (query) => {
  expect(names(await place().search(query))).toEqual(["returns.md"]);
});

test("a query of stop words alone returns nothing of score 0", async () => {
  const found = await place({ ...CORPUS, "the.md": "of and the\n" }).search("the of and");
  expect(names(found)).toEqual(["the.md"]);
  expect(found.every(({ score }) => score > 0)).toBe(true);
});

test.each([
  ["POL-358", "policy.md", "policies.md"],
  ["rank_constant", "fusion.md", "ranks.md"],
  ["getUserName", "users.md", "users.md"],
  ["user name", "users.md", "users.md"],
])("of %s the exact identifier wins, and parts match too", async (query, best, also) => {
  const found = names(await place().search(query));
  expect(found[0]).toBe(best);
  expect(found).toContain(also);
});

test("more than there is gives what there is", async () => {
  const found = await place().search("policy", { denseWeight: 0.5, rerankTopN: 999 });
  expect(found).toHaveLength(Object.keys(CORPUS).length);
});

test("an empty corpus gives none", async () => {
  expect(await place({}).search("policy", { denseWeight: 0.5 })).toEqual([]);
});

test("an empty leg leaves the other", async () => {
  expect(await place().search("qwertz")).toEqual([]);
  expect(await place().search("qwertz", { denseWeight: 0.5 })).not.toEqual([]);
});

test("equal scores have one order, whatever came first", async () => {
  const text = "one and the same line\n";
  const all = place(Object.fromEntries([..."abcdef"].map((name) => [`${name}.txt`, text])));
  const first = await all.search("same line", { denseWeight: 0.5 });
  const singly = place({});
  for (const name of "fbdaec") await singly.add(`${name}.txt`, text);
  expect(first).toHaveLength(6);
  expect(await all.search("same line", { denseWeight: 0.5 })).toEqual(first);
  expect(await singly.search("same line", { denseWeight: 0.5 })).toEqual(first);
});
