import { createServer } from "node:net";
import { expect, test } from "vitest";
import { RerankError } from "../../../src/rag/errors.ts";
import { buildHttpReranker } from "../../../src/rag/rerank/http.ts";
import { rerank } from "../../../src/rag/rerank/reranking.ts";
import { buildJsonClient } from "../../../src/rag/transport.ts";
import { listen } from "../../fixtures/server.ts";
import { CANDIDATES } from "./passages.ts";

type Asked = {
  query: string;
  documents: string[];
  top_n: number;
  model?: string;
  texts?: string[];
};
type Result = { index: number; relevance_score?: number; score?: number };
type Fault = (results: Result[]) => unknown;

/** Scores by position, last best; `fault` changes the results, or is a response of its own. */
function run(fault: Fault = (results) => ({ results }), model = "m") {
  const requests: Asked[] = [];
  const client = buildJsonClient("https://rerank.test/v2/rerank", {
    error: RerankError,
    timeoutS: 5,
    headers: { authorization: "Bearer key" },
    fetch: async (_, init) => {
      const asked = JSON.parse(String(init?.body)) as Asked;
      requests.push(asked);
      const results = asked.documents.map((_, at) => ({ index: at, relevance_score: at / 10 }));
      const body = fault(results);
      return body instanceof Response ? body : new Response(JSON.stringify(body));
    },
  });
  const options = {
    reranker: buildHttpReranker(client, model),
    weight: 1,
    topN: 5,
    log: () => {},
  };
  return { requests, reranked: rerank("pump", CANDIDATES, options) };
}

async function idsOf({ reranked }: ReturnType<typeof run>): Promise<string> {
  return (await reranked).passages.map(({ chunk }) => chunk.id).join(" ");
}

test("query, documents and model are sent", async () => {
  const done = run();
  await done.reranked;
  const documents = CANDIDATES.map(({ chunk }) => chunk.text);
  expect(done.requests).toEqual([{ query: "pump", documents, top_n: 5, model: "m" }]);
});

test("scores are put back by index", async () => {
  expect(await idsOf(run((results) => ({ results: results.reverse() })))).toBe("c5 c4 c3 c2 c1");
});

test("the bare list of Text Embeddings Inference is read, and `texts` are sent to it", async () => {
  const bare = run((all) => all.map(({ index }) => ({ index, score: index / 10 })), "");
  expect(await idsOf(bare)).toBe("c5 c4 c3 c2 c1");
  expect(bare.requests[0]?.texts).toEqual(bare.requests[0]?.documents);
  expect(bare.requests[0]).not.toHaveProperty("model");
});

const withFirst =
  (change: Partial<Result>): Fault =>
  ([first, ...rest]) => ({ results: [{ ...first, ...change }, ...rest] });

test.each<[string, Fault]>([
  ["gave 3 scores for 5 passages", (results) => ({ results: results.slice(0, 3) })],
  ["index 9 makes no sense", withFirst({ index: 9 })],
  ["index -1 makes no sense", withFirst({ index: -1 })],
  ["index 1 makes no sense", withFirst({ index: 1 })],
  ["index 0 makes no sense", (results) => ({ results: results.map(({ index }) => ({ index })) })],
  [
    'starts with \'{"results":[{"index":0,"relevance_score":NaN}',
    (results) => new Response(JSON.stringify({ results }).replace("0}", "NaN}")),
  ],
  ["not the JSON expected", () => ({ detail: "none" })],
  ["not the JSON expected", () => new Response("<html>")],
  ["HTTP 401 no", () => new Response("no", { status: 401 })],
  ["insufficient_quota", () => new Response("insufficient_quota", { status: 429 })],
])("what makes no sense keeps the fused order and says why: %s", async (reason, fault) => {
  const done = run(fault);
  expect(await idsOf(done)).toBe("c1 c2 c3 c4 c5");
  expect((await done.reranked).status).toMatch(/^degraded: /);
  expect((await done.reranked).status).toContain(reason);
  expect(done.requests.length).toBe(1);
});

test("a hang keeps the fused order and says why", async () => {
  const url = await listen(createServer());
  const client = buildJsonClient(url, { error: RerankError, timeoutS: 0.3 });
  const reranker = buildHttpReranker(client, "m");
  const options = { reranker, weight: 1, topN: 5, log: () => {} };
  const { passages, status } = await rerank("pump", CANDIDATES, options);
  expect(passages).toEqual(CANDIDATES);
  expect(status).toMatch(/^degraded: .*no complete answer in time/);
});
