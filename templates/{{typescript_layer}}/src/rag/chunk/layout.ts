/** A text laid out for packing: its pieces, sections and tables. */

import type { Clusters } from "./graphemes.ts";
import type { Kind } from "./structure.ts";

/** Lengths in code points, and the clusters that no cut may enter. */
export type Sizes = {
  readonly chunk: number;
  readonly overlap: number;
  /** Room for new text in a chunk that starts with a full overlap. */
  readonly fresh: number;
  readonly clusters: Clusters;
};

/**
 * A stretch that is not cut again; it neither starts nor ends with blank lines.
 *
 * `strength` is that of the break before it: weaker breaks are closed first. `room` is how long
 * a run of pieces may be that starts here. No overlap starts inside a `whole` piece. `section`
 * is the index of its section.
 */
export type Piece = {
  readonly start: number;
  readonly end: number;
  readonly strength: number;
  readonly room: number;
  readonly kind: Kind;
  readonly whole: boolean;
  readonly section: number;
};

/** A heading with all up to the next one; the first has what stands before any heading. */
export type Section = {
  readonly start: number;
  readonly path: readonly string[];
};

/** A table that was cut: a chunk that starts in it, past its start, is given its header. */
export type Table = {
  readonly start: number;
  readonly end: number;
  readonly header: string;
};

/** A text laid out for packing. */
export type Layout = {
  readonly pieces: Piece[];
  readonly sections: Section[];
  readonly tables: Table[];
};

/** How many of `items`, whose starts rise, start before `position`; `count` limits the search. */
export function countBefore(
  items: readonly { readonly start: number }[],
  position: number,
  count = items.length,
): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((items[middle]?.start ?? 0) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}
