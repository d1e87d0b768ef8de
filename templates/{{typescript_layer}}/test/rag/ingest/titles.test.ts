import { expect, test } from "vitest";

import { markdownTitle, rstTitle, shorten } from "../../../src/rag/ingest/titles.ts";

test.each([
  ["# The *pump*, `v2` &amp; more #\n\ntext", "The pump, v2 & more"],
  ["Two lines  \nof one\n======\n", "Two lines of one"],
  ["## Second\n\n# First\n", "First"],
  ["> # quoted\n\n- # listed\n\n# Real\n", "Real"],
  ["#\n\n# Real\n", "Real"],
  ["---\ntitle: 'Stated'\n---\n\n## Second\n", "Stated"],
  ["---\ntitle: Stated\n---\n\n# Shown\n", "Shown"],
  [`${"word ".repeat(4000)}\n\n# Far\n`, "Far"],
  ["text\n", ""],
])("the title of %j", (text, title) => {
  expect(markdownTitle(text)).toBe(title);
});

test.each([
  ["=====\nTitle\n=====\n", "Title"],
  ["Short\n--\n\nA title\n=======\n", "A title"],
  ["text\n", ""],
])("the title of %j in reStructuredText", (text, title) => {
  expect(rstTitle(text)).toBe(title);
});

test("a title has one line of at most 300 characters", () => {
  expect(shorten(" a \n b\u2028c ")).toBe("a b c");
  expect(shorten("😀".repeat(400))).toBe("😀".repeat(300));
});
