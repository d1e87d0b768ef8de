/** Stems of words, by the Snowball algorithm of a language. */

import { createStemmer } from "multilingual-stemmer";
import { ConfigError } from "./errors.ts";
import { quoted } from "./quoted.ts";

const NO_LANGUAGE = "none";
const LETTERS = /^\p{L}+$/u;

const CODES: Readonly<Record<string, Parameters<typeof createStemmer>[0]>> = {
  arabic: "ar",
  armenian: "hy",
  basque: "eu",
  catalan: "ca",
  czech: "cs",
  danish: "da",
  dutch: "nl",
  english: "en",
  esperanto: "eo",
  estonian: "et",
  finnish: "fi",
  french: "fr",
  german: "de",
  greek: "el",
  hindi: "hi",
  hungarian: "hu",
  indonesian: "id",
  irish: "ga",
  italian: "it",
  lithuanian: "lt",
  nepali: "ne",
  norwegian: "no",
  persian: "fa",
  polish: "pl",
  portuguese: "pt",
  romanian: "ro",
  russian: "ru",
  serbian: "sr",
  sesotho: "st",
  spanish: "es",
  swedish: "sv",
  tamil: "ta",
  turkish: "tr",
  yiddish: "yi",
};

/** The Snowball languages, by name. */
export const LANGUAGES: readonly string[] = Object.keys(CODES);

/**
 * Stems words of letters in a Snowball language; leaves other terms as they are.
 *
 * @throws ConfigError Snowball has no such language.
 */
export function stemmerOf(language: string): (word: string) => string {
  if (language === NO_LANGUAGE) return (word) => word;
  const code = Object.hasOwn(CODES, language) ? CODES[language] : undefined;
  if (code === undefined) {
    const known = [NO_LANGUAGE, ...LANGUAGES].join(", ");
    throw new ConfigError(`no language ${quoted(language)}`, {
      fix: `Choose one of: auto, ${known}.`,
    });
  }
  const stem = createStemmer(code);
  return (word) => (LETTERS.test(word) ? stem(word) : word);
}
