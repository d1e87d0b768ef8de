/**
 * Where a cut would fall inside a grapheme cluster (what a reader takes for one character).
 *
 * Source: Unicode Standard Annex 29, as implemented by `Intl.Segmenter`.
 */

import { codePointOffsets } from "../code-points.ts";
import { countBefore } from "./layout.ts";

// No character of these ranges joins a neighbour; all others may. Most text is in them, and is
// passed over at the speed of a character class.
const LONERS =
  String.raw`\x00-\x0c\x0e-\u02ff\u0370-\u0482\u048a-\u0590\u1e00-\u200a\u2010-\u2027` +
  String.raw`\u2030-\u205f\u2070-\u20cf\u2100-\u2cee\u2d30-\u2d7e\u2e00-\u3029` +
  String.raw`\u3030-\u3098\u309b-\ua66e\uac00-\ud7a3\uf900-\ufb1d\uff01-\uff9d`;
const ANY_JOINER = new RegExp(`[^${LONERS}]`, "u");
const JOINERS = new RegExp(
  `[${LONERS}]?[^${LONERS}](?:[${LONERS}]?[^${LONERS}])*[${LONERS}]?`,
  "gu",
);

const SLICE = 256;
const SEGMENTER = new Intl.Segmenter("en", { granularity: "grapheme" });

type Span = { readonly start: number; readonly end: number };

/** Clusters of two or more code points, in order, with offsets in code points. */
export type Clusters = {
  readonly spans: readonly Span[];
  /** The last place at or before `position` where a cut is allowed. */
  floor(position: number): number;
  /** The first place at or after `position` where a cut is allowed. */
  ceil(position: number): number;
};

/** Find the clusters of `text`; one longer than `longest` counts as several. */
export function findClusters(text: string, longest: number): Clusters {
  const spans = ANY_JOINER.test(text) ? longClusters(text, longest) : [];
  const holder = (position: number) => {
    const span = spans[countBefore(spans, position) - 1];
    return span && position < span.end ? span : undefined;
  };
  return {
    spans,
    floor: (position) => holder(position)?.start ?? position,
    ceil: (position) => holder(position)?.end ?? position,
  };
}

function longClusters(text: string, longest: number): Span[] {
  const indices = [...segmentBounds(text)];
  const offsets = codePointOffsets(text, indices);
  const spans: Span[] = [];
  for (let at = 0; at < offsets.length; at += 2) {
    const start = offsets[at] ?? 0;
    const end = offsets[at + 1] ?? 0;
    if (end - start < 2) continue;
    for (let piece = start; piece < end; piece += longest) {
      spans.push({ start: piece, end: Math.min(piece + longest, end) });
    }
  }
  return spans;
}

/** String indices where a cluster of two or more units starts, and where it ends, in turn. */
function* segmentBounds(text: string): Generator<number> {
  // Two loners never join, so a run of joiners and one loner on each side stands alone.
  for (const { 0: joined, index } of text.matchAll(JOINERS)) {
    for (const { start, end } of graphemes(joined)) {
      if (end - start < 2) continue;
      yield index + start;
      yield index + end;
    }
  }
}

/** All clusters, found in slices: the segmenter's time is the square of what it is given. */
function* graphemes(text: string): Generator<Span> {
  let start = 0;
  let width = SLICE;
  while (start < text.length) {
    const part = text.slice(start, wholeCharacters(text, start + width));
    const isLast = start + part.length === text.length;
    let reached = 0;
    for (const { segment, index } of SEGMENTER.segment(part)) {
      const end = index + segment.length;
      if (end === part.length && !isLast) break; // it may go on in the next slice
      yield { start: start + index, end: start + end };
      reached = end;
    }
    start += reached;
    width = reached ? SLICE : 2 * width;
  }
}

/** `stop`, or one more where it is between the halves of a character. */
function wholeCharacters(text: string, stop: number): number {
  return (text.charCodeAt(stop - 1) & 0xfc00) === 0xd800 ? stop + 1 : stop;
}
