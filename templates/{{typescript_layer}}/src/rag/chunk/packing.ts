/** Pieces -> runs of pieces that make one chunk each. */

import { crc32 } from "node:zlib";

import { GLUE } from "./cutters.ts";
import type { Flat } from "./flat.ts";
import type { Piece } from "./layout.ts";

const BEFORE = 24;
const AFTER = 40;
const CHECKSUMS = 2 ** 32;

/** A half-open range of piece indices. */
export type Run = { readonly first: number; readonly stop: number };

/**
 * Join neighbours where they fit, over the weakest breaks first.
 *
 * Breaks of one strength are taken in the order of a checksum of the text around them, so that
 * what is decided at one place depends on its surroundings alone, and an edit leaves the chunks
 * elsewhere as they were. No two neighbours that fit together stay apart. Runs come in order.
 */
export function pack(flat: Flat, pieces: readonly Piece[], longest: number): Run[] {
  const count = pieces.length;
  const first = Int32Array.from({ length: count + 1 }, (_, index) => index - 1);
  const last = Int32Array.from({ length: count + 1 }, (_, index) => index + 1);
  const keys = pieces.map((piece, index) => order(flat, index, piece));
  const key = (index: number) => keys[index] ?? 0;
  const breaks = pieces.map((_, index) => index).slice(1);
  for (const index of breaks.sort((left, right) => key(left) - key(right))) {
    let place = index;
    // A run that grew at its front may have more room: ask again about the break at its end.
    while (place < count && key(place) <= key(index)) {
      const start = first[place] ?? 0;
      const end = last[place] ?? count;
      if (!fits(pieces, start, place, end, longest)) break;
      first[end] = start;
      last[start] = end;
      place = end;
    }
  }
  return runs(last, count);
}

/** Whether the runs from `start` to `place` and from there to `end` fit together. */
function fits(
  pieces: readonly Piece[],
  start: number,
  place: number,
  end: number,
  longest: number,
): boolean {
  const before = pieces[start];
  const after = pieces[end - 1];
  if (!before || !after) return false;
  const room = pieces[place]?.strength === GLUE ? longest : before.room;
  return after.end - before.start <= room;
}

function runs(last: Int32Array, count: number): Run[] {
  const found: Run[] = [];
  for (let index = 0; index < count; ) {
    const stop = last[index] ?? count;
    found.push({ first: index, stop });
    index = stop;
  }
  return found;
}

function order(flat: Flat, index: number, piece: Piece): number {
  // A heading goes to what is under it before what is above it.
  if (piece.strength === GLUE) return -index;
  const around = flat.slice(Math.max(piece.start - BEFORE, 0), piece.start + AFTER);
  return piece.strength * CHECKSUMS + crc32(around);
}
