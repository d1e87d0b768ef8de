import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Hit } from "../../../src/rag/contracts.ts";
import { openStore } from "../../../src/rag/store/reader.ts";
import { buildReference, draws, MANIFEST, newIndex, opened, write } from "./building.ts";

const WORDS = ["pump", "valve", "tank", "boiler", "water", "steam", "gauge", "pipe"];
const LIMITED = { numRuns: 30 };

/** Short texts of few words, so that scores tie often. */
function textsOf(seed: number): string[] {
  const numbers = draws(seed + 1, 60);
  const word = (at: number) => WORDS[Math.floor(((numbers[at] ?? 0) + 1) * 4) % 8] ?? "";
  return [0, 1, 2, 3, 4].map((text) =>
    Array.from({ length: 1 + ((seed + text) % 6) }, (_, at) => word(10 * text + at)).join(" "),
  );
}

const CORPUS = Object.fromEntries(
  Array.from({ length: 60 }, (_, at) => [`${"ab"[at % 2]}/${at}.md`, textsOf(at)]),
);
const REFERENCE = buildReference(CORPUS);

describe("an index of short texts", () => {
  let index: string;

  beforeAll(async () => {
    index = join(mkdtempSync(join(tmpdir(), "index-")), "index.sqlite");
    await write(index, CORPUS);
  });

  afterAll(() => rmSync(dirname(index), { recursive: true }));

  test("ranks and scores are those of Lucene, to the bit", () => {
    const query = fc.array(fc.constantFrom(...WORDS, "absent"), { minLength: 1, maxLength: 6 });
    const depths = fc.integer({ min: 1, max: 400 });
    const prefixes = fc.constantFrom("", "a/", "b/1", "none");
    const store = opened(index);
    fc.assert(
      fc.property(query, depths, prefixes, (terms, depth, prefix) => {
        const expected = REFERENCE.keyword(terms, { prefix }).slice(0, depth);
        expect(store.searchKeyword(terms, depth, { prefix })).toEqual(expected);
      }),
      LIMITED,
    );
  });

  test.each([
    [0, 0.75],
    [0.9, 0.4],
    [2, 0],
    [1.2, 1],
  ])("k1 %d and b %d are chosen when the index is opened", (k1, b) => {
    const store = openStore(index, MANIFEST, { bm25K1: k1, bm25B: b });
    const expected = REFERENCE.keyword(["pump", "steam"], { k1, b }).slice(0, 20);
    expect(store.searchKeyword(["pump", "steam"], 20)).toEqual(expected);
    store.close();
  });

  test.each([[[]], [["absent"]], [["\ud800"]], [['" OR 1=1 --', "\0", "*", "%"]]])(
    "no term is an error: %j",
    (terms) => {
      expect(opened(index).searchKeyword(terms, 9)).toEqual([]);
    },
  );

  test("a query of 20 kB is scored whole", () => {
    const terms = Array.from({ length: 4000 }, (_, at) => WORDS[at % 3] ?? "");
    const long = [...terms, ...Array.from({ length: 600 }, (_, at) => `absent${at}`)];
    expect(opened(index).searchKeyword(long, 9)).toEqual(REFERENCE.keyword(long).slice(0, 9));
  });

  test("matched terms add up to the score, which can be asked for any chunk", () => {
    const store = opened(index);
    const terms = ["pump", "steam", "pump", "absent"];
    const ids = REFERENCE.chunks.map(({ id }) => id);
    const scores = store.keywordScores(ids, terms);
    const byId = new Map(REFERENCE.keyword(terms).map((hit: Hit) => [hit.chunkId, hit.score]));
    expect(scores).toEqual(ids.map((id) => byId.get(id) ?? 0));
    const sums = store.matchedTerms(ids, terms).map((parts) => {
      expect([...parts.keys()]).not.toContain("absent");
      return [...parts.values()].reduce((sum, part) => sum + part, 0);
    });
    expect(sums).toEqual(scores);
  });
});

test("frequencies stop at 255 and lengths do not", async () => {
  const index = newIndex();
  const corpus = { "a.md": ["pump ".repeat(300).trim(), "pump ".repeat(255).trim(), "valve"] };
  await write(index, corpus);
  expect(opened(index).searchKeyword(["pump"], 9)).toEqual(
    buildReference(corpus).keyword(["pump"]),
  );
});
