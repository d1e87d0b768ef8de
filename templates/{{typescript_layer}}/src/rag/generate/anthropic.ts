/** The Messages API of Anthropic. */

import * as z from "zod";
import type { Generator } from "../contracts.ts";
import type { AnthropicSdk, MessageRequest } from "../sdks.ts";
import { DECLINED, REPLY_SCHEMA } from "./reply.ts";

const TOOL = "reply";
const CUT_OFF = ["max_tokens", "model_context_window_exceeded"];

const message = z.object({
  content: z.array(
    z.object({
      type: z.string(),
      text: z.string().default(""),
      name: z.string().default(""),
      input: z.unknown().optional(),
    }),
  ),
  stop_reason: z.string().nullable().default(null),
  usage: z
    .object({ input_tokens: z.int().default(0), output_tokens: z.int().default(0) })
    .nullable()
    .default(null),
});

/**
 * Has the model fill in the reply as the input of a tool that it must call.
 *
 * `generate` sends the prompt; question and passages are in it already. It throws a
 * GenerationError when no message could be had.
 */
export function buildAnthropicGenerator(
  sdk: AnthropicSdk,
  { model, maxTokens }: { readonly model: string; readonly maxTokens: number },
): Generator {
  const description = "Hand in the JSON object that the rules ask for.";
  const required = [...REPLY_SCHEMA.required];
  const options: Omit<MessageRequest, "messages"> = {
    model,
    max_tokens: maxTokens,
    tools: [{ name: TOOL, description, input_schema: { ...REPLY_SCHEMA, required } }],
    tool_choice: { type: "tool", name: TOOL },
  };
  return {
    async generate({ system, user }) {
      const request = { ...options, system, messages: [{ role: "user" as const, content: user }] };
      const sent = await sdk.call(({ messages }) => messages.create(request), message);
      const usage = {
        inputTokens: sent.usage?.input_tokens ?? 0,
        outputTokens: sent.usage?.output_tokens ?? 0,
      };
      if (sent.stop_reason === "refusal") return { text: DECLINED, usage, truncated: false };
      const truncated = CUT_OFF.includes(sent.stop_reason ?? "");
      return { text: textOf(sent), usage, truncated };
    },
  };
}

function textOf({ content }: z.infer<typeof message>): string {
  const call = content.find((block) => block.type === "tool_use" && block.name === TOOL);
  if (call) return JSON.stringify(call.input) ?? "";
  const texts = content.filter((block) => block.type === "text").map((block) => block.text);
  return texts.join("");
}
