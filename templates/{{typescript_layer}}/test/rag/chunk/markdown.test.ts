import { expect, test } from "vitest";

import { flatten } from "../../../src/rag/chunk/flat.ts";
import { markdownBlocks } from "../../../src/rag/chunk/markdown.ts";
import type { Block } from "../../../src/rag/chunk/structure.ts";

function headings(text: string): [number, string][] {
  const found = markdownBlocks(flatten(text)).filter(({ kind }) => kind === "heading");
  return found.map(({ level, title }) => [level, title]);
}

test.each<[string, [number, string][]]>([
  [
    "# One\n\n## Two ##\n",
    [
      [1, "One"],
      [2, "Two"],
    ],
  ],
  [
    "Set\n===\n\nSub\n---\n",
    [
      [1, "Set"],
      [2, "Sub"],
    ],
  ],
  ["Two lines\nof one\n======\n", [[1, "Two lines of one"]]],
  ["````\n```\n# x\n```\n# y\n````\n", []],
  ["    # x\n", []],
  ["   # three blanks\n", [[1, "three blanks"]]],
  ["\\# escaped\n", []],
  ["<!--\n# x\n-->\n", []],
  ["# `v2` *of* [the](x) &amp; ![pump](y) <b>x</b>", [[1, "v2 of the & pump x"]]],
  ["# [Pump][p]\n\n[p]: /x\n", [[1, "Pump"]]],
  ["---\na: b\n# c\n---\n# x\n", [[1, "x"]]],
  ["| one\n---\n", [[2, "| one"]]],
])("headings of %j", (text, expected) => {
  expect(headings(text)).toEqual(expected);
});

function kinds(blocks: readonly Block[]): unknown[] {
  return blocks.map(({ kind, children }) => (children.length ? [kind, kinds(children)] : kind));
}

test.each<[string, unknown[]]>([
  ["a | b\n--|--\n1 | 2\n", [["table", ["prose", "prose"]]]],
  ["- a | b\n  --|--\n", [["group", [["group", [["table", ["prose"]]]]]]]],
  ["- a\n- b\n\n[x]: /y\n", [["group", ["prose", "prose"]], "prose"]],
  ["> a\n>\n> ```\n> x\n> ```\n", [["group", ["prose", "prose", "code"]]]],
  ["<div>\nx\n</div>\n\n* * *\n", ["prose", "prose"]],
])("blocks of %j", (text, expected) => {
  expect(kinds(markdownBlocks(flatten(text)))).toEqual(expected);
});
