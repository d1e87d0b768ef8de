import { expect, test } from "vitest";
import { GenerationError } from "../../../src/rag/errors.ts";
import { buildAnthropicGenerator } from "../../../src/rag/generate/anthropic.ts";
import { DECLINED, REPLY_SCHEMA } from "../../../src/rag/generate/reply.ts";
import { openAnthropic } from "../../../src/rag/sdks.ts";
import { type Answered, inTurn, serve } from "../../fixtures/server.ts";

const FILLED = { answer: "a", citations: [], declined: false };
const CALL = { type: "tool_use", id: "t1", name: "reply", input: FILLED };

function message(content: readonly object[], stop = "tool_use"): Answered {
  return {
    body: {
      type: "message",
      content,
      stop_reason: stop,
      usage: { input_tokens: 11, output_tokens: 5 },
    },
  };
}

async function ask(answered: Answered) {
  const server = await serve(inTurn(answered));
  const sdk = await openAnthropic(server.url, {
    error: GenerationError,
    timeoutS: 5,
    sleep: async () => undefined,
  });
  const generator = buildAnthropicGenerator(sdk, { model: "m", maxTokens: 9 });
  const reply = generator.generate({ system: "the rules", user: "the passages" }, "", []);
  return { reply, requests: server.requests };
}

test("it sends the prompt and takes the input of the tool", async () => {
  const { reply, requests } = await ask(message([{ type: "text", text: "Let me see." }, CALL]));
  expect(JSON.parse((await reply).text)).toEqual(FILLED);
  expect(await reply).toMatchObject({
    usage: { inputTokens: 11, outputTokens: 5 },
    truncated: false,
  });
  expect(requests).toMatchObject([
    {
      path: "/v1/messages",
      body: {
        model: "m",
        max_tokens: 9,
        system: "the rules",
        messages: [{ role: "user", content: "the passages" }],
        tools: [{ name: "reply", input_schema: REPLY_SCHEMA }],
        tool_choice: { name: "reply" },
      },
    },
  ]);
});

test("without a tool call the text is the reply", async () => {
  const blocks = ["a", "b"].map((text) => ({ type: "text", text }));
  const { reply } = await ask(message(blocks, "end_turn"));
  expect((await reply).text).toBe("ab");
});

test("a call without an input is an empty reply", async () => {
  const { reply } = await ask(message([{ type: "tool_use", name: "reply" }]));
  expect((await reply).text).toBe("");
});

test.each(["max_tokens", "model_context_window_exceeded"])(
  "a reply whose length ran out says so: %s",
  async (stop) => {
    const { reply } = await ask(message([CALL], stop));
    expect((await reply).truncated).toBe(true);
  },
);

test("a model that refuses has declined", async () => {
  const { reply } = await ask(message([], "refusal"));
  expect((await reply).text).toBe(DECLINED);
});

test.each<[Answered, number]>([
  [{ status: 401, body: { error: { type: "authentication_error" } } }, 1],
  [{ status: 529, body: { error: {} } }, 3],
  [{ body: [] }, 1],
])("a failing provider is an error that names the call: %j", async (answered, calls) => {
  const { reply, requests } = await ask(answered);
  await expect(reply).rejects.toThrow(/POST http:\/\/.*\/v1\/messages/);
  expect(requests.length).toBe(calls);
});
