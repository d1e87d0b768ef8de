/** A model's reply: parsed strictly, and every citation checked against the passages. */

import { codePointOffsets, splitBlanks, trimBlanks } from "../code-points.ts";
import type { Answer, Chunk, Citation, Passage, Refusal, Reply } from "../contracts.ts";
import { type ModelReply, modelReply } from "./reply.ts";
import { holdsWord, SPACE } from "./words.ts";

const FENCED = /^```(?:json)?[ \t]*\n([\s\S]*)\n```$/;
const MARKER = /[\p{L}\p{N}_]*\[(\p{Nd}{1,9})\]/gu;
const DIGIT = /^\p{Nd}$/u;

/** The reply can't be trusted; the text says why, in words that are safe to show. */
class InvalidReplyError extends Error {}

/**
 * Turn a reply into a checked answer, or into a refusal that keeps the usage.
 *
 * The refusal is `declined` when the model says so. It is `invalid_output` when the reply was
 * cut off or is not the JSON asked for, cites a passage that was not supplied, quotes what a
 * passage does not say, or cites nothing.
 */
export function parseReply(reply: Reply, passages: readonly Passage[]): Answer | Refusal {
  const { usage } = reply;
  try {
    const parsed = decode(reply);
    if (parsed.declined) {
      const detail = "the passages do not hold the answer";
      return { kind: "refusal", reason: "declined", detail, usage };
    }
    const citations = checked(parsed, passages);
    return { kind: "answer", text: trimBlanks(parsed.answer), citations, usage };
  } catch (error) {
    if (!(error instanceof InvalidReplyError)) throw error;
    return { kind: "refusal", reason: "invalid_output", detail: error.message, usage };
  }
}

/**
 * Find a quote in a chunk, where any run of white space equals any other.
 *
 * The citation holds the chunk's own spelling. Null: it is not there, or holds no word.
 */
export function locate(quote: string, chunk: Chunk): Citation | null {
  if (!holdsWord(quote)) return null;
  const words = splitBlanks(quote).map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  const found = new RegExp(words.join(`${SPACE}+`), "u").exec(chunk.text);
  if (found === null) return null;
  const [spelling] = found;
  const [start = 0, end = 0] = codePointOffsets(chunk.text, [
    found.index,
    found.index + spelling.length,
  ]);
  return { chunkId: chunk.id, quote: spelling, start, end };
}

function decode(reply: Reply): ModelReply {
  if (reply.truncated) {
    throw new InvalidReplyError("the reply was cut off at its longest length");
  }
  const text = trimBlanks(reply.text);
  if (text === "") throw new InvalidReplyError("the reply is empty");
  const read = modelReply.safeParse(parseJson(FENCED.exec(text)?.[1] ?? text));
  if (read.success) return read.data;
  throw new InvalidReplyError("the reply is not the JSON object that was asked for");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function checked(parsed: ModelReply, passages: readonly Passage[]): Citation[] {
  if (trimBlanks(parsed.answer) === "") throw new InvalidReplyError("the answer is empty");
  if (parsed.citations.length === 0) {
    throw new InvalidReplyError("the answer cites no passage");
  }
  const found = new Map<string, Citation>();
  for (const cited of parsed.citations) {
    const passage = passages[cited.passage - 1];
    if (passage === undefined) throw notSupplied(cited.passage, passages);
    const citation = locate(cited.quote, passage.chunk);
    if (citation === null) {
      throw new InvalidReplyError(`a quote is not in passage [${cited.passage}]`);
    }
    found.set(JSON.stringify(citation), citation);
  }
  checkMarkers(parsed, passages);
  return [...found.values()];
}

/** Refuse an `[n]` in the answer that no citation backs, unless a passage reads so. */
function checkMarkers(parsed: ModelReply, passages: readonly Passage[]): void {
  const known = new Set(passages.flatMap(({ chunk }) => chunk.text.match(MARKER) ?? []));
  const backed = new Set(parsed.citations.map((cited) => cited.passage));
  for (const marker of parsed.answer.matchAll(MARKER)) {
    const number = numberOf(marker[1] ?? "");
    if (backed.has(number) || known.has(marker[0])) continue;
    if (number >= 1 && number <= passages.length) {
      throw new InvalidReplyError(`the answer marks passage [${number}] without a quote`);
    }
    throw notSupplied(number, passages);
  }
}

function notSupplied(number: number, passages: readonly Passage[]): InvalidReplyError {
  return new InvalidReplyError(
    `passage [${number}] was cited, and ${passages.length} were supplied`,
  );
}

/** The number that decimal digits of any script write. */
function numberOf(digits: string): number {
  return [...digits].reduce((number, digit) => number * 10 + digitValue(digit), 0);
}

/** Ten digits of a script stand in a row, and no row crosses a multiple of 16. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while ((code - value) % 16 && DIGIT.test(String.fromCodePoint(code - value - 1))) value += 1;
  return value;
}
