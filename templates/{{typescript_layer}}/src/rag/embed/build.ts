/** Settings -> embedder. */

import { ConfigError, EmbeddingError } from "../errors.ts";
import { quoted } from "../quoted.ts";
import { openOpenAi } from "../sdks.ts";
import { buildTextEmbedder, type EmbedderOptions, type TextEmbedder } from "./embedder.ts";
import type { Encoder } from "./encoder.ts";

const PROVIDERS = ["hash", "openai"];

/** `dimensions` 0 and `model` "" are the provider's own. */
export type EmbeddingOptions = EmbedderOptions & {
  readonly model?: string;
  readonly dimensions?: number;
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly timeoutS?: number;
};

/**
 * Build the embedder of a provider, which is imported when it is chosen.
 *
 * @throws ConfigError there is no such provider.
 * @throws MissingExtraError the provider's package is not installed.
 */
export async function buildEmbedder(
  provider: string,
  options: EmbeddingOptions = {},
): Promise<TextEmbedder> {
  return buildTextEmbedder(await buildEncoder(provider, options), options);
}

async function buildEncoder(provider: string, options: EmbeddingOptions): Promise<Encoder> {
  if (provider === "hash") {
    const { buildHashEncoder } = await import("./hashing.ts");
    return buildHashEncoder(options.dimensions || undefined);
  }
  if (provider !== "openai") {
    throw new ConfigError(
      `no embedding provider ${quoted(provider)}; there are: ${PROVIDERS.join(", ")}`,
    );
  }
  const { buildOpenAiEncoder } = await import("./openai.ts");
  const { model = "", dimensions = 0, baseUrl, apiKey = "", timeoutS = 60 } = options;
  const sdk = await openOpenAi(baseUrl || "https://api.openai.com/v1", {
    error: EmbeddingError,
    timeoutS,
    apiKey,
  });
  return buildOpenAiEncoder(sdk, { model, dimensions });
}
