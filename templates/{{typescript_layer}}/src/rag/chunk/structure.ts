/** The blocks of a text, whatever its format. */

import {
  countCodePoints,
  isBlank,
  sliceCodePoints,
  splitBlanks,
  trimBlanksEnd,
} from "../code-points.ts";

export const LONGEST_TITLE = 300;

export type Kind = "heading" | "prose" | "code" | "table" | "group";

/**
 * A stretch of the text that is one thing to its author.
 *
 * `code` is kept whole where it fits, `table` has its rows as children with the header first,
 * `group` (a list, an item, a quotation) has blocks in it. `level` and `title` are a heading's.
 * Spans count code points.
 */
export type Block = {
  readonly start: number;
  readonly end: number;
  readonly kind: Kind;
  readonly level: number;
  readonly title: string;
  readonly children: readonly Block[];
};

/** A block without a level, a title and children, unless they are given. */
export function buildBlock(
  start: number,
  end: number,
  kind: Kind,
  more: Partial<Pick<Block, "level" | "title" | "children">> = {},
): Block {
  return { start, end, kind, level: 0, title: "", children: [], ...more };
}

/**
 * Yield the blocks, and what stands between them as prose, so that nothing is lost.
 *
 * A block that starts within a line after nothing but markers takes them in.
 */
export function* fillGaps(
  text: string,
  blocks: Iterable<Block>,
  start: number,
  end: number,
): Generator<Block> {
  let reached = start;
  for (const block of blocks) {
    const line = Math.max(lastIndexIn(text, "\n", reached, block.start) + 1, reached);
    if (line > reached && !isBlank(text.slice(reached, line))) {
      yield buildBlock(reached, line, "prose");
    }
    yield line === block.start ? block : { ...block, start: line };
    reached = block.end;
  }
  if (reached < end && !isBlank(text.slice(reached, end))) yield buildBlock(reached, end, "prose");
}

/** A title as it stands in a heading path: on one line, and not without end. */
export function oneLine(title: string): string {
  const line = splitBlanks(title).join(" ");
  if (countCodePoints(line) <= LONGEST_TITLE) return line;
  return trimBlanksEnd(sliceCodePoints(line, 0, LONGEST_TITLE));
}

/** Where `mark`, a single character, stands last in a stretch; -1 if nowhere. */
export function lastIndexIn(text: string, mark: string, start: number, end: number): number {
  if (end <= start) return -1;
  const index = text.lastIndexOf(mark, end - 1);
  return index < start ? -1 : index;
}
