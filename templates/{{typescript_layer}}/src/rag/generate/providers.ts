/** Chooses who writes the answer; each provider is imported when it is chosen. */

import type { Generator } from "../contracts.ts";
import { ConfigError, GenerationError } from "../errors.ts";
import { quoted } from "../quoted.ts";
import { openAnthropic, openOpenAi } from "../sdks.ts";

const OPENAI_URL = "https://api.openai.com/v1";
const OPENAI_MODEL = "gpt-4.1-mini";
const ANTHROPIC_URL = "https://api.anthropic.com";
const ANTHROPIC_MODEL = "claude-haiku-4-5";

/**
 * An empty `model` or `baseUrl` is the provider's own. `terms` is the analysis of the keyword
 * index, which `extractive` uses to tell which sentences share something with the question.
 */
export type GeneratorOptions = {
  readonly model?: string;
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly maxTokens?: number;
  readonly timeoutS?: number;
  readonly terms?: (text: string) => readonly string[];
};

/**
 * Build a generator by the name of its provider.
 *
 * @throws ConfigError there is no such provider, or it needs a key and has none.
 * @throws MissingExtraError the provider's package is not installed.
 */
export async function buildGenerator(
  provider: string,
  options: GeneratorOptions = {},
): Promise<Generator> {
  if (provider === "extractive") {
    const { buildExtractiveGenerator } = await import("./extractive.ts");
    return buildExtractiveGenerator(options.terms);
  }
  if (provider === "echo") {
    const { buildEchoGenerator } = await import("./echo.ts");
    return buildEchoGenerator();
  }
  if (provider === "openai") return openAi(options);
  if (provider === "anthropic") return anthropic(options);
  throw new ConfigError(`there is no generation provider ${quoted(provider)}`, {
    fix: "Choose extractive, echo, openai or anthropic.",
  });
}

async function openAi(options: GeneratorOptions): Promise<Generator> {
  const { buildOpenAiGenerator } = await import("./openai.ts");
  const { model, baseUrl, apiKey = "", maxTokens = 1024, timeoutS = 60 } = options;
  requireKey("openai", apiKey, !baseUrl);
  const sdk = await openOpenAi(baseUrl || OPENAI_URL, { error: GenerationError, timeoutS, apiKey });
  return buildOpenAiGenerator(sdk, { model: model || OPENAI_MODEL, maxTokens });
}

async function anthropic(options: GeneratorOptions): Promise<Generator> {
  const { buildAnthropicGenerator } = await import("./anthropic.ts");
  const { model, baseUrl, apiKey = "", maxTokens = 1024, timeoutS = 60 } = options;
  requireKey("anthropic", apiKey, !baseUrl);
  // The package adds `/v1` itself.
  const url = (baseUrl || ANTHROPIC_URL).replace(/\/+$/, "").replace(/\/v1$/, "");
  const sdk = await openAnthropic(url, { error: GenerationError, timeoutS, apiKey });
  return buildAnthropicGenerator(sdk, { model: model || ANTHROPIC_MODEL, maxTokens });
}

function requireKey(provider: string, apiKey: string, isNeeded: boolean): void {
  if (isNeeded && !apiKey) {
    throw new ConfigError(`generation by ${provider} needs an API key`, {
      fix: "Set it as `generation_api_key`.",
    });
  }
}
