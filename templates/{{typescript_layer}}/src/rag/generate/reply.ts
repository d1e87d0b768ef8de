/** The form of a reply: what a model is asked for, and all that is accepted from it. */

import * as z from "zod";

const wellFormed = z.string().refine((text) => !/\p{Surrogate}/u.test(text));

const citedQuote = z.strictObject({ passage: z.int(), quote: wellFormed });

/** A reply, parsed but not yet checked against the passages. */
export const modelReply = z.strictObject({
  answer: wellFormed,
  citations: z.array(citedQuote),
  declined: z.boolean(),
});

/** One citation as a model writes it; `passage` counts from 1. */
export type CitedQuote = Readonly<z.infer<typeof citedQuote>>;

export type ModelReply = Readonly<z.infer<typeof modelReply>>;

/** `ModelReply` as JSON Schema, in the subset that providers take. */
export const REPLY_SCHEMA = {
  type: "object",
  properties: {
    answer: { type: "string" },
    citations: {
      type: "array",
      items: {
        type: "object",
        properties: { passage: { type: "integer" }, quote: { type: "string" } },
        required: ["passage", "quote"],
        additionalProperties: false,
      },
    },
    declined: { type: "boolean" },
  },
  required: ["answer", "citations", "declined"],
  additionalProperties: false,
} as const;

/** Write a reply as a model would. */
export function encodeReply(answer: string, citations: readonly CitedQuote[]): string {
  return JSON.stringify({ answer, citations, declined: false });
}

/** The reply that does not answer. */
export const DECLINED = JSON.stringify({ answer: "", citations: [], declined: true });
