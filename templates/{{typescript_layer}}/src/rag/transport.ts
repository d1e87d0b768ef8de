/** JSON over HTTP for every provider: one deadline, retries only for what may succeed. */

import type { ZodType } from "zod";
import { headersOf, parseAddress } from "./addresses.ts";
import type { ErrorOptions, RagError } from "./errors.ts";
import { quoted } from "./quoted.ts";
import { decodeReply, retryAfterS } from "./replies.ts";
import { adviceOn, mayPass, StatusError } from "./statuses.ts";

/** Tries of a call whose server does not say when to come back. */
export const TRIES = 3;

/** A failure after which the same request may succeed. */
class PassingFailure extends Error {
  readonly retryAfterS: number;

  constructor(reason: string, options: { retryAfterS?: number; cause?: unknown } = {}) {
    super(reason, { cause: options.cause });
    this.retryAfterS = options.retryAfterS ?? 0;
  }
}

type ErrorKind = new (what: string, options?: ErrorOptions) => RagError;

/** `fetch`, `sleep` (milliseconds) and `clock` (milliseconds) are here to be replaced. */
export type ClientOptions = {
  readonly error: ErrorKind;
  /** Deadline of one call, its tries and waits included. */
  readonly timeoutS: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly fetch?: typeof globalThis.fetch;
  readonly sleep?: (ms: number) => Promise<void>;
  readonly clock?: () => number;
};

export type Posted = { readonly url: string; readonly headers: Headers; readonly body: string };

/**
 * One provider at one address, whoever builds the requests.
 *
 * What the provider causes is thrown as the kind of error that the options name; it tells the
 * call and what to do next, and no value of a header. What a retry can't mend (400, 401, 403,
 * 404, a spent quota) is thrown at once.
 */
export type Connection = {
  /** The address without login data, which stand in `headers`. */
  readonly url: string;
  readonly headers: Headers;
  send(posted: Posted): Promise<Uint8Array>;
  /** The body that the call of `url` brought, as `reply`. */
  decode<T>(url: string, body: Uint8Array, reply: ZodType<T>): T;
};

/** @throws ConfigError `url` is not an http or https address, or no header can carry the key. */
export function connect(url: string, options: ClientOptions): Connection {
  const address = parseAddress(url);
  const given = { ...address.headers, ...options.headers };
  const secrets = Object.values(given).map((value) => value.replace(/^(Bearer|Basic) /, ""));
  const redacted = (text: string) =>
    secrets.reduce((rest, secret) => (secret ? rest.replaceAll(secret, "***") : rest), text);
  const call = { ...options, redacted };
  return {
    url: address.url,
    headers: headersOf(given),
    send: (posted) => persist(call, posted),
    decode(called, body, reply) {
      try {
        return decodeReply(body, reply);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        throw new options.error(
          `${nameOf(called)}: the reply is not the JSON expected (${redacted(why)}); ` +
            `it starts with ${quoted(excerpt(call, body))}`,
          { fix: "Check that this is the address of a compatible API.", cause: error },
        );
      }
    },
  };
}

/** Posts JSON to one provider and decodes its replies. */
export type JsonClient = {
  post<T>(path: string, payload: unknown, reply: ZodType<T>): Promise<T>;
};

/** A client for providers without a package of their own; throws as `connect` does. */
export function buildJsonClient(url: string, options: ClientOptions): JsonClient {
  const { url: address, headers, send, decode } = connect(url, options);
  return {
    async post(path, payload, reply) {
      const called = address + path;
      const body = await send({ url: called, headers, body: JSON.stringify(payload) });
      return decode(called, body, reply);
    },
  };
}

/** Headers that carry `apiKey`; none when it is empty, as local servers want. */
export function bearer(apiKey: string): Record<string, string> {
  return apiKey ? { authorization: `Bearer ${apiKey}` } : {};
}

type Call = ClientOptions & { readonly redacted: (text: string) => string };

async function persist(call: Call, posted: Posted): Promise<Uint8Array> {
  const clock = call.clock ?? (() => performance.now());
  const sleep = call.sleep ?? pause;
  const deadline = clock() + call.timeoutS * 1000;
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt(call, posted, deadline - clock());
    } catch (failure) {
      if (!(failure instanceof PassingFailure)) throw failure;
      const asked = failure.retryAfterS;
      const waitMs = (asked + Math.min(30, 0.5 * 2 ** (tries - 1)) + Math.random() * 0.5) * 1000;
      if (clock() + waitMs >= deadline || (tries >= TRIES && !asked)) {
        const limits =
          `tries ${tries}, deadline ${call.timeoutS} s` +
          (asked ? `, asked to wait ${asked.toFixed(0)} s` : "");
        throw new call.error(`${nameOf(posted.url)}: ${failure.message} (${limits})`, {
          fix: "Run it again later.",
          cause: failure,
        });
      }
      await sleep(waitMs);
    }
  }
}

/** One try; the signal bounds the headers and the body together, however they drip. */
async function attempt(call: Call, posted: Posted, leftMs: number): Promise<Uint8Array> {
  const { url, headers, body } = posted;
  const send = call.fetch ?? fetch;
  const signal = AbortSignal.timeout(Math.max(1, Math.ceil(leftMs)));
  let response: Response;
  let content: Uint8Array;
  try {
    response = await send(url, { method: "POST", headers, body, redirect: "manual", signal });
    content = new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    if (signal.aborted) throw new PassingFailure("no complete answer in time", { cause: error });
    throw new PassingFailure(`connection failed: ${call.redacted(rootCause(error))}`, {
      cause: error,
    });
  }
  if (response.ok) return content;
  const answered = new StatusError(response.status, new TextDecoder().decode(content));
  const what = `HTTP ${response.status} ${excerpt(call, content)}`.trimEnd();
  if (mayPass(answered)) {
    const asked = retryAfterS(response.headers.get("retry-after"));
    throw new PassingFailure(what, { retryAfterS: asked });
  }
  const fix = adviceOn(answered);
  throw new call.error(`${nameOf(url)}: ${what}`, { fix, cause: answered });
}

/** The call as messages show it: without the query, which may hold a secret. */
function nameOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return `POST ${origin}${pathname}`;
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
