import { expect, test } from "vitest";
import { answer } from "../../../src/rag/generate/answer.ts";
import { buildGenerator } from "../../../src/rag/generate/providers.ts";
import { rerankedOf } from "../../fixtures/passages.ts";
import { inTurn, serve } from "../../fixtures/server.ts";

const QUOTING = {
  answer: "30 days [1]",
  citations: [{ passage: 1, quote: "30 days" }],
  declined: false,
};

test.each(["extractive", "echo"])("%s answers without a key or a server", async (provider) => {
  const passages = await rerankedOf(["Returns take 30 days."]);
  const generator = await buildGenerator(provider);
  const reply = await answer("returns", passages, { generator, minSimilarity: 0 });
  expect(reply).toMatchObject({ citations: [{ quote: "Returns take 30 days." }] });
});

test("echo declines when no passage holds a word", async () => {
  const generator = await buildGenerator("echo");
  const passages = await rerankedOf(["...", "\n"]);
  const reply = await answer("returns", passages, { generator, minSimilarity: 0 });
  expect(reply).toMatchObject({ reason: "declined" });
});

test("openai answers from any compatible server, without a key if need be", async () => {
  const body = { choices: [{ message: { content: JSON.stringify(QUOTING) } }] };
  const server = await serve(inTurn({ body }));
  const generator = await buildGenerator("openai", { baseUrl: `${server.url}/v1/` });
  const passages = await rerankedOf(["30 days"]);
  const reply = await answer("returns", passages, { generator, minSimilarity: 0 });
  expect(reply.kind).toBe("answer");
  expect(server.requests[0]?.path).toBe("/v1/chat/completions");
  expect(server.requests[0]?.headers).not.toHaveProperty("authorization");
});

test.each(["", "/", "/v1", "/v1/"])("anthropic takes an address that ends %j", async (path) => {
  const body = { content: [{ type: "tool_use", name: "reply", input: QUOTING }] };
  const server = await serve(inTurn({ body }));
  const baseUrl = server.url + path;
  const generator = await buildGenerator("anthropic", { baseUrl, apiKey: "k" });
  const passages = await rerankedOf(["30 days"]);
  const reply = await answer("returns", passages, { generator, minSimilarity: 0 });
  expect(reply.kind).toBe("answer");
  expect(server.requests[0]).toMatchObject({
    path: "/v1/messages",
    headers: { authorization: "Bearer k", "anthropic-version": expect.stringMatching(/^20/) },
  });
});

test.each(["openai", "anthropic"])("the own address of %s needs a key", async (provider) => {
  await expect(buildGenerator(provider)).rejects.toThrow("needs an API key");
});

test("an unknown provider is refused with the list of what there is", async () => {
  await expect(buildGenerator("oracle")).rejects.toThrow("extractive, echo, openai or anthropic");
});
