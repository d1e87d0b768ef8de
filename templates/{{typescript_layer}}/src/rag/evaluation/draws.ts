/** Random whole numbers that are the same in both languages. */

const STEP = 0x9e3779b9;

/**
 * A number below `below`, at one place of the sequence that `seed` names.
 *
 * The place, spread over 32 bits by the golden ratio, is mixed; `below` is at most 2 ** 21.
 *
 * Source: Steele, Lea & Flood, Fast splittable pseudorandom number generators, OOPSLA 2014, with
 * the 32-bit mixer "lowbias32" of Wellons, Hash prospector, 2018.
 */
export function drawAt(seed: number, place: number, below: number): number {
  let mixed = (seed + Math.imul(place, STEP)) >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
  mixed = (mixed ^ (mixed >>> 16)) >>> 0;
  return Math.floor((mixed * below) / 2 ** 32);
}
