import fc from "fast-check";
import { expect, test } from "vitest";
import { groupByDocument, splitGroups } from "../../../src/rag/evaluation/halves.ts";
import { query } from "./queries.ts";

function judged(documents: readonly (readonly number[])[]) {
  return documents.map((names, at) =>
    query(`q${at}`, "text", Object.fromEntries(names.map((name) => [`d${name}`, 1]))),
  );
}

test("sharing a document is transitive", () => {
  const [one, two, three, four] = groupByDocument(judged([[1], [1, 2], [2, 3], [4]]));
  expect([two, three]).toEqual([one, one]);
  expect(four).not.toBe(one);
});

test("the halves are whole and share no document", () => {
  const names = fc.array(fc.nat(30), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(fc.array(names, { maxLength: 40 }), fc.nat(9), (documents, seed) => {
      const queries = judged(documents);
      const groups = groupByDocument(queries);
      const [tuning, heldOut] = splitGroups(groups, seed);
      expect([...tuning, ...heldOut].sort((a, b) => a - b)).toEqual([...queries.keys()]);
      const documentsIn = (half: readonly number[]) =>
        new Set(half.flatMap((at) => [...(queries[at]?.relevant.keys() ?? [])]));
      const other = documentsIn(heldOut);
      expect([...documentsIn(tuning)].filter((name) => other.has(name))).toEqual([]);
      const largest = Math.max(1, ...groups.map((one) => groups.filter((g) => g === one).length));
      expect(Math.abs(tuning.length - heldOut.length)).toBeLessThanOrEqual(largest);
    }),
  );
});

test("another seed splits otherwise and the same seed alike", () => {
  const groups = Array.from({ length: 60 }, (_, at) => at);
  expect(splitGroups(groups, 1)).toEqual(splitGroups(groups, 1));
  expect(splitGroups(groups, 1)).not.toEqual(splitGroups(groups, 2));
});
