/** Text -> index terms: one function for chunks and for queries. */

import { compareCodePoints, sliceCodePoints, splitBlanks } from "./code-points.ts";
import { caseFold, fold } from "./folding.ts";
import { stemmerOf } from "./stemming.ts";
import listed from "./stopwords.json" with { type: "json" };

/** Part of the index's manifest: raise it when the same text would give other terms. */
export const ANALYSIS_VERSION = 1;

const FALLBACK_LANGUAGE = "english";
const MEMO_SIZE = 300_000;
const SAMPLE_CHARS = 20_000;
const LEAST_SHARE = 0.08;

// Scripts written without spaces; their runs become overlapping bigrams.
const CJK = String.raw`\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff`;
const LETTER = String.raw`(?:(?![${CJK}])[\p{L}\p{N}_])`;
const SURFACE = new RegExp(`[${CJK}]+|${LETTER}+(?:['’.-]${LETTER}+)*(?:\\+\\+|#)?`, "gu");
const CJK_RUN = new RegExp(`^[${CJK}]`, "u");
const WORD = /[\p{L}\p{N}]+/gu;
const CAMEL = /[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+/g;
const HUMPLESS = /^.[^A-Z]*$/;
const ASCII = /^\p{ASCII}*$/u;
const HYPHENATED = /^(?:(?!\p{Nd})[\p{L}\p{N}])+(?:-(?:(?!\p{Nd})[\p{L}\p{N}])+)+$/u;
const POSSESSIVE = /['’][sS]$/;

/** Terms without stop words, and all of them. */
type Expansion = {
  readonly content: readonly string[];
  readonly everything: readonly string[];
};

export type Analyzer = {
  readonly language: string;
  /** Terms in the order of the text, repeats kept. */
  terms(text: string): string[];
};

/**
 * Splits text into terms for one language of stemming and stop words.
 *
 * Terms are NFKC, case-folded and without diacritics. Identifiers are kept whole and in parts
 * (`getUserName`, `rank_constant`, `E-1234`), runs of Chinese, Japanese and Korean become
 * bigrams, words are stemmed by Snowball, and stop words are left out unless the text holds
 * nothing else. `language` is one of Snowball, or `none` for neither stems nor stop words.
 *
 * @throws ConfigError Snowball has no such language.
 */
export function buildAnalyzer(language: string): Analyzer {
  const stem = stemmerOf(language);
  const stopped = stopWords().get(language) ?? new Set();
  const memo = new Map<string, Expansion>();

  function expand(surface: string): Expansion {
    if (CJK_RUN.test(surface)) {
      const pairs = bigrams(surface);
      return { content: pairs, everything: pairs };
    }
    const words = surfaceWords(surface);
    const content = words.filter((word) => !stopped.has(word)).map(stem);
    return {
      content,
      everything: content.length > 0 ? content : words.map(stem),
    };
  }

  function expansionOf(surface: string): Expansion {
    const known = memo.get(surface);
    if (known) return known;
    if (memo.size >= MEMO_SIZE) memo.clear();
    const expansion = expand(surface);
    memo.set(surface, expansion);
    return expansion;
  }

  return {
    language,
    terms: (text) => {
      const content: string[] = [];
      const everything: string[] = [];
      for (const surface of fold(text).match(SURFACE) ?? []) {
        const expansion = expansionOf(surface);
        content.push(...expansion.content);
        everything.push(...expansion.everything);
      }
      return content.length > 0 ? content : everything;
    },
  };
}

function bigrams(run: string): string[] {
  const count = Math.max(1, run.length - 1);
  return Array.from({ length: count }, (_, at) => run.slice(at, at + 2));
}

/** The whole identifier, if it is more than a word, then its parts. */
function surfaceWords(surface: string): string[] {
  const bare = surface.replace(POSSESSIVE, "").replaceAll(/['’]/g, "");
  const words = bare.match(WORD) ?? [];
  const parts = words.flatMap((word) => {
    const humps = humpsOf(word);
    if (humps.length < 2) return [word];
    return words.length > 1 ? [word, ...humps] : humps;
  });
  const isWhole = (parts.length === 1 && parts[0] === bare) || HYPHENATED.test(bare);
  return (isWhole ? parts : [bare, ...parts]).map(caseFold);
}

/** The parts of a word like `getUserName`; none if it is not written so. */
function humpsOf(word: string): readonly string[] {
  const mixed = ASCII.test(word) && !HUMPLESS.test(word) && /[a-z]/.test(word);
  return mixed ? (word.match(CAMEL) ?? []) : [];
}

/** Stop words by language. Source: the Snowball project's lists. */
export function stopWords(): ReadonlyMap<string, ReadonlySet<string>> {
  loaded ??= new Map(
    Object.entries(listed).map(([language, words]) => [
      language,
      new Set(splitBlanks(caseFold(fold(words)))),
    ]),
  );
  return loaded;
}

let loaded: ReadonlyMap<string, ReadonlySet<string>> | undefined;

/**
 * The language whose stop words the texts use most; English when they hardly use any.
 *
 * Each text counts by its share of stop words, so that one long text outvotes nobody. Code and
 * Chinese use few: code is searched in English mostly, and Chinese has no stems to lose.
 */
export function detectLanguage(texts: Iterable<string>): string {
  const shares = new Map([...stopWords().keys()].map((language) => [language, 0]));
  let weight = 0;
  for (const text of texts) {
    const sample = sliceCodePoints(text, 0, SAMPLE_CHARS);
    const words = (fold(sample).match(WORD) ?? []).map(caseFold);
    if (words.length === 0) continue;
    weight += 1;
    for (const [language, stopped] of stopWords()) {
      const count = words.filter((word) => stopped.has(word)).length;
      shares.set(language, (shares.get(language) ?? 0) + count / words.length);
    }
  }
  const [best] = [...shares].sort((a, b) => b[1] - a[1] || compareCodePoints(b[0], a[0]));
  return best && best[1] > LEAST_SHARE * weight ? best[0] : FALLBACK_LANGUAGE;
}
