/** Quotable spans of a chunk: its sentences, list items and table rows. */

import { isBlank, trimBlanks } from "../code-points.ts";
import { SPACE } from "./words.ts";

/** String indices into the text that was split. */
export type Span = { readonly start: number; readonly end: number };

const BLOCK_START = /^[ \t]*(?:[-*+][ \t]+|\p{Nd}{1,9}[.)][ \t]+|>[ \t]?)/u;
const APART = /^[ \t]*(?:\||```|~~~|#{1,6}(?:[ \t]|$)|$|(?:=+|-+)[ \t]*$)/;
const SENTENCE_END = new RegExp(
  `[.!?…]+["'”’)\\]*_]*(?=${SPACE}+(?!${SPACE})[^a-z\\p{Nd}]|${SPACE}*$)|[。！？]+[」』”]*`,
  "gu",
);
const BREAK = "\\n\\v\\f\\r\\x1c-\\x1e\\x85\\u2028\\u2029";
const LINE = new RegExp(`[^${BREAK}]*(?:\\r\\n|[${BREAK}]|$)`, "gu");

/**
 * The spans of `text` that read as a statement each, in order.
 *
 * A sentence may run over wrapped lines. A list item or a table row ends at its line or with
 * the item; headings, rules and the lines of a fence's frame are left out. A stop before a small
 * letter or a digit is an abbreviation's.
 */
export function* splitSentences(text: string): Generator<Span> {
  for (const block of blocks(text)) {
    let { start } = block;
    const part = text.slice(block.start, block.end);
    for (const match of part.matchAll(SENTENCE_END)) {
      const end = block.start + match.index + match[0].length;
      if (!isBlank(text.slice(start, end))) yield trimmed(text, start, end);
      start = end;
    }
    if (!isBlank(text.slice(start, block.end))) yield trimmed(text, start, block.end);
  }
}

/** Lines with their ends, at every line break that Unicode knows. */
export function splitLines(text: string): string[] {
  return (text.match(LINE) ?? []).filter((line) => line !== "");
}

function* blocks(text: string): Generator<Span> {
  let start = 0;
  let end = 0;
  let position = 0;
  for (const line of splitLines(text)) {
    const begins = BLOCK_START.exec(line);
    const apart = APART.test(line.replace(/\n$/, ""));
    if ((begins || apart) && start < end) {
      yield { start, end };
      start = end;
    }
    if (apart) {
      if (trimBlanks(line).startsWith("|")) yield { start: position, end: position + line.length };
      start = position + line.length;
    } else if (begins) {
      start = position + begins[0].length;
    }
    position += line.length;
    end = position;
  }
  if (start < end) yield { start, end };
}

function trimmed(text: string, start: number, end: number): Span {
  const statement = trimBlanks(text.slice(start, end));
  const first = text.indexOf(statement, start);
  return { start: first, end: first + statement.length };
}
