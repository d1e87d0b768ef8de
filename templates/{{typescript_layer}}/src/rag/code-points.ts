/**
 * Text as the index file has it, whichever language reads it: offsets that count code points
 * where string indices count UTF-16 units, their order, and what a blank is. Text without a
 * surrogate is the common case, and there offsets and indices are the same.
 */

/** The body of a character class: blanks, as Python has them. `\\s` lacks some and has U+FEFF. */
export const BLANK = String.raw`\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000`;

const NOT_BLANK = new RegExp(`[^${BLANK}]`);
const BLANKS = new RegExp(`[${BLANK}]+`);
const LEADING = new RegExp(`^[${BLANK}]+`);
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

/** Whether there is nothing but blanks in `text`. */
export function isBlank(text: string): boolean {
  return !NOT_BLANK.test(text);
}

/** The words of `text`, parted by blanks. */
export function splitBlanks(text: string): string[] {
  return text.split(BLANKS).filter((word) => word !== "");
}

/** `text` without the blanks at both of its ends. */
export function trimBlanks(text: string): string {
  return trimBlanksStart(trimBlanksEnd(text));
}

/** `text` without the blanks at its start. */
export function trimBlanksStart(text: string): string {
  return text.replace(LEADING, "");
}

/** `text` without the blanks at its end. */
export function trimBlanksEnd(text: string): string {
  let end = text.length;
  while (end > 0 && !NOT_BLANK.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
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
