/** The reading side of the keyword index: exact BM25 over the postings of a query's terms. */

import type { Filter, Hit } from "../contracts.ts";
import { quoted } from "../quoted.ts";
import { blobIsIntact } from "./checksums.ts";
import { damaged } from "./faults.ts";
import { postingPlace } from "./inverted.ts";
import { BLOCK, decode, inverseDocumentFrequency, lengthNorm, saturation } from "./postings.ts";
import { candidates } from "./vectors.ts";
import type { View } from "./view.ts";

/** A term's chunk numbers, rising, and frequencies, as many each as its document frequency. */
export type TermPostings = {
  readonly numbers: Uint32Array;
  readonly frequencies: Uint8Array;
};

/**
 * Search by BM25, as Lucene scores it.
 *
 * Each occurrence of a term in the query counts, chunk lengths are exact, and sums are in float64
 * in the order in which terms first occur in the query.
 */
export type KeywordIndex = {
  /** The `depth` best chunks with at least one of the terms. */
  search(view: View, terms: readonly string[], depth: number, where: Filter | undefined): Hit[];
  /** Scores by chunk number, 0 where no term occurs; valid until another query is scored. */
  scores(view: View, terms: readonly string[]): Float64Array;
  /** For each chunk number, what each term that it holds adds to its score. */
  matches(view: View, numbers: readonly number[], terms: readonly string[]): Map<string, number>[];
};

export function buildKeywordIndex(parameters: {
  readonly k1: number;
  readonly b: number;
}): KeywordIndex {
  let norms: { readonly view: View; readonly values: Float64Array } | undefined;
  let last:
    | {
        readonly view: View;
        readonly query: string;
        readonly scores: Float64Array;
      }
    | undefined;

  function normsOf(view: View): Float64Array {
    if (norms?.view !== view) {
      const { tokens, chunks } = view.state;
      const average = tokens / Math.max(chunks, 1);
      const values = Float64Array.from(view.slots(), (slot) =>
        lengthNorm(Math.max(slot, 1) - 1, average, parameters),
      );
      norms = { view, values };
    }
    return norms.values;
  }

  function scores(view: View, terms: readonly string[]): Float64Array {
    const query = JSON.stringify(terms);
    if (last?.view === view && last.query === query) return last.scores;
    const lengths = normsOf(view);
    const parts = weighed(view, terms);
    const kept = last?.view === view ? last.scores.fill(0) : undefined;
    const totals = kept ?? new Float64Array(view.slots().length);
    for (const [found, weight] of parts.values()) {
      const { numbers, frequencies } = found;
      for (let at = 0; at < numbers.length; at += 1) {
        const number = numbers[at] ?? 0;
        const part = weight * saturation(frequencies[at] ?? 0, lengths[number] ?? 0);
        totals[number] = (totals[number] ?? 0) + part;
      }
    }
    last = { view, query, scores: totals };
    return totals;
  }

  return {
    scores,
    search(view, terms, depth, where) {
      let totals = scores(view, terms);
      const refused = where && view.refused(where);
      if (refused) totals = totals.map((score, number) => (refused[number] ? 0 : score));
      const numbers = candidates(totals, depth, { above: 0 });
      return view.ranking(
        numbers,
        Float64Array.from(numbers, (at) => totals[at] ?? 0),
        depth,
      );
    },
    matches(view, numbers, terms) {
      const lengths = normsOf(view);
      const found = [...weighed(view, terms)];
      return numbers.map((number) => {
        const parts = found.flatMap(([term, [postings, weight]]): [string, number][] => {
          const frequency = frequencyAt(postings, number);
          if (frequency === undefined) return [];
          return [[term, weight * saturation(frequency, lengths[number] ?? 0)]];
        });
        return new Map(parts);
      });
    },
  };
}

/** Postings and weight of each term that the index holds, in the order of the query. */
function weighed(
  view: View,
  terms: readonly string[],
): Map<string, [postings: TermPostings, weight: number]> {
  const repeats = new Map<string, number>();
  for (const term of terms) repeats.set(term, (repeats.get(term) ?? 0) + 1);
  const stored = readPostings(view, [...repeats.keys()]);
  const found = new Map<string, [TermPostings, number]>();
  for (const [term, count] of repeats) {
    const postings = stored.get(term);
    if (!postings) continue;
    const idf = inverseDocumentFrequency(view.state.chunks, postings.numbers.length);
    found.set(term, [postings, idf * count]);
  }
  return found;
}

/**
 * Postings of those terms that the index holds.
 *
 * @throws IndexCorruptError postings were altered, or are fewer than the term's frequency.
 */
export function readPostings(view: View, terms: readonly string[]): Map<string, TermPostings> {
  const parts = new Map<string, [block: number, postings: Buffer][]>();
  const query = "SELECT term, block, postings, checksum FROM posting WHERE term";
  for (const [term, block, blob, checksum] of view.where<[string, number, unknown, unknown]>(
    query,
    terms,
  )) {
    if (!blobIsIntact(checksum, blob, postingPlace(term, block))) {
      throw damaged(view.path, `postings of ${quoted(term)} do not match their checksum`);
    }
    const known = parts.get(term);
    if (known) known.push([block, blob]);
    else parts.set(term, [[block, blob]]);
  }
  const found = new Map([...parts].map(([term, blobs]) => [term, joined(blobs)]));
  requireComplete(view, terms, found);
  return found;
}

function requireComplete(
  view: View,
  terms: readonly string[],
  found: ReadonlyMap<string, TermPostings>,
): void {
  const query = "SELECT text, frequency FROM term WHERE text";
  const frequencies = [...view.where<[string, number]>(query, terms)];
  const agree = frequencies.every(([term, count]) => found.get(term)?.numbers.length === count);
  if (!agree || frequencies.length !== found.size) {
    throw damaged(view.path, "postings are missing, or there are too many");
  }
  const end = view.slots().length;
  for (const { numbers } of found.values()) {
    if ((numbers.at(-1) ?? 0) >= end) {
      throw damaged(view.path, "postings name a chunk that is not there");
    }
  }
}

function joined(parts: readonly [block: number, postings: Buffer][]): TermPostings {
  const decoded = [...parts]
    .sort(([a], [b]) => a - b)
    .map(([block, blob]) => ({ block, ...decode(blob) }));
  const count = decoded.reduce((sum, { offsets }) => sum + offsets.length, 0);
  const numbers = new Uint32Array(count);
  const frequencies = new Uint8Array(count);
  let at = 0;
  for (const part of decoded) {
    const first = part.block * BLOCK;
    for (const offset of part.offsets) {
      numbers[at] = first + offset;
      at += 1;
    }
    frequencies.set(part.frequencies, at - part.offsets.length);
  }
  return { numbers, frequencies };
}

/** The frequency of a term in a chunk, found by halving; undefined where it does not occur. */
function frequencyAt({ numbers, frequencies }: TermPostings, number: number): number | undefined {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] ?? 0) < number) low = middle + 1;
    else high = middle;
  }
  return numbers[low] === number ? frequencies[low] : undefined;
}
