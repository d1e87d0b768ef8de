import fc from "fast-check";
import { expect, test } from "vitest";

import { findClusters } from "../../../src/rag/chunk/graphemes.ts";
import { countCodePoints } from "../../../src/rag/code-points.ts";

const UNITS = [..."ab é的\r\n", "\u0301", "\u200d", "🇩", "👨", "🏽", "क", "्", "ष", "ᄀ", "ᅡ", "𝒳"];
const texts = fc.array(fc.constantFrom(...UNITS), { maxLength: 40 }).map((it) => it.join(""));

/** What the platform finds in the whole text. */
function clustersOf(text: string): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  let start = 0;
  for (const { segment } of new Intl.Segmenter("en").segment(text)) {
    const end = start + countCodePoints(segment);
    if (end - start > 1) found.push({ start, end });
    start = end;
  }
  return found;
}

test("clusters are those that the platform finds in the whole text", () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(findClusters(text, 1000).spans).toEqual(clustersOf(text));
    }),
  );
});

test.each([
  ["🇩🇪", "x"],
  ["👨‍👩‍👧‍👦", ""],
  ["👨🏽", ""],
  ["e\u0301", "xx"],
  ["क्षि ", ""],
  [`a${"\u0301".repeat(700)}`, ""],
])("clusters are found across slices: %s after '%s'", (cluster, lead) => {
  const text = lead + cluster.repeat(900);
  expect(findClusters(text, 1000).spans).toEqual(clustersOf(text));
});

test("a place inside a cluster moves to one of its ends", () => {
  const { floor, ceil } = findClusters("a👨‍👩b", 10);
  expect([0, 1, 2, 3, 4].map(floor)).toEqual([0, 1, 1, 1, 4]);
  expect([0, 1, 2, 3, 4].map(ceil)).toEqual([0, 1, 4, 4, 4]);
});

test("a cluster longer than a chunk counts as several", () => {
  const spans = [0, 3, 6].map((start) => ({ start, end: start + 3 }));
  expect(findClusters(`e${"\u0301".repeat(8)}`, 3).spans).toEqual(spans);
});
