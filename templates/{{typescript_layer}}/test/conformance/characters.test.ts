import { expect, test } from "vitest";

import { isBlank } from "../../src/rag/code-points.ts";
import { caseFold, fold } from "../../src/rag/folding.ts";
import { loadVectors } from "./vectors.ts";

type Vectors = {
  readonly assigned: readonly number[];
  readonly classes: Readonly<Record<"letter" | "word" | "digit" | "blank", readonly number[]>>;
  readonly foldedCase: Readonly<Record<string, string>>;
  readonly withoutMarks: Readonly<Record<string, string>>;
};

const vectors = loadVectors<Vectors>("characters");
const assigned = [...characters(vectors.assigned)];

function* characters(bounds: readonly number[]): Generator<string> {
  for (let at = 0; at < bounds.length; at += 2) {
    for (let point = bounds[at] ?? 0; point < (bounds[at + 1] ?? 0); point += 1) {
      yield String.fromCodePoint(point);
    }
  }
}

function named(characters: readonly string[]): string[] {
  return characters.map((character) => character.codePointAt(0)?.toString(16) ?? "");
}

test("every character is known", () => {
  expect(assigned.length).toBeGreaterThan(144_000);
});

test("the case of every character folds alike", () => {
  const wrong = assigned.filter((it) => caseFold(it) !== (vectors.foldedCase[it] ?? it));
  expect(named(wrong)).toEqual([]);
});

test("the same marks are taken off", () => {
  const expected = (it: string) => vectors.withoutMarks[it] ?? it.normalize("NFKC");
  expect(named(assigned.filter((it) => fold(it) !== expected(it)))).toEqual([]);
});

test.each([
  ["letter", (it: string) => /^\p{L}$/u.test(it)],
  ["word", (it: string) => /^[\p{L}\p{N}_]$/u.test(it)],
  ["digit", (it: string) => /^\p{Nd}$/u.test(it)],
  ["blank", isBlank],
] as const)("a %s is the same in both languages", (name, isMember) => {
  const members = new Set(characters(vectors.classes[name]));
  expect(named(assigned.filter((it) => isMember(it) !== members.has(it)))).toEqual([]);
});
