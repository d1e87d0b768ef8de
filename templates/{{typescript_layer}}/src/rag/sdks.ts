/** The packages of the providers: they build a request and type it, the transport carries it. */

import type { Anthropic } from "@anthropic-ai/sdk";
import type { OpenAI } from "openai";
import type { ZodType } from "zod";
import { parseAddress } from "./addresses.ts";
import { MissingExtraError } from "./errors.ts";
import { bearer, type ClientOptions, type Connection, connect } from "./transport.ts";

/** What to install for a provider; `package.json` agrees on the major versions. */
export const RANGES = { openai: ">=6.49 <7", "@anthropic-ai/sdk": ">=1.14 <2" } as const;

/**
 * What a package may send. It adds the headers of a variable of its own, such as
 * `OPENAI_CUSTOM_HEADERS`; only `config.ts` reads the environment.
 */
const SENT =
  /^(accept|anthropic-version|authorization|content-type|user-agent|x-api-key|x-stainless-.+)$/;

/** `asked` builds one request of the client; its reply is decoded. Errors are `connect`'s. */
export type Sdk<Client> = {
  call<T>(asked: (client: Client) => Asked, reply: ZodType<T>): Promise<T>;
};

type Asked = { asResponse(): Promise<unknown> };

export type OpenAiSdk = Sdk<Pick<OpenAI, "chat" | "embeddings">>;
export type AnthropicSdk = Sdk<Pick<Anthropic, "messages">>;
export type ChatRequest = OpenAI.ChatCompletionCreateParamsNonStreaming;
export type MessageRequest = Anthropic.MessageCreateParamsNonStreaming;

export type SdkOptions = Omit<ClientOptions, "headers"> & {
  /** None is sent when it is empty, as local servers want. */
  readonly apiKey?: string;
};

/** @throws MissingExtraError the package is not installed; and what `connect` throws. */
export async function openOpenAi(url: string, options: SdkOptions): Promise<OpenAiSdk> {
  const { OpenAI } = await installed("openai", () => import("openai"));
  const { apiKey = "" } = options;
  const connection = connect(url, { ...options, headers: bearer(apiKey) });
  const unread = { adminAPIKey: null, organization: null, project: null, webhookSecret: null };
  return sdkOver(
    connection,
    (fetch) => new OpenAI({ ...sharedBy(connection, options), ...unread, fetch }),
  );
}

/** @throws MissingExtraError the package is not installed; and what `connect` throws. */
export async function openAnthropic(url: string, options: SdkOptions): Promise<AnthropicSdk> {
  const { Anthropic } = await installed("@anthropic-ai/sdk", () => import("@anthropic-ai/sdk"));
  const { apiKey = "" } = options;
  const isTaken = "authorization" in parseAddress(url).headers;
  const headers = isTaken && apiKey ? { "x-api-key": apiKey } : bearer(apiKey);
  const connection = connect(url, { ...options, headers });
  const unread = { authToken: null, webhookKey: null, openTelemetry: false } as const;
  return sdkOver(
    connection,
    (fetch) => new Anthropic({ ...sharedBy(connection, options), ...unread, fetch }),
  );
}

/** Options of either package: what is not given here is read from the environment. */
function sharedBy({ url, headers }: Connection, { apiKey, timeoutS }: SdkOptions) {
  return {
    baseURL: url,
    // Neither package takes an empty key; the headers below are what is sent.
    apiKey: apiKey || "none",
    defaultHeaders: { authorization: null, "x-api-key": null, ...Object.fromEntries(headers) },
    maxRetries: 0,
    timeout: Math.ceil(timeoutS) * 1000,
    logLevel: "off",
  } as const;
}

/**
 * A client for each call, whose `fetch` belongs to that call: what goes wrong is kept here, since
 * the packages throw an error of their own, and for some not even with a cause.
 */
function sdkOver<Client>(
  { send, decode }: Connection,
  clientOf: (fetch: typeof globalThis.fetch) => Client,
): Sdk<Client> {
  return {
    async call(asked, reply) {
      let done: { readonly url: string; readonly body: Uint8Array } | undefined;
      let failure: unknown;
      const client = clientOf(async (input, init) => {
        const url = String(input);
        const headers = new Headers(init?.headers);
        for (const name of [...headers.keys()]) if (!SENT.test(name)) headers.delete(name);
        try {
          done = { url, body: await send({ url, headers, body: String(init?.body) }) };
        } catch (error) {
          failure = error;
          throw error;
        }
        return new Response();
      });
      try {
        await asked(client).asResponse();
      } catch (error) {
        throw failure ?? error;
      }
      if (done === undefined) throw new Error("the package sent nothing");
      return decode(done.url, done.body, reply);
    },
  };
}

async function installed<T>(name: keyof typeof RANGES, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new MissingExtraError(`the package ${name} is not installed`, {
      fix: `npm install --save-prod "${name}@${RANGES[name]}"`,
      cause: error,
    });
  }
}
