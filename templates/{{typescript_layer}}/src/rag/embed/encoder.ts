/** What an adapter writes: vectors for one batch of texts. `buildTextEmbedder` does the rest. */

import type { Matrix } from "../contracts.ts";

export type Role = "document" | "query";

/** What is known of a model; `maxTokens` 0 means that it takes a text of any length. */
export type Profile = {
  readonly provider: string;
  readonly model: string;
  readonly dimensions: number;
  readonly maxTokens: number;
};

/** One call of a model. */
export type Encoder = {
  /** What the model is; may load it, or ask its endpoint, the first time. */
  profile(): Promise<Profile>;
  /** Tokens of each text as the model counts them, or an estimate that errs upwards. */
  countTokens(texts: readonly string[]): readonly number[];
  /** Vectors of any length, one row per text, rows in the order given. */
  encode(texts: readonly string[], role: Role): Promise<Matrix>;
};
