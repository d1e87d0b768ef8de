/**
 * Vectors by feature hashing: a stand-in that knows spelling and no meaning.
 *
 * Deterministic and the same in every language, for tests and for parity. Do not judge retrieval
 * by it: fused with BM25 it ranks worse than BM25 alone.
 */

import { crc32 } from "node:zlib";

import { countCodePoints, splitBlanks } from "../code-points.ts";
import type { Encoder, Profile } from "./encoder.ts";

const WORD = /[\p{L}\p{N}]+/gu;
const SIGN_BIT = 0x80000000;

/**
 * Counts words and their character trigrams into signed buckets.
 *
 * A feature is a word, or a trigram of the word with a space on each side, after NFKC and
 * lower-casing; its CRC-32 modulo the dimensions is the bucket, and its highest bit the sign.
 * A text without letters or digits counts its characters instead. Counts are whole numbers; a
 * blank text gives zeros.
 */
export function buildHashEncoder(dimensions = 256): Encoder {
  const profile: Profile = {
    provider: "hash",
    model: "crc32-words-trigrams",
    dimensions,
    maxTokens: 0,
  };
  return {
    profile: async () => profile,
    // Words cost nothing here; characters stand for tokens.
    countTokens: (texts) => texts.map(countCodePoints),
    encode: async (texts) => {
      const values = new Float32Array(texts.length * dimensions);
      for (const [row, text] of texts.entries()) {
        addFeatures(text, values.subarray(row * dimensions, (row + 1) * dimensions));
      }
      return { rows: texts.length, dimensions, values };
    },
  };
}

function addFeatures(text: string, counts: Float32Array): void {
  for (const feature of features(text)) {
    const code = crc32(feature);
    const bucket = code % counts.length;
    counts[bucket] = (counts[bucket] ?? 0) + (code >= SIGN_BIT ? -1 : 1);
  }
}

function* features(text: string): Generator<string> {
  const folded = text.normalize("NFKC").toLowerCase();
  for (const word of folded.match(WORD) ?? splitBlanks(folded)) {
    yield word;
    const spaced = [...` ${word} `];
    for (let at = 0; at + 2 < spaced.length; at += 1) yield spaced.slice(at, at + 3).join("");
  }
}
