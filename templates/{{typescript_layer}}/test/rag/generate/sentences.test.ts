import fc from "fast-check";
import { expect, test } from "vitest";
import { splitSentences } from "../../../src/rag/generate/sentences.ts";

const SPLITS: Readonly<Record<string, readonly string[]>> = {
  "One here. Two there! Three?": ["One here.", "Two there!", "Three?"],
  "It wraps\nover lines. Then ends.": ["It wraps\nover lines.", "Then ends."],
  "# Heading\n\nText.": ["Text."],
  "Setext\n======\nText.": ["Setext", "Text."],
  "- one\n  goes on\n- two": ["one\n  goes on", "two"],
  "1. first\n2. second": ["first", "second"],
  "| a | b |\n| 1 | 2 |": ["| a | b |", "| 1 | 2 |"],
  "```py\nx = 1\n```\nAfter.": ["x = 1", "After."],
  "Use it, e.g. here. Version 3.11 is new.": ["Use it, e.g. here.", "Version 3.11 is new."],
  'He said "no." Then left.': ['He said "no."', "Then left."],
  "退货政策是三十天。第二句。": ["退货政策是三十天。", "第二句。"],
  "Smile 😀. Then go.": ["Smile 😀.", "Then go."],
  "No stop at the end": ["No stop at the end"],
  "": [],
  "\n \n": [],
};

test.each(Object.entries(SPLITS))("each span of %j is one statement", (text, expected) => {
  const spans = [...splitSentences(text)];
  expect(spans.map(({ start, end }) => text.slice(start, end))).toEqual(expected);
});

test("spans are in order, apart and not blank", () => {
  const unit = fc.constantFrom(..."ab. \n-|#`>1!。");
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 200 }), (text) => {
      let reached = 0;
      for (const { start, end } of splitSentences(text)) {
        expect(start).toBeGreaterThanOrEqual(reached);
        expect(end).toBeGreaterThan(start);
        expect(text.slice(start, end)).toBe(text.slice(start, end).trim());
        reached = end;
      }
      expect(reached).toBeLessThanOrEqual(text.length);
    }),
  );
});
