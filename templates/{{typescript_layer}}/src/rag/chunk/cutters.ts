/**
 * Where a stretch that is too long may be cut: places, each with how strong a break it is.
 *
 * Each cutter yields cuts in rising order, strictly inside the stretch.
 */

import { BLANK, isBlank } from "../code-points.ts";
import type { Clusters } from "./graphemes.ts";
import { BLANK_LINES } from "./plain.ts";
import { lastIndexIn } from "./structure.ts";

export type Cut = { readonly position: number; readonly strength: number };
export type Cutter = (text: string, start: number, end: number) => Generator<Cut>;

export const GLUE = 0;
export const WORD = 10;
export const LINE = 20;
export const SENTENCE = 30;
export const INNER_GAP = 40;
export const OUTER_GAP = 50;
export const PART = 60;
export const BLOCK = 70;
export const HEADING = 80;

const WIDE_STOPS = "。！？｡";
const SENTENCE_END = new RegExp(
  String.raw`([.!?…${WIDE_STOPS}]+["'”’»)\]」』）】]*)([${BLANK}]*)`,
  "g",
);
const SMALL = /\p{Lowercase}/u;

/** Starts of sentences, by a simple rule: a stop, a space, and no small letter. */
export function* sentenceCuts(text: string, start: number, end: number): Generator<Cut> {
  for (const found of text.slice(start, end).matchAll(SENTENCE_END)) {
    const [all, stop = "", space = ""] = found;
    const position = start + found.index + all.length;
    if (position >= end) return;
    const isWide = WIDE_STOPS.includes(stop.charAt(0));
    if (isWide || (space && !SMALL.test(text.charAt(position)))) {
      yield { position, strength: SENTENCE };
    }
  }
}

/** Starts of lines. */
export function* lineCuts(text: string, start: number, end: number): Generator<Cut> {
  const part = text.slice(start, end - 1);
  for (let at = part.indexOf("\n") + 1; at > 0; at = part.indexOf("\n", at) + 1) {
    yield { position: start + at, strength: LINE };
  }
}

/** Lines after blank ones; the ones that are not indented are the stronger breaks. */
export function* gapCuts(text: string, start: number, end: number): Generator<Cut> {
  for (const gap of text.slice(start, end).matchAll(BLANK_LINES)) {
    const position = start + gap.index + gap[0].length;
    if (position >= end) return;
    const isIndented = " \t".includes(text.charAt(position));
    yield { position, strength: isIndented ? INNER_GAP : OUTER_GAP };
  }
}

export type Rooms = { readonly first: number; readonly rest: number };

/**
 * Cuts that leave `first` and then at most `rest` code points, at a space where one is near.
 *
 * A cluster is never cut; one that is longer than `rest` stands alone.
 */
export function* wordCuts(
  text: string,
  start: number,
  end: number,
  rooms: Rooms,
  clusters: Clusters,
): Generator<Cut> {
  let from = start;
  let room = rooms.first;
  while (end - from > room) {
    let position = clusters.floor(lastSpace(text, from + Math.floor(room / 4), from + room));
    if (position <= from) position = clusters.ceil(from + 1);
    if (position >= end) return;
    yield { position, strength: WORD };
    from = position;
    room = rooms.rest;
  }
}

function lastSpace(text: string, start: number, end: number): number {
  if (isBlank(text.charAt(end))) return end;
  const position = Math.max(
    lastIndexIn(text, " ", start, end),
    lastIndexIn(text, "\n", start, end),
  );
  return position >= start ? position + 1 : end;
}

export const PROSE: readonly Cutter[] = [sentenceCuts, lineCuts];
export const CODE: readonly Cutter[] = [gapCuts, lineCuts];
export const ROWS: readonly Cutter[] = [lineCuts];
