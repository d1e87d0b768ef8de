/** What a provider's server sent: JSON of a declared form, and waits that it asks for. */

import type { ZodType } from "zod";
import { firstIssue } from "./issues.ts";

const NOT_A_NUMBER = "\0NaN";
const STRING_OR_CONSTANT = /"(?:[^"\\]|\\.)*"|NaN|-?Infinity/g;
const CONSTANTS: Readonly<Record<string, string>> = {
  NaN: JSON.stringify(NOT_A_NUMBER),
  Infinity: "1e999",
  "-Infinity": "-1e999",
};

/**
 * Decode a body as `form`.
 *
 * @throws Error it is not UTF-8, not JSON, or of another form; the message says which.
 */
export function decodeReply<T>(body: Uint8Array, form: ZodType<T>): T {
  const read = form.safeParse(parse(new TextDecoder("utf-8", { fatal: true }).decode(body)));
  if (read.success) return read.data;
  throw new Error(firstIssue(read.error));
}

/** Seconds that a `Retry-After` asks for, a number or an HTTP date; 0 if it is neither. */
export function retryAfterS(value: string | null, now = Date.now()): number {
  const asked = value?.trim() ?? "";
  if (asked === "") return 0;
  if (/^\+?inf(inity)?$/i.test(asked)) return Number.POSITIVE_INFINITY;
  const seconds = Number.isNaN(Number(asked)) ? (Date.parse(asked) - now) / 1000 : Number(asked);
  return Math.max(0, seconds || 0);
}

/** Python's own servers write NaN, which is not JSON; the stage says which row has it. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!/NaN|Infinity/.test(text)) throw error;
    const mended = text.replace(STRING_OR_CONSTANT, (part) => CONSTANTS[part] ?? part);
    return JSON.parse(mended, (_key, value) => (value === NOT_A_NUMBER ? Number.NaN : value));
  }
}
