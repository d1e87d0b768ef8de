/** Any endpoint that speaks OpenAI's `/embeddings`. */

import * as z from "zod";
import type { Matrix } from "../contracts.ts";
import { EmbeddingError } from "../errors.ts";
import type { OpenAiSdk } from "../sdks.ts";
import type { Encoder } from "./encoder.ts";

const DEFAULT_MODEL = "text-embedding-3-small";

/** What OpenAI's models take; set `embedding_max_tokens` for a model that takes less. */
const MAX_TOKENS = 8191;

const KNOWN_DIMENSIONS: Readonly<Record<string, number>> = {
  "text-embedding-3-small": 1536,
  "text-embedding-3-large": 3072,
  "text-embedding-ada-002": 1536,
};

/** NaN and infinities pass here: the check of every vector says which text has one. */
const component = z.custom<number>((value) => typeof value === "number", "expected number");
const answered = z.object({
  data: z.array(z.object({ index: z.int(), embedding: z.array(component) })),
});

/**
 * One POST for each batch. With `dimensions` 0 the model's own number is found by a call.
 *
 * `encode` gives vectors as the endpoint does. It throws an EmbeddingError when the call failed,
 * or when rows are missing, repeated or of unlike sizes.
 */
export function buildOpenAiEncoder(
  sdk: OpenAiSdk,
  options: { readonly model?: string; readonly dimensions?: number } = {},
): Encoder {
  const model = options.model || DEFAULT_MODEL;
  const asked = options.dimensions ?? 0;
  let found: Promise<number> | undefined;

  async function request(texts: readonly string[]): Promise<(readonly number[])[]> {
    // Without a format the package asks for base64, which few compatible servers know.
    const form = { encoding_format: "float", ...(asked && { dimensions: asked }) } as const;
    const { data } = await sdk.call(
      ({ embeddings }) => embeddings.create({ model, input: [...texts], ...form }),
      answered,
    );
    const byIndex = new Map(data.map((row) => [row.index, row.embedding]));
    const rows = texts.flatMap((_, index) => {
      const row = byIndex.get(index);
      return row === undefined ? [] : [row];
    });
    if (data.length === texts.length && rows.length === texts.length) return rows;
    const numbers = data.map((row) => row.index).sort((left, right) => left - right);
    throw new EmbeddingError(
      `openai ${model} returned ${data.length} rows, numbered ` +
        `[${numbers.slice(0, 10).join(", ")}], for ${texts.length} texts`,
      { fix: "What was embedded before is kept. Check the endpoint, then run it again." },
    );
  }

  async function dimensionsOf(): Promise<number> {
    const known = asked || KNOWN_DIMENSIONS[model];
    if (known) return known;
    found ??= request(["dimensions"])
      .then(([row]) => row?.length ?? 0)
      .catch((error: unknown) => {
        found = undefined;
        throw error;
      });
    return found;
  }

  return {
    profile: async () => ({
      provider: "openai",
      model,
      dimensions: await dimensionsOf(),
      maxTokens: MAX_TOKENS,
    }),
    // An estimate that errs upwards: three bytes a token.
    countTokens: (texts) => texts.map((text) => Math.floor(Buffer.byteLength(text) / 3) + 1),
    encode: async (texts) => matrixOf(model, await request(texts), await dimensionsOf()),
  };
}

function matrixOf(model: string, rows: readonly (readonly number[])[], dimensions: number): Matrix {
  const values = new Float32Array(rows.length * dimensions);
  for (const [number, row] of rows.entries()) {
    if (row.length !== dimensions) {
      throw new EmbeddingError(
        `openai ${model}: vector ${number} of ${rows.length} has ${row.length} ` +
          `dimensions, expected ${dimensions}`,
      );
    }
    values.set(row, number * dimensions);
  }
  return { rows: rows.length, dimensions, values };
}
