import fc from "fast-check";
import { expect, test } from "vitest";

import { countCodePoints } from "../../../src/rag/code-points.ts";
import { batches, cutToFit } from "../../../src/rag/embed/windows.ts";

const characters = (texts: readonly string[]) => texts.map(countCodePoints);

test("windows together are the text and fit", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), fc.nat(49), (text, limit) => {
      const windows = cutToFit(text, limit + 1, characters);
      expect(windows.join("")).toBe(text);
      expect(Math.max(...characters(windows))).toBeLessThanOrEqual(limit + 1);
    }),
  );
});

test("a character of many tokens is not cut for ever", () => {
  const count = (texts: readonly string[]) => texts.map((text) => 4 * countCodePoints(text));
  expect(cutToFit("👪👪", 1, count)).toEqual(["👪", "👪"]);
});

test("windows are of near-equal size and end after white space", () => {
  const windows = cutToFit("pump tank ".repeat(100), 300, characters);
  expect(windows).toHaveLength(4);
  expect(windows.every((window) => window.endsWith(" "))).toBe(true);
});

test("batches hold everything once, within both limits", () => {
  const sizes = fc.array(fc.array(fc.nat(50), { minLength: 1, maxLength: 4 }), { maxLength: 40 });
  fc.assert(
    fc.property(sizes, fc.nat(7), fc.nat(59), (texts, most, mostTokens) => {
      const limits = { most: most + 1, mostTokens: mostTokens + 1 };
      const parts = [...batches(texts, limits)].map(({ start, end }) => texts.slice(start, end));
      expect(parts.flat()).toEqual(texts);
      expect(parts.every(({ length }) => length > 0)).toBe(true);
      for (const part of parts.filter(({ length }) => length > 1)) {
        expect(part.flat().length).toBeLessThanOrEqual(limits.most);
        expect(part.flat().reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(
          limits.mostTokens,
        );
      }
    }),
  );
});
