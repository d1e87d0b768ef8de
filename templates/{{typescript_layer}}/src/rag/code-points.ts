/**
 * Offsets that count code points, as records hold them, and string indices, which count UTF-16
 * units. Text without a surrogate is the common case, and there the two are the same.
 */

const SURROGATE = /[\ud800-\udfff]/;

/** The part of `text` between two offsets in code points. */
export function sliceCodePoints(text: string, start: number, end: number): string {
  const offsets = stringIndices(text, [start, end]);
  return text.slice(offsets[0], offsets[1]);
}

/** String indices for rising offsets in code points. */
export function stringIndices(text: string, offsets: readonly number[]): number[] {
  if (!SURROGATE.test(text)) return [...offsets];
  let points = 0;
  let index = 0;
  return offsets.map((offset) => {
    while (points < offset && index < text.length) {
      index += widthAt(text, index);
      points += 1;
    }
    return index;
  });
}

/** Offsets in code points for rising string indices. */
export function codePointOffsets(text: string, indices: readonly number[]): number[] {
  if (!SURROGATE.test(text)) return [...indices];
  let points = 0;
  let at = 0;
  return indices.map((index) => {
    while (at < index) {
      at += widthAt(text, at);
      points += 1;
    }
    return points;
  });
}

/** How many code points `text` has. */
export function countCodePoints(text: string): number {
  return codePointOffsets(text, [text.length])[0] ?? 0;
}

/** Orders text as UTF-8 bytes and code points do: SQLite and Python, not JavaScript, agree. */
export function compareCodePoints(left: string, right: string): number {
  if (left === right) return 0;
  const least = Math.min(left.length, right.length);
  for (let index = 0; index < least; index += 1) {
    const difference = rank(left.charCodeAt(index)) - rank(right.charCodeAt(index));
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

function widthAt(text: string, index: number): number {
  return (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
}

/** Surrogates stand for code points above all others, and come last. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
