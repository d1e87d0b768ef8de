/** Plain text, source code and reStructuredText -> blocks. */

import { BLANK, isBlank, trimBlanks, trimBlanksEnd } from "../code-points.ts";
import type { Flat } from "./flat.ts";
import { type Block, buildBlock, lastIndexIn, oneLine } from "./structure.ts";

export const BLANK_LINES = /\n(?:[ \t]*\n)+/g;

const PUNCTUATION = String.raw`[!-/:-@\[-\x60{-~]`;
const NO_TITLE = new RegExp(
  String.raw`^(?:(?:[*+-]|\.\.|\|)(?:[${BLANK}]|$)|:[^:${BLANK}][^:]*:(?:[${BLANK}]|$))`,
);
const UNDERLINE = new RegExp(String.raw`(?<![^\n])(${PUNCTUATION})\1+[ \t]*(?![^\n])`, "g");
const ALL_UNDERLINE = new RegExp(String.raw`^(${PUNCTUATION})\1+[ \t]*$`);

/** Paragraphs, parted by blank lines. */
export function textBlocks({ text }: Flat): Block[] {
  return [...paragraphs(text, 0, text.length)].map(({ start, end }) =>
    buildBlock(start, end, "prose"),
  );
}

/** The whole file; it is cut at blank lines and line ends where it must be. */
export function codeBlocks({ text }: Flat): Block[] {
  return isBlank(text) ? [] : [buildBlock(0, text.length, "code")];
}

/** Titles, paragraphs, and indented stretches (literals, bodies of directives). */
export function rstBlocks(flat: Flat): Block[] {
  const blocks: Block[] = [];
  let reached = 0;
  for (const title of rstTitles(flat)) {
    blocks.push(...rstBody(flat.text, reached, title.start), title);
    reached = title.end;
  }
  blocks.push(...rstBody(flat.text, reached, flat.text.length));
  return blocks;
}

type Span = { readonly start: number; readonly end: number };

/** Spans between blank lines, without the blank lines; leading indentation stays. */
export function* paragraphs(text: string, start: number, end: number): Generator<Span> {
  let from = start;
  for (const gap of text.slice(start, end).matchAll(BLANK_LINES)) {
    const stop = start + gap.index;
    if (stop > from && !isBlank(text.slice(from, stop))) yield { start: from, end: stop };
    from = stop + gap[0].length;
  }
  if (from < end && !isBlank(text.slice(from, end))) yield { start: from, end };
}

function rstTitles(flat: Flat): Block[] {
  const styles: string[] = [];
  const titles: Block[] = [];
  for (const found of flat.text.matchAll(UNDERLINE)) {
    const lines = linesAbove(flat.text, found.index, titles.at(-1)?.end ?? 0);
    const rule = trimBlanksEnd(found[0]);
    const isOverlined = lines.above !== "" && lines.above === rule;
    if (!isTitle(flat.text.slice(lines.start, lines.end), rule, lines.above, isOverlined)) continue;
    const style = `${found[1]}${isOverlined ? " over" : ""}`;
    if (!styles.includes(style)) styles.push(style);
    const level = Math.min(styles.indexOf(style) + 1, 6);
    const begin = isOverlined ? lines.over : lines.start;
    if (begin < (titles.at(-1)?.end ?? 0)) continue;
    const title = oneLine(flat.slice(lines.start, lines.end));
    titles.push(
      buildBlock(begin, found.index + found[0].length, "heading", {
        level,
        title,
      }),
    );
  }
  return titles;
}

/** The line before a rule, and the text of the one before that, if no title ends after it. */
function linesAbove(text: string, rule: number, taken: number) {
  const stop = rule - 1;
  const start = lastIndexIn(text, "\n", 0, Math.max(stop, 0)) + 1;
  const over = lastIndexIn(text, "\n", 0, Math.max(start - 1, 0)) + 1;
  const line = text.slice(over, Math.max(start - 1, over));
  const above = over < taken ? "" : trimBlanksEnd(line);
  return { start, end: Math.max(stop, start), over, above };
}

function isTitle(title: string, rule: string, above: string, isOverlined: boolean): boolean {
  const bare = trimBlanks(title);
  if (!bare || (above && !isOverlined)) return false;
  if (isBlank(title.charAt(0)) && !isOverlined) return false;
  if (rule === "::" || rule === "..") return false;
  if (ALL_UNDERLINE.test(title) || NO_TITLE.test(title)) return false;
  return rule.length >= Math.min(bare.length, 4);
}

function* rstBody(text: string, start: number, end: number): Generator<Block> {
  let indented: Span | undefined;
  for (const part of paragraphs(text, start, end)) {
    if (" \t".includes(text.charAt(part.start))) {
      indented = { start: indented?.start ?? part.start, end: part.end };
      continue;
    }
    if (indented) yield buildBlock(indented.start, indented.end, "code");
    indented = undefined;
    yield buildBlock(part.start, part.end, "prose");
  }
  if (indented) yield buildBlock(indented.start, indented.end, "code");
}
