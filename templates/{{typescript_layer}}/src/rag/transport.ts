/** JSON over HTTP for every provider: one deadline, retries only for what may succeed. */

import type { ZodType } from "zod";
import { headersOf, parseAddress } from "./addresses.ts";
import type { ErrorOptions, RagError } from "./errors.ts";
import { quoted } from "./quoted.ts";
import { decodeReply, retryAfterS } from "./replies.ts";

/** Tries of a call whose server does not say when to come back. */
export const TRIES = 3;

/** Statuses after which the same request may succeed. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504, 529]);

/** Codes of a 429 that no waiting mends. */
const SPENT = ["insufficient_quota", "billing_hard_limit_reached", "billing_not_active"];

const ADVICE: Readonly<Record<number, string>> = {
  401: "Check the API key, and what it is allowed to do.",
  403: "Check the API key, and what it is allowed to do.",
  404: "Check the address, and the name of the model.",
};
const SPENT_ADVICE = "The quota is used up: add credit, then run it again.";
const REFUSED = "The provider refuses this request, and would refuse it again.";

/** A failure after which the same request may succeed. */
class PassingFailure extends Error {
  readonly retryAfterS: number;

  constructor(reason: string, options: { retryAfterS?: number; cause?: unknown } = {}) {
    super(reason, { cause: options.cause });
    this.retryAfterS = options.retryAfterS ?? 0;
  }
}

/** What a server answered; the cause of the error raised for it. */
export class StatusError extends Error {
  readonly status: number;
  readonly body: string;

  constructor(status: number, body: string) {
    super(`HTTP ${status}`);
    this.status = status;
    this.body = body;
  }
}

type ErrorKind = new (what: string, options?: ErrorOptions) => RagError;

/**
 * Posts JSON to one provider and decodes its replies.
 *
 * A post throws what the provider causes as the kind of error that the client was built with; it
 * names the call and what to do next. What a retry can't mend (400, 401, 403, 404, a spent
 * quota) is thrown at once.
 */
export type JsonClient = {
  post<T>(path: string, payload: unknown, reply: ZodType<T>): Promise<T>;
};

/** `fetch`, `sleep` (milliseconds) and `clock` (milliseconds) are here to be replaced. */
export type ClientOptions = {
  readonly error: ErrorKind;
  /** Deadline of one `post`, its tries and waits included. */
  readonly timeoutS: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly fetch?: typeof globalThis.fetch;
  readonly sleep?: (ms: number) => Promise<void>;
  readonly clock?: () => number;
};

/**
 * A client of the provider at `url`. No message holds a value of `headers`.
 *
 * @throws ConfigError `url` is not an http or https address, or no header can carry the key.
 */
export function buildJsonClient(url: string, options: ClientOptions): JsonClient {
  const address = parseAddress(url);
  const given = { ...address.headers, ...options.headers };
  const secrets = Object.values(given).map((value) => value.replace(/^(Bearer|Basic) /, ""));
  const call: Call = {
    ...options,
    url: address.url,
    headers: headersOf(given),
    redacted: (text) =>
      secrets.reduce((rest, secret) => (secret ? rest.replaceAll(secret, "***") : rest), text),
  };
  return {
    async post(path, payload, reply) {
      const name = `POST ${address.place}${path}`;
      const content = await persist(call, name, path, JSON.stringify(payload));
      try {
        return decodeReply(content, reply);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        throw new options.error(
          `${name}: the reply is not the JSON expected (${call.redacted(why)}); ` +
            `it starts with ${quoted(excerpt(call, content))}`,
          { fix: "Check that this is the address of a compatible API.", cause: error },
        );
      }
    },
  };
}

/** Headers that carry `apiKey`; none when it is empty, as local servers want. */
export function bearer(apiKey: string): Record<string, string> {
  return apiKey ? { authorization: `Bearer ${apiKey}` } : {};
}

type Call = Omit<ClientOptions, "headers"> & {
  readonly url: string;
  readonly headers: Headers;
  readonly redacted: (text: string) => string;
};

async function persist(call: Call, name: string, path: string, body: string): Promise<Uint8Array> {
  const clock = call.clock ?? (() => performance.now());
  const sleep = call.sleep ?? pause;
  const deadline = clock() + call.timeoutS * 1000;
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt(call, name, path, body, deadline - clock());
    } catch (failure) {
      if (!(failure instanceof PassingFailure)) throw failure;
      const asked = failure.retryAfterS;
      const waitMs = (asked + Math.min(30, 0.5 * 2 ** (tries - 1)) + Math.random() * 0.5) * 1000;
      if (clock() + waitMs >= deadline || (tries >= TRIES && !asked)) {
        const limits =
          `tries ${tries}, deadline ${call.timeoutS} s` +
          (asked ? `, asked to wait ${asked.toFixed(0)} s` : "");
        throw new call.error(`${name}: ${failure.message} (${limits})`, {
          fix: "Run it again later.",
          cause: failure,
        });
      }
      await sleep(waitMs);
    }
  }
}

/** One try; the signal bounds the headers and the body together, however they drip. */
async function attempt(
  call: Call,
  name: string,
  path: string,
  body: string,
  leftMs: number,
): Promise<Uint8Array> {
  const send = call.fetch ?? fetch;
  const signal = AbortSignal.timeout(Math.max(1, Math.ceil(leftMs)));
  let response: Response;
  let content: Uint8Array;
  try {
    const request = { method: "POST", headers: call.headers, body, redirect: "manual" } as const;
    response = await send(call.url + path, { ...request, signal });
    content = new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    if (signal.aborted) throw new PassingFailure("no complete answer in time", { cause: error });
    throw new PassingFailure(`connection failed: ${call.redacted(rootCause(error))}`, {
      cause: error,
    });
  }
  if (response.ok) return content;
  throw failureOf(call, name, response, content);
}

function failureOf(call: Call, name: string, response: Response, content: Uint8Array): Error {
  const { status } = response;
  const body = new TextDecoder().decode(content);
  const what = `HTTP ${status} ${excerpt(call, content)}`.trimEnd();
  const spent = status === 402 || SPENT.some((code) => body.includes(code));
  if (PASSING.has(status) && !spent) {
    return new PassingFailure(what, {
      retryAfterS: retryAfterS(response.headers.get("retry-after")),
    });
  }
  const fix = spent ? SPENT_ADVICE : (ADVICE[status] ?? REFUSED);
  return new call.error(`${name}: ${what}`, { fix, cause: new StatusError(status, body) });
}

function excerpt(call: Call, content: Uint8Array): string {
  const text = new TextDecoder().decode(content.subarray(0, 2000));
  return call.redacted(text.split(/\s+/).filter(Boolean).join(" ")).slice(0, 300);
}

function rootCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return rootCause(error.cause);
  return error.message || String((error as NodeJS.ErrnoException).code ?? error.name);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
