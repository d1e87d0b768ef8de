/**
 * A text whose string indices are offsets in code points: inside this stage nothing else is.
 *
 * `text` has one unit for each code point. One above U+FFFF has a stand-in of the same case,
 * which no rule for cutting takes for anything else; `slice` gives what stands there in truth.
 */
export type Flat = {
  readonly text: string;
  slice(start: number, end: number): string;
};

const ABOVE = /[\u{10000}-\u{10ffff}]/u;
const ALL_ABOVE = /[\u{10000}-\u{10ffff}]/gu;
const SMALL = /\p{Lowercase}/u;

/** Read a text as it is, at no cost where no code point needs two units. */
export function flatten(text: string): Flat {
  if (!ABOVE.test(text)) return { text, slice: (start, end) => text.slice(start, end) };
  const flat = text.replaceAll(ALL_ABOVE, (character) => (SMALL.test(character) ? "a" : "\ufffd"));
  const indices = new Uint32Array(flat.length + 1);
  let index = 0;
  for (let offset = 0; offset < flat.length; offset += 1) {
    indices[offset] = index;
    index += (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
  }
  indices[flat.length] = index;
  const indexOf = (offset: number) => indices[Math.min(offset, flat.length)] ?? 0;
  return {
    text: flat,
    slice: (start, end) => text.slice(indexOf(start), indexOf(end)),
  };
}
