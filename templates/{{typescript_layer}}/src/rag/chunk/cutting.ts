/** The state of one pass over the blocks of a text, and how a piece is added to it. */

import { isBlank, trimBlanksEnd, trimBlanksStart } from "../code-points.ts";
import type { Flat } from "./flat.ts";
import type { Layout, Sizes } from "./layout.ts";
import { type Kind, lastIndexIn } from "./structure.ts";

const WIDEST_INDENT = 40;
const WIDEST_GAP = 8;

/** One pass over the blocks of one text. */
export type Cutting = {
  readonly flat: Flat;
  readonly sizes: Sizes;
  readonly layout: Layout;
  /** Start of the section. */
  section: number;
  /** End of the last piece. */
  reached: number;
  /** Start of the headings that the next block belongs to. */
  lead: number | undefined;
};

export type Stretch = {
  readonly start: number;
  readonly end: number;
  readonly strength: number;
};

/** Room for a block: what its headings leave, or else what the overlap leaves. */
export function firstRoom({ lead, sizes }: Cutting, start: number, room: number): number {
  if (lead === undefined) return room;
  const left = sizes.chunk - (start - lead);
  return left > Math.floor(sizes.chunk / 4) ? left : room;
}

/** Room for a run of pieces that starts here, after as much overlap as there is. */
export function roomAt({ section, reached, sizes }: Cutting, start: number): number {
  const before = start - section;
  if (before <= 0 || !reached) return sizes.chunk;
  const shared = Math.min(sizes.overlap, before) + Math.min(start - reached, WIDEST_GAP);
  return Math.max(sizes.chunk - shared, 1);
}

/** Add a stretch as a piece, unless it is blank. */
export function append(cutting: Cutting, stretch: Stretch, kind: Kind, whole: boolean): void {
  const { start, end } = trim(cutting, stretch.start, stretch.end);
  if (start >= end) return;
  push(cutting, { start, end, strength: stretch.strength }, roomAt(cutting, start), kind, whole);
}

/** Add a stretch, which is trimmed, as a piece. */
export function push(
  cutting: Cutting,
  { start, end, strength }: Stretch,
  room: number,
  kind: Kind,
  whole: boolean,
): void {
  const section = cutting.layout.sections.length - 1;
  cutting.layout.pieces.push({
    start,
    end,
    strength,
    room,
    kind,
    whole,
    section,
  });
  cutting.reached = end;
}

/** Drop blank lines at both ends, and blanks at the end; keep the first line's indent. */
export function trim({ flat, sizes }: Cutting, start: number, end: number) {
  const { text } = flat;
  if (start < end && !isBlank(text.charAt(start)) && !isBlank(text.charAt(end - 1))) {
    return { start, end };
  }
  const span = text.slice(start, end);
  const kept = span.length - trimBlanksStart(span).length;
  const stop = start + trimBlanksEnd(span).length;
  const indent = kept - (lastIndexIn(span, "\n", 0, kept) + 1);
  const atLineStart = indent < kept || start === 0 || text.charAt(start - 1) === "\n";
  const begin = atLineStart && indent <= WIDEST_INDENT ? kept - indent : kept;
  return {
    start: sizes.clusters.floor(start + begin),
    end: sizes.clusters.ceil(stop),
  };
}
