import fc from "fast-check";
import { expect, test } from "vitest";

import { chunkDocument } from "../../../src/rag/chunk/chunker.ts";
import { countCodePoints, isBlank, sliceCodePoints } from "../../../src/rag/code-points.ts";
import type { Chunk, Document, DocumentId } from "../../../src/rag/contracts.ts";

const FRAGMENTS = [
  ..."ab c.\n#-=|`>~*1!\té的한",
  ...["🇩🇪🇫🇷", "👨‍👩", "\u0301", "\u200d", "\u3000", "\u2028", "\x1c", "\ufeff", "𝒳"],
  ...["\n\n", "\n---\n", "```\n", "| a | b |\n|---|---|\n", "# h\n", "Title\n=====\n"],
  ...[
    "word ",
    "A sentence. ",
    "Stop. \u0301",
    "x\n\u0301y ",
    "    ",
    "::\n\n   x\n\n",
    "- a\n",
    "> ",
    "好。",
  ],
];
const texts = fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 60 }).map((it) => it.join(""));
const formats = fc.constantFrom("markdown", "text", "code", "rst", "html");
const sizes = fc
  .integer({ min: 1, max: 60 })
  .chain((chars) => fc.tuple(fc.constant(chars), fc.nat(chars - 1)));

function chunked(text: string, format: string, chunkChars: number, overlapChars: number): Chunk[] {
  const id = "guide" as DocumentId;
  const document: Document = { id, text, digest: "", source: id, title: "T", metadata: { format } };
  return chunkDocument(document, { chunkChars, overlapChars });
}

test("chunks are spans that rise, fit and hold all that is not blank", () => {
  fc.assert(
    fc.property(texts, formats, sizes, (text, format, [chars, overlap]) => {
      const chunks = chunked(text, format, chars, overlap);
      let reached = 0;
      for (const [ordinal, chunk] of chunks.entries()) {
        expect(chunk.ordinal).toBe(ordinal);
        expect(chunk.text).toBe(sliceCodePoints(text, chunk.start, chunk.end));
        expect(countCodePoints(chunk.text)).toBeLessThanOrEqual(chars);
        expect(isBlank(chunk.text)).toBe(false);
        expect(chunk.start).toBeGreaterThan(chunks[ordinal - 1]?.start ?? -1);
        expect(chunk.end).toBeGreaterThan(reached);
        expect(reached - chunk.start).toBeLessThanOrEqual(overlap);
        expect(isBlank(sliceCodePoints(text, reached, chunk.start))).toBe(true);
        reached = chunk.end;
      }
      expect(isBlank(sliceCodePoints(text, reached, countCodePoints(text)))).toBe(true);
      expect(new Set(chunks.map(({ id }) => id)).size).toBe(chunks.length);
    }),
  );
});

/** Ends of grapheme clusters, and every place in a cluster that no chunk could hold. */
function allowedCuts(text: string, longest: number): Set<number> {
  const cuts = new Set([0]);
  let end = 0;
  for (const { segment } of new Intl.Segmenter("en").segment(text)) {
    const length = countCodePoints(segment);
    if (length > longest) for (let at = 0; at < length; at += 1) cuts.add(end + at);
    end += length;
    cuts.add(end);
  }
  return cuts;
}

test("no cut is inside a grapheme", () => {
  fc.assert(
    fc.property(texts, formats, sizes, (text, format, [chars, overlap]) => {
      const cuts = allowedCuts(text, chars);
      for (const { start, end } of chunked(text, format, chars, overlap)) {
        expect([cuts.has(start), cuts.has(end)]).toEqual([true, true]);
      }
    }),
  );
});

test("a document that fits is one chunk", () => {
  fc.assert(
    fc.property(texts, formats, (text, format) => {
      const length = countCodePoints(text);
      const count = chunked(text, format, length + 1, length).length;
      expect(count).toBe(isBlank(text) ? 0 : 1);
    }),
  );
});

test("a run of one letter is cut hard, with the overlap that was asked for", () => {
  for (const format of ["markdown", "text", "code", "rst"]) {
    const chunks = chunked("a".repeat(5000), format, 1000, 200);
    expect(chunks.map(({ start }) => start)).toEqual([0, 800, 1600, 2400, 3200, 4000]);
    expect(chunks.map(({ end }) => end)).toEqual([1000, 1800, 2600, 3400, 4200, 5000]);
  }
});

test("one line of a megabyte is cut", () => {
  expect(chunked("x".repeat(1_000_000), "text", 1000, 0)).toHaveLength(1000);
});

test.each(["a", "。", ". ", "a\n", "# a\n", ">", "e\u0301", "पि ", "🇩🇪", "| a |\n", "\n "])(
  "time is linear in length: %j",
  (unit) => {
    function seconds(length: number): number {
      const text = unit.repeat(length / unit.length);
      // Whatever else the machine does only adds, so the least of some runs is the truest.
      const runs = Array.from({ length: 3 }, () => {
        const began = performance.now();
        chunked(text, "markdown", 800, 100);
        return performance.now() - began;
      });
      return Math.min(...runs) / 1000;
    }
    // Eight times the length would take 64 times as long if it were quadratic.
    const short = seconds(3000);
    expect(seconds(24_000)).toBeLessThan(28 * Math.max(short, 0.002));
  },
);

test("a paragraph added at the top leaves the other chunks' ids as they were", () => {
  const body = Array.from(
    { length: 30 },
    (_, part) => `Part ${part} of the text. ${"word ".repeat(20)}`,
  );
  const before = chunked(body.join("\n\n"), "text", 200, 0).map(({ id }) => id);
  const added = `New is this paragraph. ${"word ".repeat(30)}`;
  const after = chunked([added, ...body].join("\n\n"), "text", 200, 0).map(({ id }) => id);
  expect(after.length).toBeGreaterThan(before.length);
  expect(before.length).toBeGreaterThan(10);
  expect(before.filter((id) => !after.includes(id)).length).toBeLessThan(3);
});

test.each([
  [0, 0],
  [10, 10],
  [10, -1],
  [Number.NaN, 0],
])("%d characters with an overlap of %d are refused", (chunkChars, overlapChars) => {
  expect(() => chunked("x", "text", chunkChars, overlapChars)).toThrow(RangeError);
});

test("quotations nested without end are read", () => {
  expect(chunked(">>a", "markdown", 1, 0).map(({ text }) => text)).toEqual([">", ">", "a"]);
  expect(chunked(`${">".repeat(5000)}deep`, "markdown", 500, 0).at(-1)?.text).toMatch(/deep$/);
});
