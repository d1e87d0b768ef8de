/** Decoders that refuse what does not fit, for the encodings that are told by name. */

import iconv from "iconv-lite";

/** Gives the text, or null where the bytes or a lone surrogate among them do not fit. */
export type Decoder = (raw: Uint8Array) => string | null;

const ISO_PARTS = "2 3 4 5 6 7 8 9 10 11 13 14 15 16".split(" ");
const PAGES = (
  "1250 1251 1252 1253 1254 1256 1257 1258 437 775 850 852 855 857 858 860 861 862 863 864 865 " +
  "866 869 949 1125"
).split(" ");

/** The encodings that both languages of this service decode alike, by plain name. */
export const ENCODINGS: readonly string[] = [
  "ascii",
  "latin-1",
  ...ISO_PARTS.map((part) => `iso-8859-${part}`),
  ...PAGES.map((page) => `cp${page}`),
  "koi8-r",
];

const NAMES: ReadonlyMap<string, string> = new Map([
  ...ENCODINGS.map((name) => [plain(name), name] as const),
  ["usascii", "ascii"],
  ["iso88591", "latin-1"],
  ["l1", "latin-1"],
]);

/** The decoder of an encoding, spelt in any of the usual ways; undefined if it is none. */
export function decoderOf(name: string): Decoder | undefined {
  const wanted = plain(name).replace(/^(?:windows|ibm)/, "cp");
  const encoding = NAMES.get(wanted);
  if (encoding === undefined) return undefined;
  return (raw) => {
    const text = iconv.decode(raw, encoding);
    return text.includes("\ufffd") ? null : text;
  };
}

/** UTF-8 or UTF-16; a byte order mark is a character like any other. */
export function unicodeDecoder(encoding: "utf-8" | "utf-16le" | "utf-16be"): Decoder {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  return (raw) => {
    try {
      return decoder.decode(raw);
    } catch {
      return null;
    }
  };
}

/** UTF-32, which the platform has no decoder for. */
export function utf32Decoder(littleEndian: boolean): Decoder {
  return (raw) => {
    if (raw.length % 4 !== 0) return null;
    const view = new DataView(raw.buffer, raw.byteOffset, raw.byteLength);
    const characters: string[] = [];
    for (let at = 0; at < raw.length; at += 4) {
      const point = view.getUint32(at, littleEndian);
      if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) return null;
      characters.push(String.fromCodePoint(point));
    }
    return characters.join("");
  };
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}
