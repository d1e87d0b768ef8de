/** Against a real server on the loopback address that misbehaves on purpose. */

import { expect, test } from "vitest";
import { buildEmbedder } from "../../../src/rag/embed/build.ts";
import { buildTextEmbedder } from "../../../src/rag/embed/embedder.ts";
import { buildHashEncoder } from "../../../src/rag/embed/hashing.ts";
import { buildOpenAiEncoder } from "../../../src/rag/embed/openai.ts";
import { EmbeddingError } from "../../../src/rag/errors.ts";
import { openOpenAi } from "../../../src/rag/sdks.ts";
import { fakeTime } from "../../fixtures/clock.ts";
import { type Answered, serve } from "../../fixtures/server.ts";

const TEXTS = ["pump", "tank", "valve"];
const DIMENSIONS = 8;

type Row = { readonly index: number; readonly embedding: readonly unknown[] };
type Fault = Answered | ((rows: readonly Row[]) => readonly unknown[]) | null;
type Asked = { readonly input: readonly string[]; readonly dimensions?: number };

/** Speaks OpenAI's `/embeddings`; `faults` are served first, in turn. */
async function endpoint(...faults: readonly Fault[]) {
  const queue = [...faults];
  const server = await serve(({ body }) => {
    const fault = queue.shift() ?? null;
    if (fault !== null && typeof fault !== "function") return fault;
    const { input, dimensions = DIMENSIONS } = body as Asked;
    const rows = input.map((text, index) => ({
      index,
      embedding: Array.from({ length: dimensions }, (_, at) => (at + 1) * (text.length + index)),
    }));
    // JSON has no NaN, and a server that writes one writes it so.
    const text = JSON.stringify({ data: fault ? fault(rows) : rows });
    return { body: text.replaceAll('"NaN"', "NaN") };
  });
  const { sleep, clock, waits } = fakeTime();
  const options = { error: EmbeddingError, timeoutS: 60, apiKey: "sk-secret", sleep, clock };
  const sdk = await openOpenAi(`${server.url}/v1`, options);
  const encoder = (dimensions = DIMENSIONS, model = "stub") =>
    buildOpenAiEncoder(sdk, { model, dimensions });
  return { ...server, waits, encoder };
}

async function refusal(fault: Fault): Promise<string> {
  const { encoder } = await endpoint(fault);
  const error = await buildTextEmbedder(encoder())
    .embedDocuments(TEXTS)
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(EmbeddingError);
  return (error as EmbeddingError).message;
}

test("model, dimensions and key are sent", async () => {
  const { url, requests } = await endpoint();
  const embedder = await buildEmbedder("openai", {
    model: "small",
    dimensions: 4,
    baseUrl: `${url}/v1`,
    apiKey: "sk-1",
  });
  const { rows, dimensions } = await embedder.embedDocuments(TEXTS);
  expect([rows, dimensions]).toEqual([3, 4]);
  expect(requests).toMatchObject([
    {
      path: "/v1/embeddings",
      headers: { authorization: "Bearer sk-1" },
      body: { model: "small", input: TEXTS, encoding_format: "float", dimensions: 4 },
    },
  ]);
});

test("rows are put in the order of their index", async () => {
  const plain = await endpoint();
  const mixed = await endpoint(([first, second, third]) => [third, first, second]);
  expect(await mixed.encoder().encode(TEXTS, "document")).toEqual(
    await plain.encoder().encode(TEXTS, "document"),
  );
});

test("missing, repeated and unasked rows are refused", async () => {
  expect(await refusal((rows) => rows.slice(0, 2))).toContain(
    "returned 2 rows, numbered [0, 1], for 3 texts",
  );
  expect(await refusal((rows) => [...rows.slice(0, 2), rows[1]])).toContain("numbered [0, 1, 1]");
  expect(await refusal((rows) => [...rows.slice(0, 2), { ...rows[2], index: 3 }])).toContain(
    "numbered [0, 1, 3]",
  );
});

test.each<[string, readonly unknown[], string]>([
  ["NaN", new Array<string>(8).fill("NaN"), "the vector of text 1 holds NaN"],
  ["an infinity", new Array<number>(8).fill(1e39), "the vector of text 1 holds an infinity"],
  ["zeros", new Array<number>(8).fill(0), "the vector of text 1 holds only zeros"],
  ["128 numbers", new Array<number>(128).fill(1), "vector 1 of 3 has 128 dimensions, expected 8"],
  ["null", new Array<null>(8).fill(null), "expected number - at `$.data[1].embedding[0]`"],
])("an unusable vector is refused with row and reason: %s", async (_, embedding, reason) => {
  const fault = ([first, , third]: readonly Row[]) => [first, { index: 1, embedding }, third];
  expect(await refusal(fault)).toContain(reason);
});

test("an unknown model's dimensions are asked for once", async () => {
  const { encoder, requests } = await endpoint();
  const unknown = encoder(0);
  const profiles = await Promise.all([unknown.profile(), unknown.profile()]);
  expect(profiles.map(({ dimensions }) => dimensions)).toEqual([8, 8]);
  expect(requests.map(({ body }) => body)).toEqual([
    { model: "stub", input: ["dimensions"], encoding_format: "float" },
  ]);
});

test("an answer that failed is not remembered as the model's dimensions", async () => {
  const { encoder } = await endpoint({ status: 400 }, null);
  const unknown = encoder(0);
  await expect(unknown.profile()).rejects.toThrow(EmbeddingError);
  expect((await unknown.profile()).dimensions).toBe(8);
});

test("a known model's dimensions are not asked for", async () => {
  const { encoder, requests } = await endpoint();
  const { dimensions } = await encoder(0, "text-embedding-3-small").profile();
  expect([dimensions, requests.length]).toEqual([1536, 0]);
});

test("a busy endpoint is waited for", async () => {
  const busy = { status: 429, headers: { "Retry-After": "2" } };
  const { encoder, requests, waits } = await endpoint(busy, { status: 500 });
  const { rows } = await buildTextEmbedder(encoder()).embedDocuments(TEXTS);
  expect([rows, requests.length]).toEqual([3, 3]);
  expect(waits[0]).toBeGreaterThanOrEqual(2000);
});

test("a spent quota stops at once", async () => {
  const body = { error: { type: "insufficient_quota" } };
  expect(await refusal({ status: 429, body })).toContain("quota is used up");
});

test("hash needs no server, and an unknown provider is refused", async () => {
  const embedder = await buildEmbedder("hash", { dimensions: 64 });
  expect((await embedder.identity()).dimensions).toBe(64);
  expect((await buildHashEncoder().profile()).dimensions).toBe(256);
  await expect(buildEmbedder("oracle")).rejects.toThrow("there are: hash, openai");
});
