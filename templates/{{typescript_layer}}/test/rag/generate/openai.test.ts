import { expect, test } from "vitest";
import { GenerationError } from "../../../src/rag/errors.ts";
import { buildOpenAiGenerator } from "../../../src/rag/generate/openai.ts";
import { DECLINED } from "../../../src/rag/generate/reply.ts";
import { openOpenAi } from "../../../src/rag/sdks.ts";
import { type Answered, inTurn, type Request, serve } from "../../fixtures/server.ts";

const PROMPT = { system: "the rules", user: "the passages" };
const USAGE = { inputTokens: 11, outputTokens: 5 };

function completion(content: string | null = "{}", finish = "stop", refusal?: string): Answered {
  return {
    body: {
      choices: [{ message: { content, refusal }, finish_reason: finish }],
      usage: { prompt_tokens: 11, completion_tokens: 5 },
    },
  };
}

async function generatorOf(reply: (request: Request) => Answered) {
  const server = await serve(reply);
  const sdk = await openOpenAi(`${server.url}/v1`, {
    error: GenerationError,
    timeoutS: 5,
    apiKey: "secret-key",
    sleep: async () => undefined,
  });
  const generator = buildOpenAiGenerator(sdk, { model: "m", maxTokens: 9 });
  return { ask: () => generator.generate(PROMPT, "", []), requests: server.requests };
}

test("it sends the prompt and the form of the reply", async () => {
  const { ask, requests } = await generatorOf(inTurn(completion("text")));
  expect(await ask()).toEqual({ text: "text", usage: USAGE, truncated: false });
  expect(requests).toMatchObject([
    {
      path: "/v1/chat/completions",
      headers: { authorization: "Bearer secret-key" },
      body: {
        model: "m",
        max_tokens: 9,
        temperature: 0,
        messages: [
          { role: "system", content: "the rules" },
          { role: "user", content: "the passages" },
        ],
        response_format: { json_schema: { strict: true } },
      },
    },
  ]);
});

test("a reply whose length ran out says so", async () => {
  const { ask } = await generatorOf(inTurn(completion('{"answer": "', "length")));
  expect((await ask()).truncated).toBe(true);
});

test.each([
  completion(null, "stop", "I can't help with that."),
  completion(null, "content_filter"),
])("a model that refuses has declined: %j", async (answered) => {
  const { ask } = await generatorOf(inTurn(answered));
  expect(await ask()).toMatchObject({ text: DECLINED, usage: USAGE });
});

test.each([completion(null), completion(""), { body: { choices: [] } }])(
  "an empty completion is an empty reply: %j",
  async (answered) => {
    const { ask } = await generatorOf(inTurn(answered));
    expect((await ask()).text).toBe("");
  },
);

const REFUSED: Readonly<Record<string, readonly [string, string]>> = {
  response_format: ["response_format", "'response_format' is not supported by this model"],
  json_schema: ["response_format", "unknown type json_schema"],
  temperature: ["temperature", "'temperature' does not support 0 with this model"],
  max_tokens: ["max_tokens", "'max_tokens' is not supported: use 'max_completion_tokens'"],
};

test.each([...Object.keys(REFUSED).map((name) => [name]), Object.keys(REFUSED)].map((x) => [x]))(
  "it does without what the server refuses, and remembers: %j",
  async (fields) => {
    const { ask, requests } = await generatorOf(({ body }) => {
      for (const name of fields) {
        const [field = "", message = ""] = REFUSED[name] ?? [];
        if (field in (body as object)) return { status: 400, body: { error: { message } } };
      }
      return completion("text");
    });
    expect((await ask()).text).toBe("text");
    const calls = requests.length;
    expect((await ask()).text).toBe("text");
    expect(requests.length).toBe(calls + 1);
    const last = requests.at(-1)?.body as Record<string, unknown>;
    expect(last["max_tokens"] ?? last["max_completion_tokens"]).toBe(9);
  },
);

test("a request that stays refused is an error", async () => {
  const body = { error: { message: "the model `m` does not exist" } };
  const { ask, requests } = await generatorOf(inTurn({ status: 400, body }));
  await expect(ask()).rejects.toThrow("does not exist");
  expect(requests.length).toBe(1);
});

test.each<[string, Answered, number]>([
  ["wrong key", { status: 401, body: { error: { message: "bad key secret-key" } } }, 1],
  ["spent quota", { status: 429, body: { error: { code: "insufficient_quota" } } }, 1],
  ["no such model", { status: 404, body: { error: { message: "no model" } } }, 1],
  ["server error", { status: 500, body: { error: { message: "oops" } } }, 3],
  ["other shape", { body: { result: "text" } }, 1],
  ["no JSON", { body: "<html>gateway</html>" }, 1],
])("a failing provider is an error that names the call: %s", async (_, answered, calls) => {
  const { ask, requests } = await generatorOf(inTurn(answered));
  const error = await ask().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(GenerationError);
  expect((error as Error).message).toMatch(/POST http:\/\/.*\/v1\/chat\/completions/);
  expect((error as Error).message).not.toContain("secret-key");
  expect(requests.length).toBe(calls);
});

test("it answers after a busy server recovers", async () => {
  const { ask } = await generatorOf(inTurn({ status: 503, body: "busy" }, completion("text")));
  expect((await ask()).text).toBe("text");
});
