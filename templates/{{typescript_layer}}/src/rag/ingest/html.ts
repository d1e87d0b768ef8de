/** HTML -> Markdown: headings, lists, code and tables kept, what is not content dropped. */

import { parse } from "parse5";

import { isBlank, splitBlanks, trimBlanks } from "../code-points.ts";
import { UnusableError } from "./decoding.ts";
import {
  attribute,
  CHROME,
  CONTENT,
  childrenOf,
  DROPPED,
  type Element,
  findElement,
  findTag,
  HEADINGS,
  INLINE,
  isElement,
  isHidden,
  isLayout,
  isMain,
  LITERAL,
  languageOf,
  type Node,
  textOf,
  textValue,
} from "./elements.ts";
import { BREAK, buildWriter, type Writer } from "./markup.ts";
import { isDeeper } from "./nesting.ts";

const PERMALINKS: readonly string[] = ["¶", "#", "§", "🔗", "\uf0c1", ""];
const LISTS: readonly string[] = ["ul", "ol", "menu"];
const NUMBER = /^[0-9]+$/;
/** Elements open at once; browsers stop at 512. */
const DEEPEST = 2000;

/**
 * The content as Markdown, and its title: the first `h1`, else `title`.
 *
 * Of a page with a `main` element, that is the content.
 *
 * @throws UnusableError elements are nested deeper than any page needs.
 */
export function htmlText(source: string): { readonly text: string; readonly title: string } {
  if (isDeeper(source, DEEPEST)) {
    throw new UnusableError("unreadable", `more than ${DEEPEST} elements are nested`);
  }
  const page = parse(source, { scriptingEnabled: false });
  const root = page.childNodes.find(isElement);
  const body = root?.childNodes.filter(isElement).find(({ tagName }) => tagName === "body");
  if (!root || !body) return { text: "", title: "" };
  const main = findElement(root, isMain);
  const content = main && !isBlank(textOf(main)) ? main : undefined;
  const reading: Reading = {
    out: buildWriter(),
    articles: content ? 1 : 0,
    rows: undefined,
    isHeading: false,
  };
  readAll(reading, content ?? body);
  const text = reading.out.finish();
  const head = findTag(root, "head");
  const named = head && findTag(head, "title");
  const stated = named ? splitBlanks(textOf(named)).join(" ") : "";
  return { text, title: reading.out.title() || stated };
}

/** One walk over a page; `rows` are those of the table that is being read. */
type Reading = {
  readonly out: Writer;
  articles: number;
  rows: string[][] | undefined;
  isHeading: boolean;
};

function readAll(reading: Reading, root: Node): void {
  const pending: { readonly node: Node; readonly leaving: boolean }[] = [
    { node: root, leaving: false },
  ];
  for (let step = pending.pop(); step; step = pending.pop()) {
    const { node } = step;
    if (node.nodeName === "#text") reading.out.add(textValue(node).replaceAll(BREAK, ""));
    if (!isElement(node)) continue;
    if (step.leaving) {
      leave(reading, node);
    } else if (enter(reading, node)) {
      pending.push({ node, leaving: true });
      for (const child of [...childrenOf(node)].reverse()) {
        pending.push({ node: child, leaving: false });
      }
    }
  }
}

/** Open an element, and tell whether its children are to be read. */
function enter(reading: Reading, node: Element): boolean {
  const { out } = reading;
  const tag = node.tagName;
  if (isDropped(reading, node)) return false;
  if (INLINE.has(tag)) {
    const isLiteral = LITERAL.has(tag) && !LITERAL.has(node.parentNode?.nodeName ?? "");
    if (isLiteral) addLiteral(out, node);
    return !isLiteral;
  }
  if (tag === "br") {
    out.add(BREAK);
  } else if (reading.rows) {
    enterCell(reading, reading.rows, tag);
  } else if (tag === "pre") {
    out.code(textOf(node).replaceAll("\r", "\n"), languageOf(node));
    return false;
  } else {
    enterBlock(reading, node);
  }
  return true;
}

function enterBlock(reading: Reading, node: Element): void {
  const { out } = reading;
  const tag = node.tagName;
  if (LISTS.includes(tag)) {
    const start = attribute(node, "start") ?? "";
    const first = NUMBER.test(start) ? Number(start) : 1;
    out.openList(tag === "ol" ? first : undefined);
  } else if (tag === "li") {
    out.openItem();
  } else if (tag === "table" && !isLayout(node)) {
    out.close();
    reading.rows = [];
  } else {
    out.close();
    reading.isHeading = HEADINGS.has(tag);
    reading.articles += CONTENT.has(tag) ? 1 : 0;
  }
}

function enterCell({ out }: Reading, rows: string[][], tag: string): void {
  if (tag === "tr") {
    out.take();
    rows.push([]);
  } else if (tag === "caption") {
    out.take();
  } else {
    out.add(" ");
  }
}

function leave(reading: Reading, node: Element): void {
  const { out } = reading;
  const tag = node.tagName;
  if (INLINE.has(tag) || tag === "br") return;
  if (reading.rows) {
    leaveCell(reading, reading.rows, node);
  } else if (LISTS.includes(tag)) {
    out.closeList();
  } else if (tag === "li") {
    out.closeItem();
  } else if (HEADINGS.has(tag)) {
    out.closeHeading(Number(tag.charAt(1)));
    reading.isHeading = false;
  } else {
    out.close();
    reading.articles -= CONTENT.has(tag) ? 1 : 0;
  }
}

function leaveCell(reading: Reading, rows: string[][], node: Element): void {
  const { out } = reading;
  const tag = node.tagName;
  const row = rows.at(-1);
  if ((tag === "td" || tag === "th") && row) {
    const span = attribute(node, "colspan") ?? "";
    const wider = NUMBER.test(span) && span.length < 3 ? Math.max(Number(span) - 1, 0) : 0;
    row.push(out.take(), ...Array.from({ length: wider }, () => ""));
  } else if (tag === "caption") {
    out.close();
  } else if (tag === "table") {
    reading.rows = undefined;
    out.close();
    out.table(rows);
  } else {
    out.add(" ");
  }
}

function addLiteral(out: Writer, node: Element): void {
  const text = textOf(node).replaceAll(BREAK, "");
  out.add(text.includes("`") || isBlank(text) ? text : `\`${trimBlanks(text)}\``);
}

function isDropped(reading: Reading, node: Element): boolean {
  const tag = node.tagName;
  if (DROPPED.has(tag)) return true;
  if (CHROME.has(tag) && !reading.articles) return tag !== "header" || !findTag(node, "h1");
  if (reading.isHeading && tag === "a" && PERMALINKS.includes(trimBlanks(textOf(node)))) {
    return true;
  }
  return isHidden(node);
}
