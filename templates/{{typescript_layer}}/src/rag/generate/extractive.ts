/** Answers without a model, by quoting the sentences that share most with the question. */

import { compareCodePoints, countCodePoints, isBlank, splitBlanks } from "../code-points.ts";
import { type Generator, NO_USAGE, type Passage, representation } from "../contracts.ts";
import { DECLINED, encodeReply } from "./reply.ts";
import { type Span, splitSentences } from "./sentences.ts";
import { holdsWord } from "./words.ts";

/** An answer has no more quotes than this. */
export const MOST_QUOTES = 3;

/** A quote runs on through its paragraph while it is no longer than this, in code points. */
const QUOTE_CHARS = 320;

/** Share of the first sentence's score that a further one must reach. */
const WORTH_ADDING = 0.4;

/** Share of the question, by rarity of its terms, that the first sentence's passage must hold. */
const LEAST_COVER = 0.5;

/** What a term of the question counts when the passage holds it beside the sentence, not in it. */
const NEARBY_SHARE = 0.3;

const RANK_DISCOUNT = 0.3;

const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    "a about am an and any are as at be been by can could did do does for from had has have how i " +
    "if in is it its me my of on or our shall should that the their them there these they this " +
    "those to was we were what when where which who whom whose why will with would you your"
  ).split(" "),
);

type Sentence = {
  readonly number: number;
  readonly quote: string;
  readonly text: string;
  readonly terms: ReadonlySet<string>;
  readonly nearby: ReadonlySet<string>;
};

type Terms = (text: string) => readonly string[];
type Rarity = ReadonlyMap<string, number>;

/** Words in small letters without English stop words; for want of the index's own analysis. */
export function plainTerms(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  const telling = words.filter((word) => !STOP_WORDS.has(word));
  return telling.length > 0 ? telling : words;
}

/**
 * Quotes sentences whose rare terms the question shares, with what follows them.
 *
 * It declines when no sentence shares any, or when the passage of the best sentence holds less
 * than half of what is asked. `terms` should be the analysis that the index was built with: it
 * knows the language.
 */
export function buildExtractiveGenerator(terms: Terms = plainTerms): Generator {
  return {
    async generate(_prompt, question, passages) {
      const sentences = passages.flatMap((passage, at) => sentencesOf(passage, at + 1, terms));
      return { text: written(terms(question), sentences), usage: NO_USAGE, truncated: false };
    },
  };
}

function written(asked: readonly string[], sentences: readonly Sentence[]): string {
  const rarity = rarityOf(new Set(asked), sentences);
  const chosen = choose(sentences, rarity);
  const [first] = chosen;
  if (first === undefined || cover(first, rarity) < LEAST_COVER) return DECLINED;
  const said = chosen.map((one) => `${splitBlanks(one.quote).join(" ")} [${one.number}]`);
  return encodeReply(
    said.join(" "),
    chosen.map((one) => ({ passage: one.number, quote: one.quote })),
  );
}

function sentencesOf({ chunk }: Passage, number: number, analyse: Terms): Sentence[] {
  const held = new Set(analyse(representation(chunk)));
  const whole = chunk.text;
  const spans = [...splitSentences(whole)];
  return spans.flatMap(({ start, end }, at) => {
    const text = whole.slice(start, end);
    if (!holdsWord(text)) return [];
    const terms = new Set(analyse(text));
    const quote = whole.slice(start, quoteEnd(whole, spans.slice(at)));
    const nearby = new Set([...held].filter((term) => !terms.has(term)));
    return [{ number, quote, text, terms, nearby }];
  });
}

/** Where a quote from the first of `spans` ends: in its paragraph, after a whole sentence. */
function quoteEnd(text: string, spans: readonly Span[]): number {
  const [first, ...others] = spans;
  if (first === undefined) return 0;
  let { end } = first;
  for (const next of others) {
    const between = text.slice(end, next.start);
    const isLong = countCodePoints(text.slice(first.start, next.end)) > QUOTE_CHARS;
    if (isLong || between === "" || !isBlank(between) || between.includes("\n\n")) break;
    end = next.end;
  }
  return end;
}

/** Weight each term of the question by how few sentences hold it. */
function rarityOf(asked: ReadonlySet<string>, sentences: readonly Sentence[]): Rarity {
  return new Map(
    [...asked].sort(compareCodePoints).map((term) => {
      const holding = sentences.filter((sentence) => sentence.terms.has(term)).length;
      return [term, Math.log(1 + sentences.length / (1 + holding))];
    }),
  );
}

function choose(sentences: readonly Sentence[], weights: Rarity): Sentence[] {
  const chosen: Sentence[] = [];
  let remaining = sentences;
  let rarity = weights;
  let least = 0;
  while (remaining.length > 0 && chosen.length < MOST_QUOTES) {
    const best = remaining.reduce((one, other) =>
      score(other, rarity) > score(one, rarity) ? other : one,
    );
    const reached = score(best, rarity);
    if (reached <= least) break;
    least ||= WORTH_ADDING * reached;
    chosen.push(best);
    remaining = remaining.filter((one) => !best.quote.includes(one.text));
    rarity = new Map([...rarity].filter(([term]) => !best.terms.has(term)));
  }
  return chosen;
}

/** Share of the question that the sentence's passage holds. */
function cover({ terms, nearby }: Sentence, rarity: Rarity): number {
  const held = weightOf(rarity, (term) => terms.has(term) || nearby.has(term));
  return held / weightOf(rarity, () => true);
}

/** Weight of the terms shared, less for length and for the passage's rank; 0: none is. */
function score({ terms, nearby, number }: Sentence, rarity: Rarity): number {
  const shared = weightOf(rarity, (term) => terms.has(term));
  const beside = shared ? weightOf(rarity, (term) => nearby.has(term)) : 0;
  const length = Math.log(8 + terms.size);
  return (shared + NEARBY_SHARE * beside) / (length * (1 + RANK_DISCOUNT * (number - 1)));
}

function weightOf(rarity: Rarity, counts: (term: string) => boolean): number {
  let sum = 0;
  for (const [term, weight] of rarity) if (counts(term)) sum += weight;
  return sum;
}
