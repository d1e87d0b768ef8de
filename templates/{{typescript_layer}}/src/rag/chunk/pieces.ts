/** Blocks -> pieces: the smallest stretches that a chunk is made of. */

import { trimBlanks } from "../code-points.ts";
import {
  BLOCK,
  CODE,
  type Cut,
  type Cutter,
  GLUE,
  HEADING,
  PART,
  PROSE,
  ROWS,
  wordCuts,
} from "./cutters.ts";
import { append, type Cutting, firstRoom, push, roomAt, type Stretch, trim } from "./cutting.ts";
import type { Flat } from "./flat.ts";
import type { Layout, Sizes } from "./layout.ts";
import { type Block, type Kind, lastIndexIn } from "./structure.ts";

/** Cut blocks into pieces, each as large as may be, and note sections and cut tables. */
export function layOut(flat: Flat, blocks: readonly Block[], sizes: Sizes): Layout {
  const layout: Layout = {
    pieces: [],
    sections: [{ start: 0, path: [] }],
    tables: [],
  };
  const cutting: Cutting = {
    flat,
    sizes,
    layout,
    section: 0,
    reached: 0,
    lead: undefined,
  };
  const openHeadings: Block[] = [];
  for (const block of blocks) {
    if (block.kind === "heading") {
      addHeading(cutting, block, openHeadings);
      continue;
    }
    // What is shown stays with what introduces it, where there is a choice.
    const strength = isWhole(block.kind) ? PART : BLOCK;
    addBlock(cutting, block, cutting.lead === undefined ? strength : GLUE);
    cutting.lead = undefined;
  }
  return layout;
}

function isWhole(kind: Kind): boolean {
  return kind === "code" || kind === "table";
}

function addHeading(cutting: Cutting, block: Block, openHeadings: Block[]): void {
  const half = Math.floor(cutting.sizes.chunk / 2);
  const isDeeper = block.level > (openHeadings.at(-1)?.level ?? Number.POSITIVE_INFINITY);
  const glued = cutting.lead !== undefined && isDeeper;
  if (!glued || block.end - (cutting.lead ?? 0) > half) cutting.lead = block.start;
  while ((openHeadings.at(-1)?.level ?? 0) >= block.level) openHeadings.pop();
  openHeadings.push(block);
  const path = openHeadings.map(({ title }) => title).filter((title) => title !== "");
  cutting.layout.sections.push({ start: block.start, path });
  cutting.section = block.start;
  addBlock(cutting, block, glued ? GLUE : HEADING + 6 - block.level, cutting.sizes.chunk);
  if (block.end - block.start > half) cutting.lead = undefined;
}

/** Append the pieces of a block; `given` is the room for the first of them. */
function addBlock(cutting: Cutting, block: Block, strength: number, given = 0): void {
  const { start, end } = trim(cutting, block.start, block.end);
  if (start >= end) return;
  const room = roomAt(cutting, start);
  const first = given || firstRoom(cutting, start, room);
  const whole = isWhole(block.kind);
  const fits = end - start <= (whole ? cutting.sizes.chunk : first);
  if (block.kind === "group" && !(fits && isProse(block))) {
    const [child, ...others] = block.children;
    if (child) addBlock(cutting, { ...child, start }, strength, first); // with the group's marker
    for (const other of others) addBlock(cutting, other, Math.max(PART, strength - 1));
  } else if (fits) {
    push(cutting, { start, end, strength }, room, block.kind, whole);
  } else if (block.kind === "table") {
    addRows(cutting, block, strength, first);
  } else {
    const cutters = block.kind === "code" ? CODE : PROSE;
    divide(cutting, { start, end, strength }, cutters, first, block.kind);
  }
}

function addRows(cutting: Cutting, table: Block, strength: number, first: number): void {
  const { flat, sizes, layout } = cutting;
  const [head, ...rows] = table.children;
  const lines = rows.map((row) => lineStart(flat.text, row.start, table.start));
  const starts = lines.length > 0 ? lines : [table.end];
  const { start, end } = trim(cutting, table.start, starts[0] ?? table.end);
  if (end - start <= sizes.chunk) {
    const header = head ? trimBlanks(flat.slice(head.start, head.end)) : "";
    layout.tables.push({ start, end: table.end, header });
    append(cutting, { start, end, strength }, "table", true);
  } else {
    divide(cutting, { start, end, strength }, ROWS, first, "table");
  }
  for (const [index, begin] of starts.entries()) {
    const row = {
      start: begin,
      end: starts[index + 1] ?? table.end,
      strength: index ? PART : GLUE,
    };
    if (row.end - row.start <= sizes.fresh) append(cutting, row, "table", true);
    else divide(cutting, row, ROWS, sizes.fresh, "table");
  }
}

function lineStart(text: string, position: number, floor: number): number {
  return Math.max(lastIndexIn(text, "\n", floor, position) + 1, floor);
}

/** Cut a stretch with the first cutter, and what is still too long with the others. */
function divide(
  cutting: Cutting,
  stretch: Stretch,
  cutters: readonly Cutter[],
  first: number,
  kind: Kind,
): void {
  const { sizes } = cutting;
  const { text } = cutting.flat;
  const { start, end } = trim(cutting, stretch.start, stretch.end);
  const [cutter, ...others] = cutters;
  const cuts = cutter
    ? cutter(text, start, end)
    : wordCuts(text, start, end, { first, rest: sizes.fresh }, sizes.clusters);
  let room = first;
  for (const part of stretches(cutting, { start, end, strength: stretch.strength }, cuts)) {
    if (cutter && part.end - part.start > room) divide(cutting, part, others, room, kind);
    else append(cutting, part, kind, false);
    room = sizes.fresh;
  }
}

function* stretches(
  { sizes }: Cutting,
  { start, end, strength }: Stretch,
  cuts: Iterable<Cut>,
): Generator<Stretch> {
  let from = start;
  let bond = strength;
  for (const cut of cuts) {
    const position = sizes.clusters.floor(cut.position);
    if (position <= from) continue;
    yield { start: from, end: position, strength: bond };
    from = position;
    bond = cut.strength;
  }
  yield { start: from, end, strength: bond };
}

function isProse(block: Block): boolean {
  return !isWhole(block.kind) && block.children.every(isProse);
}
