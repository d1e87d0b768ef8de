/** Blocks written as Markdown: headings, lists, code, tables, paragraphs. */

import { isBlank, trimBlanks } from "../code-points.ts";

/** A line break that was asked for; any other run of blanks becomes one space. */
export const BREAK = "\0";

const BLANKS = /[ \t\n\r\f\v]+/g;
const FENCES = /(?<![^\n]) {0,3}(`{3,})/g;
// What would start a heading, a fence or an HTML block, or underline the line before.
const MARKS = /^(?=#{1,6}(?:[ \t]|$)|```|~~~|<|=+$|-+$)/;
const WORD = String.raw`[\p{L}\p{N}_]`;
const IN_HEADING = new RegExp(
  String.raw`(\x60[^\x60]*\x60)|[*<\\]|(?<!${WORD})_|_(?!${WORD})|&(?=#?${WORD}+;)|#$`,
  "gu",
);
const WIDEST_INDENT = 24;

type Block = { readonly text: string; readonly isItem: boolean };

/** Collects inline text, and closes it into a block at each border. */
export type Writer = {
  /** The first heading of level 1. */
  title(): string;
  /** Append inline text, or `BREAK`. */
  add(text: string): void;
  /** Empty the inline text and return it as one line. */
  take(): string;
  /** End a paragraph. */
  close(): void;
  closeHeading(level: number): void;
  /** Write a code block, with a fence longer than any inside it. */
  code(text: string, language: string): void;
  /** Write a table whose first row is its header. */
  table(rows: readonly (readonly string[])[]): void;
  /** Start a list, numbered from `first` if that is given. */
  openList(first?: number): void;
  closeList(): void;
  /** Start an item of the innermost list. */
  openItem(): void;
  closeItem(): void;
  /** All blocks, parted by blank lines; items of a list stand close. */
  finish(): string;
};

type State = {
  title: string;
  inline: string[];
  readonly blocks: Block[];
  indents: string[];
  readonly counters: (number | undefined)[];
  marker: string;
};

export function buildWriter(): Writer {
  const state: State = {
    title: "",
    inline: [],
    blocks: [],
    indents: [""],
    counters: [],
    marker: "",
  };
  const closed = (then?: () => void) => {
    closeParagraph(state);
    then?.();
  };
  return {
    title: () => state.title,
    add: (text) => {
      state.inline.push(text);
    },
    take: () => take(state),
    close: closed,
    closeHeading: (level) => closeHeading(state, level),
    code: (text, language) => closed(() => writeCode(state, text, language)),
    table: (rows) => writeTable(state, rows),
    openList: (first) => closed(() => state.counters.push(first)),
    closeList: () => closed(() => state.counters.pop()),
    openItem: () => closed(() => openItem(state)),
    closeItem: () => closed(() => closeItem(state)),
    finish: () => {
      closeParagraph(state);
      return joined(state.blocks);
    },
  };
}

function emptied(state: State): string {
  const text = state.inline.join("");
  state.inline = [];
  return text;
}

function take(state: State): string {
  return oneLine(emptied(state).replaceAll(BREAK, " "));
}

function closeParagraph(state: State): void {
  if (state.inline.length === 0) return;
  const lines = emptied(state)
    .split(BREAK)
    .map(oneLine)
    .filter((line) => line !== "");
  emit(
    state,
    lines.map((line) => (MARKS.test(line) ? `\\${line}` : line)),
  );
}

function closeHeading(state: State, level: number): void {
  const text = take(state);
  if (!text) return;
  if (level === 1 && !state.title) state.title = text.replaceAll("`", "");
  const { indents } = state;
  state.marker = "";
  state.indents = [""];
  const escaped = text.replaceAll(IN_HEADING, (found, code?: string) => code ?? `\\${found}`);
  emit(state, [`${"#".repeat(level)} ${escaped}`]);
  state.indents = indents;
}

function writeCode(state: State, text: string, language: string): void {
  const lengths = [...text.matchAll(FENCES)].map(([, fence = ""]) => fence.length);
  const fence = "`".repeat(Math.max(2, ...lengths) + 1);
  const body = text.replace(/^\n+/, "").replace(/\n+$/, "");
  if (!isBlank(text)) emit(state, [fence + language, ...body.split("\n"), fence]);
}

function writeTable(state: State, rows: readonly (readonly string[])[]): void {
  const width = Math.max(0, ...rows.map((row) => row.length));
  const [head, ...lines] = rows
    .filter((row) => row.some((cell) => cell !== ""))
    .map((row) => rowLine(row, width));
  const rule = rowLine(
    Array.from({ length: width }, () => "---"),
    width,
  );
  if (head !== undefined) emit(state, [head, rule, ...lines]);
}

function openItem(state: State): void {
  const number = state.counters.at(-1);
  const marker = number === undefined ? "- " : `${number}. `;
  if (number !== undefined) state.counters[state.counters.length - 1] = number + 1;
  const indent = state.indents.at(-1) ?? "";
  const fits = indent.length < WIDEST_INDENT;
  state.marker = indent + marker;
  state.indents.push(fits ? indent + " ".repeat(marker.length) : indent);
}

function closeItem(state: State): void {
  state.marker = "";
  if (state.indents.length > 1) state.indents.pop();
}

function emit(state: State, lines: readonly string[]): void {
  const [first, ...others] = lines;
  if (first === undefined) return;
  const indent = state.indents.at(-1) ?? "";
  const { marker } = state;
  state.marker = "";
  const rest = others.map((line) => (line ? indent + line : ""));
  const text = [(marker || indent) + first, ...rest].join("\n");
  state.blocks.push({ text, isItem: marker !== "" });
}

function joined(blocks: readonly Block[]): string {
  const parts = blocks.map(({ text, isItem }, index) => {
    if (index === 0) return text;
    return (isItem && blocks[index - 1]?.isItem ? "\n" : "\n\n") + text;
  });
  return parts.join("");
}

function rowLine(row: readonly string[], width: number): string {
  const padded = [...row, ...Array.from({ length: width - row.length }, () => "")];
  return `| ${padded.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

function oneLine(text: string): string {
  return trimBlanks(text.replaceAll(BLANKS, " "));
}
