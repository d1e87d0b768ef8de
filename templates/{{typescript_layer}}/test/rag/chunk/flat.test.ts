import fc from "fast-check";
import { expect, test } from "vitest";

import { flatten } from "../../../src/rag/chunk/flat.ts";
import { sliceCodePoints } from "../../../src/rag/code-points.ts";

test("every character is one unit, and slices give what stands there", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.nat(9), fc.nat(9), (text, start, length) => {
      const flat = flatten(text);
      expect(flat.text).toHaveLength([...text].length);
      expect(flat.slice(start, start + length)).toBe(sliceCodePoints(text, start, start + length));
    }),
  );
});

test("a stand-in has the case of what it stands for", () => {
  expect(flatten("𝑎A𝒳").text).toBe("aA\ufffd");
});
