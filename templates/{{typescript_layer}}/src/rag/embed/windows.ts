/** Texts longer than a model takes: cut into windows that fit, embedded each, averaged. */

import { countCodePoints, stringIndices } from "../code-points.ts";

export type Count = (texts: readonly string[]) => readonly number[];

/** A half-open range of positions. */
export type Range = { readonly start: number; readonly end: number };

/**
 * Cut `text` into near-equal windows of at most `limit` tokens each.
 *
 * Windows come in order and together are `text`. They end after white space where there is some
 * near the middle, so that few words are cut. A single character is never cut, however many
 * tokens it has.
 */
export function cutToFit(text: string, limit: number, count: Count): string[] {
  const tokens = count([text])[0] ?? 0;
  const length = countCodePoints(text);
  if (tokens <= limit || length < 2) return [text];
  const parts = Math.min(length, Math.ceil(tokens / limit));
  const cuts = bounds(text, length, Math.max(2, parts));
  const pieces = cuts.slice(1).map((end, index) => text.slice(cuts[index], end));
  return pieces.flatMap((piece) => cutToFit(piece, limit, count));
}

/** String indices of the ends of `parts` stretches of near-equal numbers of code points. */
function bounds(text: string, length: number, parts: number): number[] {
  const slack = Math.floor(Math.floor(length / parts) / 4);
  const aims = Array.from({ length: parts - 1 }, (_, part) =>
    Math.floor(((part + 1) * length) / parts),
  );
  const indices = stringIndices(
    text,
    aims.flatMap((aim) => [aim - slack, aim]),
  );
  const inner = aims.map((_, part) => {
    const [earliest = 0, aim = 0] = indices.slice(2 * part, 2 * part + 2);
    const space = Math.max(...[" ", "\n", "\t"].map((mark) => text.lastIndexOf(mark, aim - 1)));
    return space < earliest ? aim : space + 1;
  });
  return [0, ...inner, text.length];
}

/**
 * Consecutive ranges of texts with at most `most` windows and `mostTokens` tokens.
 *
 * A text is given by the tokens of its windows. One that exceeds a limit by itself has a range
 * of its own.
 */
export function* batches(
  texts: readonly (readonly number[])[],
  { most, mostTokens }: { readonly most: number; readonly mostTokens: number },
): Generator<Range> {
  let start = 0;
  let windows = 0;
  let tokens = 0;
  for (const [position, sizes] of texts.entries()) {
    const size = sizes.reduce((sum, count) => sum + count, 0);
    windows += sizes.length;
    tokens += size;
    if (position > start && (windows > most || tokens > mostTokens)) {
      yield { start, end: position };
      start = position;
      windows = sizes.length;
      tokens = size;
    }
  }
  if (start < texts.length) yield { start, end: texts.length };
}
