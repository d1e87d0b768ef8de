/** From one call of a model to texts of any number and length. */

import { isBlank } from "../code-points.ts";
import type { Embedder, Matrix } from "../contracts.ts";
import { EmbeddingError } from "../errors.ts";
import type { Encoder, Role } from "./encoder.ts";
import { validated } from "./validation.ts";
import { batches, cutToFit } from "./windows.ts";

export type EmbedderOptions = {
  readonly queryPrefix?: string;
  readonly documentPrefix?: string;
  readonly batchTexts?: number;
  readonly batchTokens?: number;
  /** Can only lower the model's own limit; 0 leaves it as it is. */
  readonly maxTokens?: number;
  /** Told of each text that was too long. */
  readonly log?: (event: string) => void;
};

/** An embedder that hands out each batch as it is done. */
export type TextEmbedder = Embedder & {
  /**
   * Embed texts, one matrix for each group of consecutive texts as it is done.
   *
   * What was yielded before an error is paid for and good.
   */
  embedBatches(texts: readonly string[]): AsyncGenerator<Matrix>;
  /** How many texts were longer than the model takes, so far. */
  oversized(): number;
};

/** The part of text number `row` that one vector stands for. */
type Window = { readonly row: number; readonly text: string; readonly tokens: number };

/** A model, how it is called, and how many texts were too long for it so far. */
type Calling = {
  readonly encoder: Encoder;
  readonly options: EmbedderOptions;
  readonly limits: { readonly most: number; readonly mostTokens: number };
  oversized: number;
};

/**
 * Puts prefixes, cuts what is too long, calls in batches and checks every vector.
 *
 * A text of more tokens than the model takes, or than `maxTokens`, is embedded in windows whose
 * vectors are averaged. Vectors have length 1. What the model fails at, or a vector that is not
 * usable, is thrown as EmbeddingError; a blank text has no vector.
 */
export function buildTextEmbedder(encoder: Encoder, options: EmbedderOptions = {}): TextEmbedder {
  const { batchTexts = 64, batchTokens = 100_000, queryPrefix = "", documentPrefix = "" } = options;
  const limits = { most: batchTexts, mostTokens: batchTokens };
  const calling: Calling = { encoder, options, limits, oversized: 0 };
  return {
    identity: async () => {
      const { provider, model, dimensions } = await encoder.profile();
      return { provider, model, dimensions, queryPrefix, documentPrefix, normalised: true };
    },
    embedBatches: (texts) => embedBatches(calling, texts),
    embedDocuments: async (texts) => {
      const matrices: Matrix[] = [];
      for await (const matrix of embedBatches(calling, texts)) matrices.push(matrix);
      return joined(matrices, (await encoder.profile()).dimensions);
    },
    embedQuery: async (text) => {
      const windows = await windowsOf(calling, [valid(text)], "query");
      return (await embed(calling, windows, "query")).values;
    },
    oversized: () => calling.oversized,
  };
}

async function* embedBatches(calling: Calling, texts: readonly string[]): AsyncGenerator<Matrix> {
  const windows = await windowsOf(calling, texts, "document");
  const sizes = windows.map((parts) => parts.map(({ tokens }) => tokens));
  for (const { start, end } of batches(sizes, calling.limits)) {
    yield await embed(calling, windows.slice(start, end), "document");
  }
}

async function windowsOf(
  calling: Calling,
  texts: readonly string[],
  role: Role,
): Promise<Window[][]> {
  const { encoder, options } = calling;
  const blank = texts.findIndex(isBlank);
  if (blank >= 0) {
    throw new EmbeddingError(`text ${blank} is blank, and a blank text has no vector`);
  }
  const prefix = (role === "query" ? options.queryPrefix : options.documentPrefix) ?? "";
  const prefixed = texts.map((text) => prefix + text);
  const { maxTokens } = await encoder.profile();
  const limit = least(maxTokens, options.maxTokens ?? 0);
  const tokens = encoder.countTokens(prefixed);
  return prefixed.map((text, row) => {
    const window = { row, text, tokens: tokens[row] ?? 0 };
    return limit && window.tokens > limit ? cut(calling, window, limit) : [window];
  });
}

function cut(calling: Calling, { row, text, tokens }: Window, limit: number): Window[] {
  const { countTokens } = calling.encoder;
  const kept = cutToFit(text, limit, countTokens).filter((piece) => !isBlank(piece));
  const sizes = countTokens(kept);
  calling.oversized += 1;
  calling.options.log?.(`embed.oversized tokens=${tokens} limit=${limit} windows=${kept.length}`);
  return kept.map((piece, index) => ({ row, text: piece, tokens: sizes[index] ?? 0 }));
}

/** One row for each text, whose windows are given. */
async function embed(
  calling: Calling,
  texts: readonly (readonly Window[])[],
  role: Role,
): Promise<Matrix> {
  const { encoder, limits } = calling;
  const windows = texts.flat();
  const sizes = windows.map(({ tokens }) => [tokens]);
  const calls: Matrix[] = [];
  for (const { start, end } of batches(sizes, limits)) {
    const group = windows.slice(start, end);
    const sent = group.map(({ text }) => text);
    const rows = group.map(({ row }) => row);
    calls.push(await check(encoder, await encoder.encode(sent, role), rows));
  }
  const vectors = joined(calls, (await encoder.profile()).dimensions);
  if (windows.length === texts.length) return vectors;
  const counts = texts.map((parts) => parts.length);
  const rows = texts.map((parts) => parts[0]?.row ?? 0);
  return check(encoder, added(vectors, counts), rows);
}

async function check(encoder: Encoder, vectors: Matrix, rows: readonly number[]): Promise<Matrix> {
  const { provider, model, dimensions } = await encoder.profile();
  return validated(vectors, { rows, dimensions, origin: `${provider} ${model}` });
}

/** Rows of several matrices, in order. */
function joined(matrices: readonly Matrix[], dimensions: number): Matrix {
  const rows = matrices.reduce((sum, matrix) => sum + matrix.rows, 0);
  const values = new Float32Array(rows * dimensions);
  let at = 0;
  for (const matrix of matrices) {
    values.set(matrix.values, at);
    at += matrix.values.length;
  }
  return { rows, dimensions, values };
}

/** Sums of consecutive rows, `counts` of them each, in single precision. */
function added(vectors: Matrix, counts: readonly number[]): Matrix {
  const { dimensions } = vectors;
  const values = new Float32Array(counts.length * dimensions);
  let from = 0;
  for (const [row, count] of counts.entries()) {
    for (let part = 0; part < count; part += 1, from += dimensions) {
      for (let at = 0; at < dimensions; at += 1) {
        const place = row * dimensions + at;
        values[place] = (values[place] ?? 0) + (vectors.values[from + at] ?? 0);
      }
    }
  }
  return { rows: counts.length, dimensions, values };
}

function least(own: number, setting: number): number {
  return own && setting ? Math.min(own, setting) : own || setting;
}

/** Queries come from anywhere: a lone surrogate, which no model takes, becomes `?`. */
function valid(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "?");
}
