import { expect, test } from "vitest";
import { ConfigError } from "../../../src/rag/errors.ts";
import { buildReranker } from "../../../src/rag/rerank/build.ts";
import { CANDIDATES } from "./passages.ts";

test("none is no reranker", async () => {
  expect(await buildReranker("none")).toBeNull();
});

test("an unknown kind is refused with a list", async () => {
  const built = buildReranker("magic");
  await expect(built).rejects.toThrow(ConfigError);
  await expect(built).rejects.toThrow("no reranker 'magic'; there are: none, lexical, http");
});

test("http needs an address", async () => {
  await expect(buildReranker("http")).rejects.toThrow(ConfigError);
});

test.each(["", "pump", "\ud800", "PUMP tank \u{1f600}"])(
  "lexical gives one score from 0 to 1 for each passage: %j",
  async (query) => {
    const reranker = await buildReranker("lexical");
    const scores = (await reranker?.score(query, CANDIDATES)) ?? [];
    expect(scores.length).toBe(5);
    expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true);
    expect(await reranker?.score(query, [])).toEqual([]);
  },
);

test("a lexical score is the share of the query's distinct words", async () => {
  const reranker = await buildReranker("lexical");
  expect(await reranker?.score("Pump pump TANK year", CANDIDATES)).toEqual([2 / 3, 0, 1 / 3, 0, 1]);
});
