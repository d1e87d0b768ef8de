/** Addresses and headers of providers, whose secrets stay out of every message. */

import { ConfigError } from "./errors.ts";
import { quoted } from "./quoted.ts";

/** `place` is the address as messages show it: without credentials and without the query. */
export type Address = {
  readonly url: string;
  readonly place: string;
  readonly headers: Record<string, string>;
};

/**
 * Take an address apart.
 *
 * @throws ConfigError it is not an http or https address.
 */
export function parseAddress(url: string): Address {
  const trimmed = url.replace(/\/+$/, "");
  const parts = URL.canParse(trimmed) ? new URL(trimmed) : null;
  if (parts === null || !["http:", "https:"].includes(parts.protocol) || !parts.hostname) {
    throw new ConfigError(`${quoted(url)} is not an http or https address`);
  }
  const { username, password } = parts;
  const place = `${parts.protocol}//${parts.host}${parts.pathname.replace(/\/+$/, "")}`;
  if (!username && !password) return { url: trimmed, place, headers: {} };
  // fetch takes no credentials in an address.
  const login = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
  const headers = { authorization: `Basic ${login.toString("base64")}` };
  return { url: place + parts.search, place, headers };
}

/**
 * Headers of a request for JSON.
 *
 * @throws ConfigError a value holds what no header carries; the message does not show it.
 */
export function headersOf(given: Readonly<Record<string, string>>): Headers {
  try {
    return new Headers({ "content-type": "application/json", ...given });
  } catch {
    throw new ConfigError("the API key holds a character that no header carries");
  }
}
