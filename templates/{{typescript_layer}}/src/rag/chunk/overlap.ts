/** Where a chunk starts that repeats the end of the one before it. */

import { BLANK } from "../code-points.ts";
import { lineCuts, sentenceCuts } from "./cutters.ts";
import type { Clusters } from "./graphemes.ts";
import { countBefore, type Piece } from "./layout.ts";

const BLANKS = new RegExp(`[${BLANK}]+`);

/** Pieces, the first of a chunk among them, and the earliest place where the chunk may start. */
export type Place = {
  readonly pieces: readonly Piece[];
  readonly index: number;
  readonly earliest: number;
};

/**
 * The first good start at or after `earliest`, in the pieces before `pieces[index]`.
 *
 * A good start is that of a piece, of a sentence, or of a line of code. Where the last sentence
 * is longer than the overlap, it is that of a word, and failing that of a grapheme. A piece that
 * is whole is repeated as a whole or not at all; then, and where nothing is left to repeat, it
 * is the start of `pieces[index]` itself.
 */
export function overlapStart(text: string, place: Place, clusters: Clusters): number {
  const { pieces, index, earliest } = place;
  const ownStart = pieces[index]?.start ?? 0;
  const end = pieces[index - 1]?.end ?? 0;
  if (earliest >= end) return ownStart;
  const holder = Math.max(countBefore(pieces, earliest + 1, index) - 1, 0);
  const piece = pieces[holder];
  if (!piece || piece.start >= earliest) return piece?.start ?? ownStart;
  const inside = piece.whole ? undefined : innerStart(text, piece, earliest, clusters);
  if (inside !== undefined) return inside;
  if (holder + 1 < index) return pieces[holder + 1]?.start ?? ownStart;
  return piece.whole ? ownStart : (wordStart(text, earliest, end, clusters) ?? ownStart);
}

function innerStart(
  text: string,
  piece: Piece,
  earliest: number,
  clusters: Clusters,
): number | undefined {
  if (earliest >= piece.end) return undefined;
  const cutter = piece.kind === "prose" ? sentenceCuts : lineCuts;
  for (const cut of cutter(text, Math.max(earliest - 8, piece.start), piece.end)) {
    const position = clusters.ceil(cut.position);
    if (earliest <= position && position < piece.end) return position;
  }
  return undefined;
}

function wordStart(
  text: string,
  earliest: number,
  end: number,
  clusters: Clusters,
): number | undefined {
  const found = BLANKS.exec(text.slice(earliest - 1, end));
  const position = clusters.ceil(found ? earliest - 1 + found.index + found[0].length : earliest);
  return earliest <= position && position < end ? position : undefined;
}
