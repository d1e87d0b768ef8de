/** Markdown -> blocks, as CommonMark with tables defines them. */

import MarkdownIt, { type MarkdownIt as Parser, type StateBlock, type Token } from "markdown-it";
import { trimBlanksEnd } from "../code-points.ts";
import { plainText } from "../plain-text.ts";
import type { Flat } from "./flat.ts";
import { type Block, buildBlock, fillGaps, type Kind, oneLine } from "./structure.ts";

const FRONT_MATTER =
  /^(---|\+\+\+)[ \t]*\n[\p{L}\p{N}_"'.-]+[ \t]*[:=][^\n]*\n(?:[^\n]*\n)*?(?:\1|\.\.\.)[ \t]*(?:\n|$)/u;
const LINE_END = /\r\n?|\n/g;
const DEEPEST = 6; // of nested lists and quotations that are looked into
const RULE = /^-+[ \t]*$/;
const MARKERS = "> \t\n";
const PREFIX = /^(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t])))+/;
const KINDS: ReadonlyMap<string, Kind> = new Map([
  ["heading_open", "heading"],
  ["paragraph_open", "prose"],
  ["fence", "code"],
  ["code_block", "code"],
  ["html_block", "prose"],
  ["table_open", "table"],
  ["tr_open", "prose"],
  ["bullet_list_open", "group"],
  ["ordered_list_open", "group"],
  ["list_item_open", "group"],
  ["blockquote_open", "group"],
]);

const parser = buildParser();

type Env = Record<string, unknown>;

/** A block while it is open; lines are counted from 0, the last is not in it. */
type Node = {
  readonly kind: Kind;
  readonly level: number;
  readonly firstLine: number;
  readonly endLine: number;
  title: string;
  readonly children: Node[];
};

/**
 * A parser of blocks alone: inline content is read for headings, by `titleOf`.
 *
 * A line that could start a list or a table starts a list, and a line under which there are
 * only hyphens is a heading, where the library's own order of rules sees a table.
 */
function buildParser(): Parser {
  const plain = new MarkdownIt("commonmark", { maxNesting: 1000 });
  plain.core.ruler.disable("inline");
  const { ruler } = plain.block;
  const known = ruler.getRules("");
  ruler.enable("table");
  const table = ruler.getRules("").find((rule) => !known.includes(rule));
  if (!table) throw new TypeError("markdown-it has no rule for tables");
  ruler.disable("table");
  ruler.after(
    "list",
    "table_after_list",
    (state, line, ...rest) => {
      return !RULE.test(lineOf(state, line + 1)) && table(state, line, ...rest);
    },
    { alt: ["paragraph", "reference"] },
  );
  return plain;
}

function lineOf({ src, bMarks, tShift, eMarks }: StateBlock, line: number): string {
  return src.slice((bMarks[line] ?? 0) + (tShift[line] ?? 0), eMarks[line]);
}

/** Parse a text; the blocks are in order and hold everything that is not blank. */
export function markdownBlocks(flat: Flat): Block[] {
  const { text } = flat;
  const skipped = FRONT_MATTER.exec(text)?.[0].length ?? 0;
  const nodes = readTree(flat.slice(skipped, text.length));
  const body = text.slice(skipped);
  const lines = [0, ...[...body.matchAll(LINE_END)].map((end) => end.index + end[0].length)];
  const offset = (line: number) => skipped + (lines[line] ?? body.length);
  const blocks = nodes.map((node) => toBlock(text, node, offset));
  if (skipped > 0) blocks.unshift(buildBlock(0, skipped, "code"));
  return [...fillGaps(text, blocks, 0, text.length)];
}

function readTree(source: string): Node[] {
  const env: Env = {};
  const roots: Node[] = [];
  const open: Node[] = [];
  for (const token of parser.parse(source, env)) {
    const kind = KINDS.get(token.type);
    if (kind && token.map && !token.hidden) {
      const node = toNode(kind, token, token.map);
      if (open.length < DEEPEST) (open.at(-1)?.children ?? roots).push(node);
      if (token.nesting === 1) open.push(node);
    } else if (token.type === "inline") {
      const heading = open.at(-1);
      if (heading?.kind === "heading") heading.title = titleOf(token.content, env);
    } else if (token.nesting === -1 && !token.hidden && KINDS.has(openerOf(token))) {
      open.pop();
    }
  }
  return roots;
}

function toNode(kind: Kind, token: Token, [firstLine, endLine]: [number, number]): Node {
  const level = kind === "heading" ? Number(token.tag.slice(1)) : 0;
  return { kind, level, firstLine, endLine, title: "", children: [] };
}

function openerOf({ type }: Token): string {
  return type.replace(/_close$/, "_open");
}

/** The text of a heading, without its markup. */
function titleOf(content: string, env: Env): string {
  const tokens: Token[] = [];
  parser.inline.parse(content, parser, env, tokens);
  return plainText(tokens);
}

/**
 * A span without the lines at its end that hold only blanks and the markers of quotations.
 *
 * Parsers differ in what of these they count as part of a block.
 */
function withoutMarkers(span: string): string {
  let last = span.length;
  while (last > 0 && MARKERS.includes(span.charAt(last - 1))) last -= 1;
  const lineEnd = span.indexOf("\n", last);
  return trimBlanksEnd(lineEnd < 0 ? span : span.slice(0, lineEnd));
}

function toBlock(text: string, node: Node, offset: (line: number) => number): Block {
  const start = offset(node.firstLine);
  const end = start + withoutMarkers(text.slice(start, offset(node.endLine))).length;
  const children = node.children.map((child) => toBlock(text, child, offset));
  if (node.kind === "group" && children.length > 0) {
    const filled = [...fillGaps(text, children, start, end)];
    return buildBlock(start, end, "group", { children: filled });
  }
  if (node.kind === "table" && children.length > 0) {
    return buildBlock(start, end, "table", {
      children: withoutPrefix(text, children),
    });
  }
  if (node.kind === "heading") {
    return buildBlock(start, end, "heading", {
      level: node.level,
      title: oneLine(node.title),
    });
  }
  return buildBlock(start, end, node.kind === "code" ? "code" : "prose");
}

/** Rows of a table, the first without what marks the items and quotations that it stands in. */
function withoutPrefix(text: string, rows: readonly Block[]): Block[] {
  return rows.map((row, index) => {
    const prefix = index === 0 ? PREFIX.exec(text.slice(row.start, row.end)) : null;
    return { ...row, start: row.start + (prefix?.[0].length ?? 0) };
  });
}
