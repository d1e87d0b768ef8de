/** Document -> chunks. */

import { createHash } from "node:crypto";

import {
  type Chunk,
  type ChunkId,
  type Document,
  type DocumentId,
  representation,
} from "../contracts.ts";
import { type Flat, flatten } from "./flat.ts";
import { findClusters } from "./graphemes.ts";
import { countBefore, type Layout, type Sizes } from "./layout.ts";
import { markdownBlocks } from "./markdown.ts";
import { overlapStart } from "./overlap.ts";
import { pack } from "./packing.ts";
import { layOut } from "./pieces.ts";
import { codeBlocks, rstBlocks, textBlocks } from "./plain.ts";
import { type Block, oneLine } from "./structure.ts";

const PARSERS: ReadonlyMap<string, (flat: Flat) => Block[]> = new Map([
  ["text", textBlocks],
  ["code", codeBlocks],
  ["rst", rstBlocks],
]);
const ID_DIGITS = 32;

export type ChunkOptions = {
  readonly chunkChars: number;
  readonly overlapChars: number;
};

type Span = {
  readonly start: number;
  readonly end: number;
  readonly section: number;
};

/**
 * Cut a document along its structure.
 *
 * Chunks are in order, their starts rise, none is longer than `chunkChars` code points, and
 * together they hold every character that is not blank. A chunk that goes on with a section
 * repeats up to `overlapChars` of it, less what is left of a sentence; no overlap crosses a
 * heading. `document.metadata.format` tells the structure: `text`, `code` or `rst`; anything
 * else is read as Markdown.
 *
 * @throws RangeError not 0 <= overlapChars < chunkChars.
 */
export function chunkDocument(document: Document, options: ChunkOptions): Chunk[] {
  const { chunkChars, overlapChars } = options;
  if (!(0 <= overlapChars && overlapChars < chunkChars)) {
    throw new RangeError(
      "expected 0 <= overlapChars < chunkChars, " +
        `got overlapChars=${overlapChars}, chunkChars=${chunkChars}`,
    );
  }
  const flat = flatten(document.text);
  const sizes: Sizes = {
    chunk: chunkChars,
    overlap: overlapChars,
    fresh: chunkChars - overlapChars,
    clusters: findClusters(document.text, chunkChars),
  };
  const parse = PARSERS.get(document.metadata["format"] ?? "") ?? markdownBlocks;
  const layout = layOut(flat, parse(flat), sizes);
  const title = oneLine(document.title);
  const repeats = new Map<string, number>();
  return spans(flat, layout, sizes).map(({ start, end, section }, ordinal) => {
    const text = flat.slice(start, end);
    const preamble = preambleAt(layout, start);
    const content = `${preamble}\0${text}`;
    const repeat = (repeats.get(content) ?? 0) + 1;
    repeats.set(content, repeat);
    const id = chunkId(document.id, content, repeat);
    const path = headingPath(title, layout.sections[section]?.path ?? []);
    const own = {
      id,
      documentId: document.id,
      ordinal,
      start,
      end,
      text,
      preamble,
    };
    const chunk: Chunk = { ...own, headingPath: path, digest: "" };
    return { ...chunk, digest: sha256(representation(chunk)) };
  });
}

/** Start, end and section of each chunk. */
function spans(flat: Flat, layout: Layout, sizes: Sizes): Span[] {
  const { pieces, sections } = layout;
  const found: Span[] = [];
  for (const { first, stop } of pack(flat, pieces, sizes.chunk)) {
    const piece = pieces[first];
    const end = pieces[stop - 1]?.end ?? 0;
    if (!piece) continue;
    const { section } = piece;
    const before = found.at(-1);
    if (!before || !sizes.overlap) {
      found.push({ start: piece.start, end, section });
      continue;
    }
    const earliest = Math.max(
      (pieces[first - 1]?.end ?? 0) - sizes.overlap,
      end - sizes.chunk,
      sections[section]?.start ?? 0,
      before.start + 1,
    );
    const start = overlapStart(flat.text, { pieces, index: first, earliest }, sizes.clusters);
    found.push({ start, end, section });
  }
  return found;
}

function headingPath(title: string, headings: readonly string[]): readonly string[] {
  return !title || headings[0] === title ? headings : [title, ...headings];
}

function preambleAt({ tables }: Layout, start: number): string {
  const table = tables[countBefore(tables, start) - 1];
  return table && start < table.end ? table.header : "";
}

function chunkId(document: DocumentId, content: string, repeat: number): ChunkId {
  return sha256(`${document}\0${content}\0${repeat}`).slice(0, ID_DIGITS) as ChunkId;
}

function sha256(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}
