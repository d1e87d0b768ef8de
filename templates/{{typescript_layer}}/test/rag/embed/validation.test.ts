import { expect, test } from "vitest";

import { validated } from "../../../src/rag/embed/validation.ts";
import { EmbeddingError } from "../../../src/rag/errors.ts";

function check(rows: readonly (readonly number[])[]) {
  const values = Float32Array.from(rows.flat());
  const vectors = { rows: rows.length, dimensions: rows[0]?.length ?? 0, values };
  return validated(vectors, { rows: [7, 8], dimensions: 2, origin: "stub" });
}

test.each<[readonly [number, number], string]>([
  [[Number.NaN, 1], "holds NaN"],
  [[Number.POSITIVE_INFINITY, 1], "holds an infinity"],
  [[Number.NEGATIVE_INFINITY, Number.NaN], "holds NaN"],
  [[-0, 0], "holds only zeros"],
])("%j is refused with row and reason", (bad, reason) => {
  expect(() => check([[1, 2], bad])).toThrow(EmbeddingError);
  expect(() => check([[1, 2], bad])).toThrow(`stub: the vector of text 8 ${reason}`);
});

test("another number of rows, or another size, is refused", () => {
  expect(() => check([[1, 2]])).toThrow("stub returned 1 vectors for 2 texts");
  expect(() =>
    check([
      [1, 2, 3],
      [1, 2, 3],
    ]),
  ).toThrow("has 3 dimensions, expected 2");
});

test("vectors come out with length 1, tiny ones too", () => {
  expect([
    ...check([
      [3, 4],
      [0, 1e30],
    ]).values,
  ]).toEqual([0.6, 0.8, 0, 1].map(Math.fround));
  expect(
    check([
      [3e-30, 4e-30],
      [1, 0],
    ]).values[0],
  ).toBeCloseTo(0.6, 6);
});
