import fc from "fast-check";
import { expect, test } from "vitest";
import { compareCodePoints } from "../../../src/rag/code-points.ts";
import { buildOccurrences } from "../../../src/rag/store/occurrences.ts";
import { BLOCK, decode, encode, merge, naturalLog } from "../../../src/rag/store/postings.ts";

const POSTINGS = fc
  .array(fc.tuple(fc.nat(BLOCK - 1), fc.integer({ min: 1, max: 400 })), { maxLength: 20 })
  .map((entries) => new Map(entries));

function encoded(postings: ReadonlyMap<number, number>): Buffer {
  const rising = [...postings].sort(([a], [b]) => a - b);
  return encode(
    rising.map(([offset]) => offset),
    rising.map(([, frequency]) => frequency),
  );
}

function decoded(postings: Buffer): Map<number, number> {
  const { offsets, frequencies } = decode(postings);
  return new Map([...offsets].map((offset, at) => [offset, frequencies[at] ?? 0]));
}

function sorted(postings: ReadonlyMap<number, number>): Map<number, number> {
  return new Map([...postings].sort(([a], [b]) => a - b));
}

function clipped(postings: ReadonlyMap<number, number>): Map<number, number> {
  return sorted(new Map([...postings].map(([at, count]) => [at, Math.min(count, 255)])));
}

test("what is encoded is decoded, with frequencies up to 255", () => {
  fc.assert(
    fc.property(POSTINGS, (postings) => {
      expect(decoded(encoded(postings))).toEqual(clipped(postings));
    }),
  );
});

test("bytes are the offsets as uint16, little-endian, and then the frequencies", () => {
  const blob = encode([1, 4095], [3, 300]);
  expect([...blob]).toEqual([1, 0, 0xff, 0x0f, 3, 255]);
});

test("postings at an odd address are decoded too", () => {
  const odd = Buffer.concat([Buffer.from([0]), encode([7, 300], [1, 2])]).subarray(1);
  expect(decoded(odd)).toEqual(
    new Map([
      [7, 1],
      [300, 2],
    ]),
  );
});

test("merging takes out what is removed, and puts in what is added over it", () => {
  fc.assert(
    fc.property(POSTINGS, POSTINGS, fc.array(fc.nat(BLOCK - 1)), (before, added, removed) => {
      const expected = clipped(before);
      for (const offset of removed) expected.delete(offset);
      for (const [offset, frequency] of clipped(added)) expected.set(offset, frequency);
      const merged = merge(encoded(before), removed, encoded(added));
      expect(decoded(merged)).toEqual(sorted(expected));
    }),
  );
});

test("occurrences are grouped by term and block, both rising, in any order of arrival", () => {
  const chunks = fc.uniqueArray(
    fc.tuple(fc.nat(3 * BLOCK), fc.array(fc.constantFrom("a", "b", "é", "\u{1f600}", "\uffee"))),
    { selector: ([number]) => number },
  );
  fc.assert(
    fc.property(chunks, (given) => {
      const occurrences = buildOccurrences();
      for (const [number, terms] of given) occurrences.append(number, terms);
      const expected = new Map<string, Map<number, number>>();
      for (const [number, terms] of given) {
        for (const term of terms) {
          const key = JSON.stringify([term, Math.floor(number / BLOCK)]);
          const counts = expected.get(key) ?? new Map();
          expected.set(key, counts.set(number % BLOCK, (counts.get(number % BLOCK) ?? 0) + 1));
        }
      }
      const groups = [...occurrences.grouped()];
      const found = groups.map(({ term, block, postings }) => {
        return [JSON.stringify([term, block]), decoded(postings)] as const;
      });
      expect(new Map(found)).toEqual(new Map([...expected].map(([key, at]) => [key, sorted(at)])));
      const order = groups.toSorted(
        (a, b) => compareCodePoints(a.term, b.term) || a.block - b.block,
      );
      expect(groups).toEqual(order);
    }),
  );
});

test("the logarithm is that of the library but for its last bits", () => {
  fc.assert(
    fc.property(fc.double({ min: 1, max: 1e12, noNaN: true }), (number) => {
      const exact = Math.log(number);
      expect(Math.abs(naturalLog(number) - exact)).toBeLessThanOrEqual(1e-15 * exact);
    }),
  );
});
