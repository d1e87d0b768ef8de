/** Addresses and headers of providers, whose secrets stay out of every message. */

import { ConfigError } from "./errors.ts";
import { quoted } from "./quoted.ts";

/** `url` is without login data, which stand in `headers`. */
export type Address = {
  readonly url: string;
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
  if (!username && !password) return { url: trimmed, headers: {} };
  // fetch takes no credentials in an address.
  const login = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
  const headers = { authorization: `Basic ${login.toString("base64")}` };
  const place = `${parts.protocol}//${parts.host}${parts.pathname.replace(/\/+$/, "")}`;
  return { url: place + parts.search, headers };
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
