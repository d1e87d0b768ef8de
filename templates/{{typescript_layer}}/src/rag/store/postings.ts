/**
 * Posting lists of one block of chunks, as bytes; and exact BM25 over them.
 *
 * A block is `BLOCK` consecutive chunk numbers. A term's postings in a block are the offsets of
 * the chunks that hold it, rising, as uint16, and then as many term frequencies as uint8; a
 * frequency stops at 255.
 */

export const BLOCK_BITS = 12;
export const BLOCK = 1 << BLOCK_BITS;
export const MOST_FREQUENCY = 255;
export const ENTRY_BYTES = 3;

export type Postings = {
  readonly offsets: Uint16Array;
  readonly frequencies: Uint8Array;
};

/** Postings of rising offsets below `BLOCK`, with a frequency for each. */
export function encode(offsets: ArrayLike<number>, frequencies: ArrayLike<number>): Buffer {
  const blob = Buffer.allocUnsafeSlow(offsets.length * ENTRY_BYTES);
  new Uint16Array(blob.buffer, 0, offsets.length).set(offsets);
  for (let at = 0; at < frequencies.length; at += 1) {
    blob[2 * offsets.length + at] = Math.min(frequencies[at] ?? 0, MOST_FREQUENCY);
  }
  return blob;
}

/** Offsets and frequencies, the inverse of `encode`. */
export function decode(postings: Buffer): Postings {
  const count = frequency(postings);
  const aligned = postings.byteOffset % 2 === 0 ? postings : Uint8Array.from(postings);
  return {
    offsets: new Uint16Array(aligned.buffer, aligned.byteOffset, count),
    frequencies: aligned.subarray(2 * count),
  };
}

/** Number of chunks in the postings. */
export function frequency(postings: Uint8Array): number {
  return Math.floor(postings.byteLength / ENTRY_BYTES);
}

/** Take the offsets `removed` out, then put the postings `added` in, over equal offsets. */
export function merge(postings: Buffer, removed: ArrayLike<number>, added: Buffer): Buffer {
  const table = new Uint8Array(BLOCK);
  const put = ({ offsets, frequencies }: Postings): void => {
    for (let at = 0; at < offsets.length; at += 1) table[offsets[at] ?? 0] = frequencies[at] ?? 0;
  };
  put(decode(postings));
  for (let at = 0; at < removed.length; at += 1) table[removed[at] ?? 0] = 0;
  put(decode(added));
  const left: number[] = [];
  table.forEach((count, offset) => {
    if (count > 0) left.push(offset);
  });
  return encode(
    left,
    left.map((offset) => table[offset] ?? 0),
  );
}

/** ln(1 + (N - df + 0.5) / (df + 0.5)): above zero for every term. */
export function inverseDocumentFrequency(chunks: number, frequency: number): number {
  return naturalLog(1 + (chunks - frequency + 0.5) / (frequency + 0.5));
}

/**
 * Natural logarithm of a number from 1 up, in sums and products that IEEE 754 defines.
 *
 * Libraries of C and of JavaScript differ in the last bit of theirs, and a tie in one language
 * would be none in the other. The series is of 2 artanh((m - 1) / (m + 1)).
 */
export function naturalLog(number: number): number {
  let mantissa = number;
  let doublings = 0;
  while (mantissa > Math.SQRT2) {
    mantissa /= 2;
    doublings += 1;
  }
  const ratio = (mantissa - 1) / (mantissa + 1);
  const square = ratio * ratio;
  let total = 0;
  for (let odd = 23; odd > 0; odd -= 2) total = total * square + 1 / odd;
  return 2 * ratio * total + doublings * Math.LN2;
}

/** `k1 * (1 - b + b * length / average)`; lengths are not rounded. */
export function lengthNorm(
  length: number,
  average: number,
  { k1, b }: { readonly k1: number; readonly b: number },
): number {
  return k1 * (1 - b + b * (length / (average || 1)));
}

/**
 * `tf / (tf + norm)`: Lucene's BM25, without the constant factor k1 + 1.
 *
 * Source: Kamphuis, de Vries, Boytsov & Lin, ECIR 2020.
 */
export function saturation(frequency: number, norm: number): number {
  return frequency / (frequency + norm);
}
