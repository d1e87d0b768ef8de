import { expect, test } from "vitest";
import { encodeJson } from "../../src/rag/json.ts";

test("keys keep the order of a map, numbers included, or are sorted by code points", () => {
  const members = new Map([
    ["10", 1],
    ["2", 2],
    ["\u{1f600}", 3],
    ["\uffff", 4],
  ]);
  expect(encodeJson(members)).toBe('{"10":1,"2":2,"\u{1f600}":3,"\uffff":4}');
  expect(encodeJson(members, { isSorted: true })).toBe('{"10":1,"2":2,"\uffff":4,"\u{1f600}":3}');
});

test.each([
  [1, "1"],
  [-0, "0"],
  [1e21, "1000000000000000000000"],
  [0.1, "0.1"],
  [0.00001234, "0.00001234"],
  [0.000001234, "1.234e-6"],
  [-1.5e-7, "-1.5e-7"],
  [Number.NaN, "null"],
  [Number.NEGATIVE_INFINITY, "null"],
])("the number %d is written %s", (value, written) => {
  expect(encodeJson(value)).toBe(written);
});

test("levels are indented, and what is empty stays on its line", () => {
  expect(encodeJson({ a: [], b: {}, c: [1, { d: null }] }, { indent: 2 })).toBe(
    JSON.stringify({ a: [], b: {}, c: [1, { d: null }] }, null, 2),
  );
});
