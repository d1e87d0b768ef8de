/** Bytes -> text, by a strict ladder: byte order mark, UTF-8, then only what is configured. */

import { sliceCodePoints } from "../code-points.ts";
import { IngestError } from "../errors.ts";
import { quoted } from "../quoted.ts";
import { type Decoder, decoderOf, ENCODINGS, unicodeDecoder, utf32Decoder } from "./encodings.ts";

type Mark = { readonly bytes: readonly number[]; readonly name: string; readonly decode: Decoder };

const decodeUtf8 = unicodeDecoder("utf-8");

// That of UTF-32 starts with that of UTF-16.
const MARKS: readonly Mark[] = [
  { bytes: [0xef, 0xbb, 0xbf], name: "UTF-8", decode: decodeUtf8 },
  { bytes: [0xff, 0xfe, 0, 0], name: "UTF-32-LE", decode: utf32Decoder(true) },
  { bytes: [0, 0, 0xfe, 0xff], name: "UTF-32-BE", decode: utf32Decoder(false) },
  { bytes: [0xff, 0xfe], name: "UTF-16-LE", decode: unicodeDecoder("utf-16le") },
  { bytes: [0xfe, 0xff], name: "UTF-16-BE", decode: unicodeDecoder("utf-16be") },
];
const SIGNATURES: readonly Buffer[] = [
  "\x89PNG\r\n\x1a\n",
  "\xff\xd8\xff",
  "GIF87a",
  "GIF89a",
  "%PDF-",
  "PK\x03\x04",
  "PK\x05\x06",
  "\x1f\x8b",
  "BZh",
  "\xfd7zXZ\0",
  "7z\xbc\xaf\x27\x1c",
  "Rar!\x1a\x07",
  "(\xb5/\xfd",
  "\x7fELF",
  "\xca\xfe\xba\xbe",
  "\xcf\xfa\xed\xfe",
  "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
  "SQLite format 3\0",
  "\0asm",
  "OggS",
  "ID3",
  "fLaC",
  "wOFF",
  "wOF2",
  "{\\rtf",
].map((signature) => Buffer.from(signature, "latin1"));
const CONTROL = String.raw`\x00-\x07\x0e-\x1a\x1c-\x1f\x7f`;
const CONTROLS = new RegExp(`[${CONTROL}]`, "g");
const SAMPLE_CHARS = 8192;
const MOST_CONTROLS = 0.1;

export type UnusableReason = "binary" | "undecodable" | "empty" | "unreadable" | "unsupported";

/** The bytes are no text that can be used. */
export class UnusableError extends Error {
  readonly reason: UnusableReason;
  readonly detail: string;

  constructor(reason: UnusableReason, detail: string) {
    super(`${reason}: ${detail}`);
    this.name = new.target.name;
    this.reason = reason;
    this.detail = detail;
  }
}

/**
 * Decode to valid Unicode without its byte order mark, every line end a line feed.
 *
 * Line ends are changed here and nowhere else: offsets count the text that this returns.
 *
 * @throws UnusableError a binary file, or none of the encodings fits.
 * @throws IngestError `fallback` names no encoding that is known.
 */
export function decode(raw: Uint8Array, fallback = ""): string {
  const decodeFallback = fallback ? known(fallback) : undefined;
  const mark = MARKS.find(({ bytes }) => startsWith(raw, bytes));
  if (mark) {
    const marked = mark.decode(raw.subarray(mark.bytes.length));
    return usable(raw, marked, `not ${mark.name}, as its byte order mark says`);
  }
  if (SIGNATURES.some((signature) => startsWith(raw, signature))) {
    throw new UnusableError("binary", "it starts as a binary format does");
  }
  const text = decodeUtf8(raw);
  if (decodeFallback && (text === null || text.includes("\0"))) {
    return usable(raw, decodeFallback(raw), `neither UTF-8 nor ${fallback}`);
  }
  return usable(raw, text, "not UTF-8, and no fallback encoding is set");
}

/** Make every line end a single line feed. */
export function normalise(text: string): string {
  return text.includes("\r") ? text.replaceAll(/\r\n?/g, "\n") : text;
}

function usable(raw: Uint8Array, text: string | null, fault: string): string {
  if (text === null) {
    if (raw.includes(0) && !MARKS.some(({ bytes }) => startsWith(raw, bytes))) {
      throw new UnusableError("binary", "it holds NUL bytes");
    }
    throw new UnusableError("undecodable", fault);
  }
  if (text.includes("\0")) throw new UnusableError("binary", "it holds NUL characters");
  const sample = sliceCodePoints(text, 0, SAMPLE_CHARS);
  if ((sample.match(CONTROLS)?.length ?? 0) > sample.length * MOST_CONTROLS) {
    throw new UnusableError("binary", "it holds control characters");
  }
  return normalise(text);
}

function startsWith(raw: Uint8Array, start: ArrayLike<number>): boolean {
  return Array.prototype.every.call(start, (byte: number, at: number) => raw[at] === byte);
}

function known(encoding: string): Decoder {
  const decoder = decoderOf(encoding);
  if (decoder) return decoder;
  throw new IngestError(
    `fallback_encoding: ${quoted(encoding)} is no text encoding that is known`,
    {
      fix: `Name one of: ${ENCODINGS.join(", ")}.`,
    },
  );
}
