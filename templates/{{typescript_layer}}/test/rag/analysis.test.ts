import { expect, test } from "vitest";

import { buildAnalyzer, stopWords } from "../../src/rag/analysis.ts";
import { ConfigError } from "../../src/rag/errors.ts";

test.each(["klingon", "porter", "__proto__", ""])("'%s' is no language", (language) => {
  expect(() => buildAnalyzer(language)).toThrow(ConfigError);
  expect(() => buildAnalyzer(language)).toThrow(/Choose one of: auto, none, arabic, /);
});

test("stop words are left out, unless there is nothing else", () => {
  const { terms } = buildAnalyzer("english");
  expect(terms("the pump of the tank")).toEqual(["pump", "tank"]);
  expect(terms("to be or not to be")).toEqual(["to", "be", "or", "not", "to", "be"]);
  expect(stopWords().get("german")?.has("uber")).toBe(true);
});

test("identifiers are found whole and in parts", () => {
  const { terms } = buildAnalyzer("none");
  expect(terms("getUserName")).toEqual(["getusername", "get", "user", "name"]);
  expect(terms("rank_constant E-1234")).toEqual([
    ...["rank_constant", "rank", "constant", "e-1234", "e", "1234"],
  ]);
});

test("a repeated word is analysed as it was the first time", () => {
  const { terms } = buildAnalyzer("english");
  expect(terms("valves valves")).toEqual(["valv", "valv"]);
  expect(terms("valves")).toEqual(["valv"]);
});
