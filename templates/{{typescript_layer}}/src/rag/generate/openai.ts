/** Chat completions, of OpenAI or of any server that speaks the same. */

import * as z from "zod";
import type { Generator, Reply } from "../contracts.ts";
import { GenerationError } from "../errors.ts";
import type { ChatRequest, OpenAiSdk } from "../sdks.ts";
import { StatusError } from "../statuses.ts";
import { DECLINED, REPLY_SCHEMA } from "./reply.ts";

/** Fields of a request that some servers and models refuse, and that one can do without. */
const OPTIONAL = ["response_format", "temperature"] as const;

const completion = z.object({
  choices: z.array(
    z.object({
      message: z.object({
        content: z.string().nullable().default(null),
        refusal: z.string().nullable().default(null),
      }),
      finish_reason: z.string().nullable().default(null),
    }),
  ),
  usage: z
    .object({ prompt_tokens: z.int().default(0), completion_tokens: z.int().default(0) })
    .nullable()
    .default(null),
});

type Options = Readonly<Omit<ChatRequest, "messages">>;

/**
 * Asks for the reply's form by JSON Schema, and does without where that is refused.
 *
 * `generate` sends the prompt; question and passages are in it already. It throws a
 * GenerationError when no completion could be had.
 */
export function buildOpenAiGenerator(
  sdk: OpenAiSdk,
  { model, maxTokens }: { readonly model: string; readonly maxTokens: number },
): Generator {
  let options: Options = {
    model,
    max_tokens: maxTokens,
    temperature: 0,
    response_format: {
      type: "json_schema",
      json_schema: { name: "reply", strict: true, schema: REPLY_SCHEMA },
    },
  };
  return {
    async generate(prompt) {
      const messages: ChatRequest["messages"] = [
        { role: "system", content: prompt.system },
        { role: "user", content: prompt.user },
      ];
      for (;;) {
        try {
          const request = { ...options, messages };
          return replyOf(
            await sdk.call(({ chat }) => chat.completions.create(request), completion),
          );
        } catch (error) {
          const accepted = withoutRefused(options, error);
          if (accepted === null) throw error;
          options = accepted;
        }
      }
    },
  };
}

function replyOf({ choices, usage: spent }: z.infer<typeof completion>): Reply {
  const usage = {
    inputTokens: spent?.prompt_tokens ?? 0,
    outputTokens: spent?.completion_tokens ?? 0,
  };
  const [choice] = choices;
  if (choice === undefined) return { text: "", usage, truncated: false };
  if (choice.message.refusal || choice.finish_reason === "content_filter") {
    return { text: DECLINED, usage, truncated: false };
  }
  return {
    text: choice.message.content ?? "",
    usage,
    truncated: choice.finish_reason === "length",
  };
}

/** Options that leave out or rename what the server named as it refused; null: nothing is. */
function withoutRefused(options: Options, error: unknown): Options | null {
  if (!(error instanceof GenerationError) || !(error.cause instanceof StatusError)) return null;
  const { status, body } = error.cause;
  if (status !== 400 && status !== 422) return null;
  if ("max_tokens" in options && body.includes("max_completion_tokens")) {
    const { max_tokens, ...kept } = options;
    return { ...kept, max_completion_tokens: max_tokens ?? null };
  }
  const refused = OPTIONAL.filter((name) => name in options && body.includes(name));
  if (body.includes("json_schema") && "response_format" in options) refused.push("response_format");
  if (refused.length === 0) return null;
  const accepted: Omit<ChatRequest, "messages"> = { ...options };
  for (const name of refused) delete accepted[name];
  return accepted;
}
