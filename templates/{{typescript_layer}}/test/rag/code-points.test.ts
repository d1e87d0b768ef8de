import fc from "fast-check";
import { expect, test } from "vitest";

import {
  codePointOffsets,
  compareCodePoints,
  countCodePoints,
  isBlank,
  sliceCodePoints,
  splitBlanks,
  stringIndices,
  trimBlanks,
  trimBlanksEnd,
  trimBlanksStart,
} from "../../src/rag/code-points.ts";

const text = fc.string({ unit: "binary" });

test("slices count code points", () => {
  expect(sliceCodePoints("a😀b𝒳c", 1, 4)).toBe("😀b𝒳");
  fc.assert(
    fc.property(text, fc.nat(20), fc.nat(20), (it, start, length) => {
      const expected = [...it].slice(start, start + length).join("");
      expect(sliceCodePoints(it, start, start + length)).toBe(expected);
    }),
  );
});

test("offsets and indices are each other's inverse at every character", () => {
  fc.assert(
    fc.property(text, (it) => {
      const offsets = [...it, ""].map((_, offset) => offset);
      expect(codePointOffsets(it, stringIndices(it, offsets))).toEqual(offsets);
      expect(countCodePoints(it)).toBe([...it].length);
    }),
  );
});

test("text is ordered as its UTF-8 bytes are", () => {
  expect(["\uffee", "😀", "a", ""].sort(compareCodePoints)).toEqual(["", "a", "\uffee", "😀"]);
  fc.assert(
    fc.property(text, text, (left, right) => {
      const expected = Buffer.compare(Buffer.from(left), Buffer.from(right));
      expect(Math.sign(compareCodePoints(left, right))).toBe(expected);
    }),
  );
});

test("blanks are those of Python", () => {
  expect(isBlank(" \t\n\x1c\x85\u3000")).toBe(true);
  expect(isBlank("\ufeff")).toBe(false);
  expect(splitBlanks("\x1fa\x85b \u2028c\ufeff ")).toEqual(["a", "b", "c\ufeff"]);
  expect(trimBlanks("\x1c a b\x85")).toBe("a b");
  expect(trimBlanksStart(" a ")).toBe("a ");
  expect(trimBlanksEnd(" a ")).toBe(" a");
});
