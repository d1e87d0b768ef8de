/** Terms of chunks in the order of arrival, kept in flat arrays until they are grouped. */

import { compareCodePoints } from "../code-points.ts";
import { BLOCK, BLOCK_BITS, encode } from "./postings.ts";

export type PostingGroup = {
  readonly term: string;
  readonly block: number;
  readonly postings: Buffer;
};

export type Occurrences = {
  /** How many terms there are, repeats included. */
  size(): number;
  /** Add the terms of one chunk, repeats kept. */
  append(number: number, terms: readonly string[]): void;
  /** Term, block and postings, by rising term and then block. */
  grouped(): Generator<PostingGroup>;
};

const SURROGATE = /[\ud800-\udfff]/;

export function buildOccurrences(): Occurrences {
  const ids = new Map<string, number>();
  const numbers: number[] = [];
  const ends: number[] = [];
  let sequence = new Uint32Array(1024);
  let size = 0;

  function append(number: number, terms: readonly string[]): void {
    while (size + terms.length > sequence.length) {
      const longer = new Uint32Array(2 * sequence.length);
      longer.set(sequence);
      sequence = longer;
    }
    for (const term of terms) {
      let id = ids.get(term);
      if (id === undefined) {
        id = ids.size;
        ids.set(term, id);
      }
      sequence[size] = id;
      size += 1;
    }
    numbers.push(number);
    ends.push(size);
  }

  /** Chunk numbers of each term id, rising and with repeats; those of `id` end at `bounds[id]`. */
  function sortedByTerm(): { chunks: Uint32Array; bounds: Uint32Array } {
    const next = new Uint32Array(ids.size + 1);
    for (let at = 0; at < size; at += 1) {
      const after = (sequence[at] ?? 0) + 1;
      next[after] = (next[after] ?? 0) + 1;
    }
    for (let id = 1; id <= ids.size; id += 1) next[id] = (next[id] ?? 0) + (next[id - 1] ?? 0);
    const chunks = new Uint32Array(size);
    const order = numbers.map((_, at) => at).sort((a, b) => (numbers[a] ?? 0) - (numbers[b] ?? 0));
    for (const chunk of order) {
      const number = numbers[chunk] ?? 0;
      for (let at = ends[chunk - 1] ?? 0; at < (ends[chunk] ?? 0); at += 1) {
        const id = sequence[at] ?? 0;
        const place = next[id] ?? 0;
        chunks[place] = number;
        next[id] = place + 1;
      }
    }
    return { chunks, bounds: next };
  }

  function* grouped(): Generator<PostingGroup> {
    const { chunks, bounds } = sortedByTerm();
    const terms = sortedTerms([...ids.keys()]);
    for (const term of terms) {
      const id = ids.get(term) ?? 0;
      yield* blocksOf(term, chunks.subarray(id === 0 ? 0 : bounds[id - 1], bounds[id]));
    }
  }

  return { size: () => size, append, grouped };
}

/** Code point order; the engine's own, which is faster, differs only where there are surrogates. */
function sortedTerms(terms: string[]): string[] {
  return terms.some((term) => SURROGATE.test(term)) ? terms.sort(compareCodePoints) : terms.sort();
}

function* blocksOf(term: string, chunks: Uint32Array): Generator<PostingGroup> {
  let offsets: number[] = [];
  let frequencies: number[] = [];
  let last = -1;
  for (const number of chunks) {
    if (number === last) {
      const at = frequencies.length - 1;
      frequencies[at] = (frequencies[at] ?? 0) + 1;
      continue;
    }
    const block = last >>> BLOCK_BITS;
    if (last >= 0 && number >>> BLOCK_BITS !== block) {
      yield { term, block, postings: encode(offsets, frequencies) };
      offsets = [];
      frequencies = [];
    }
    offsets.push(number & (BLOCK - 1));
    frequencies.push(1);
    last = number;
  }
  if (last >= 0)
    yield {
      term,
      block: last >>> BLOCK_BITS,
      postings: encode(offsets, frequencies),
    };
}
