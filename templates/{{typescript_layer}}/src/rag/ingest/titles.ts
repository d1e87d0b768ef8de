/** The title of a document: its first top heading, as its format writes one. */

import MarkdownIt, { type Token } from "markdown-it";
import {
  BLANK,
  countCodePoints,
  sliceCodePoints,
  splitBlanks,
  stringIndices,
  trimBlanksEnd,
} from "../code-points.ts";
import { plainText } from "../plain-text.ts";

const FRONT_MATTER =
  /^(---|\+\+\+)[ \t]*\n[\p{L}\p{N}_"'.-]+[ \t]*[:=][^\n]*\n(?:[^\n]*\n)*?(?:\1|\.\.\.)[ \t]*(?:\n|$)/u;
const FRONT_TITLE = new RegExp(String.raw`(?<![^\n])title[ \t]*[:=][ \t]*([^\n]*[^${BLANK}])`);
const TOP_HEADING = /(?<![^\n]) {0,3}(?:#(?:[ \t][^\n]*)?|=+[ \t]*)(?![^\n])/;
const PUNCTUATION = String.raw`[!-/:-@\[-\x60{-~]`;
const RST_TITLE = new RegExp(
  String.raw`(?<![^\n])(?:(?<over>(${PUNCTUATION})\2+)[ \t]*\n[ \t]*)?` +
    String.raw`(?<title>[^.${BLANK}][^\n]*?)[ \t]*\n` +
    String.raw`(?<under>(${PUNCTUATION})\5+)[ \t]*(?![^\n])`,
  "g",
);
const HEAD_CHARS = 8192;
const LONGEST_TITLE = 300;
const CONTAINERS = new Set(["list_item", "blockquote"]);

const parser = new MarkdownIt("commonmark", { maxNesting: 1000 }).enable("table");
parser.core.ruler.disable("inline"); // inline content is read for the title alone

/** The first heading of level 1, else the title in the front matter; or empty. */
export function markdownTitle(text: string): string {
  const front = FRONT_MATTER.exec(text)?.[0] ?? "";
  const body = text.slice(front.length);
  let title = "";
  if (TOP_HEADING.test(body)) {
    const [limit] = stringIndices(body, [HEAD_CHARS]);
    const cut = body.indexOf("\n", limit);
    title = firstHeading(cut > 0 ? body.slice(0, cut) : body);
    if (!title && cut > 0) title = firstHeading(body);
  }
  const stated = FRONT_TITLE.exec(front)?.[1];
  return shorten(title) || (stated ? shorten(unquote(stated)) : "");
}

/** The first section title that is as long as its rule; or empty. */
export function rstTitle(text: string): string {
  for (const { groups = {} } of text.matchAll(RST_TITLE)) {
    const { title = "", over, under = "" } = groups;
    if (under.length >= countCodePoints(title) && (over === undefined || over === under)) {
      return shorten(title);
    }
  }
  return "";
}

/** One line of at most `LONGEST_TITLE` characters. */
export function shorten(title: string): string {
  return trimBlanksEnd(sliceCodePoints(splitBlanks(title).join(" "), 0, LONGEST_TITLE));
}

function firstHeading(text: string): string {
  const env = {};
  let inside = 0;
  let isTitle = false;
  for (const token of parser.parse(text, env)) {
    if (CONTAINERS.has(token.type.replace(/_(?:open|close)$/, ""))) inside += token.nesting;
    if (token.type === "inline" && isTitle) {
      const inline: Token[] = [];
      parser.inline.parse(token.content, parser, env, inline);
      const title = plainText(inline);
      if (title) return title;
    }
    isTitle = token.type === "heading_open" && token.tag === "h1" && inside === 0;
  }
  return "";
}

function unquote(value: string): string {
  const mark = value.charAt(0);
  const isQuoted = value.length > 1 && value.endsWith(mark) && `'"`.includes(mark);
  return isQuoted ? value.slice(1, -1) : value;
}
