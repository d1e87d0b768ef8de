/** Case and marks taken off, as Unicode says: what JavaScript's own methods leave open. */

const ASCII = /^\p{ASCII}*$/u;
const CHEROKEE = /^[\u13a0-\u13f5\u13f8-\u13fd\uab70-\uabbf]$/;
const LAST_CLASS = "\u0345";

/**
 * Full case folding, character by character.
 *
 * It is the small letter of the capital one, but for those whose case pairs are not so:
 * Cherokee folds to capitals, and dotless ı stays.
 *
 * Source: Unicode Character Database, CaseFolding.txt, statuses C and F.
 */
export function caseFold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  let folded = "";
  for (const character of text) folded += foldCharacter(character);
  return folded;
}

function foldCharacter(character: string): string {
  if (character === "ı") return character;
  if (character === "ẞ") return "ss";
  if (CHEROKEE.test(character)) return character.toUpperCase();
  return character.toUpperCase().toLowerCase();
}

/** Normalise to NFKC without combining marks; case stays, since it marks word parts. */
export function fold(text: string): string {
  if (ASCII.test(text)) return text;
  const bare = text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, (mark) => (isCombining(mark) ? "" : mark));
  return bare.normalize("NFKC");
}

const combining = new Map<string, boolean>();

/**
 * Whether a mark's canonical combining class is not 0.
 *
 * Normal form puts such a mark before U+0345, whose class is the last and its own.
 */
function isCombining(mark: string): boolean {
  const known = combining.get(mark);
  if (known !== undefined) return known;
  const moves = !(LAST_CLASS + mark).normalize("NFD").startsWith(LAST_CLASS);
  const is = mark === LAST_CLASS || moves;
  combining.set(mark, is);
  return is;
}
