/** Text on a terminal: what may be shown of a document, bold words, and tables. */

const SNIPPET_CHARS = 200;
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/gu;
const GAP = "  ";
const LEAST_WIDTH = 8;

/** A document's text without control codes, which a terminal would obey. */
export function clean(text: string): string {
  return text.replace(/\p{Cc}/gu, (code) => (code === "\t" || code === "\n" ? code : ""));
}

/** The beginning of a text on one line. */
export function snippet(text: string): string {
  const line = clean(text).split(/\s+/u).filter(Boolean).join(" ");
  const characters = [...line];
  if (characters.length <= SNIPPET_CHARS) return line;
  return `${characters.slice(0, SNIPPET_CHARS - 1).join("")}…`;
}

/** A text in bold, where there is a terminal to show it. */
export function bold(text: string): string {
  return process.stdout.isTTY ? `\u001b[1m${text}\u001b[22m` : text;
}

/** Print one line. */
export function print(line = ""): void {
  process.stdout.write(`${line}\n`);
}

/** Print an error to standard error. */
export function printError(message: string): void {
  process.stderr.write(`error: ${message}\n`);
}

/** Print a table; where there is no terminal, wide enough to keep its lines. */
export function printTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  const width = process.stdout.isTTY ? process.stdout.columns : 160;
  const [first = "", ...others] = formatTable([headings, ...rows], width);
  print(bold(first));
  for (const line of others) print(line);
}

/** Lines of a table without borders; cells that are too long go on in further lines. */
export function formatTable(rows: readonly (readonly string[])[], width: number): string[] {
  const cells = rows.map((row) => row.map((cell) => cell.split("\n")));
  const widths = fitted(
    (rows[0] ?? []).map((_, column) =>
      Math.max(0, ...cells.flatMap((row) => (row[column] ?? []).map(widthOf))),
    ),
    width,
  );
  return cells.flatMap((row) => {
    const wrapped = widths.map((room, column) =>
      (row[column] ?? []).flatMap((line) => wrap(line, room)),
    );
    const height = Math.max(...wrapped.map((lines) => lines.length));
    return Array.from({ length: height }, (_, at) =>
      widths
        .map((room, column) => padded(wrapped[column]?.[at] ?? "", room))
        .join(GAP)
        .trimEnd(),
    );
  });
}

/** Widths of columns that together fit: the widest are narrowed first. */
function fitted(natural: readonly number[], width: number): number[] {
  const widths = [...natural];
  const room = width - GAP.length * (widths.length - 1);
  for (;;) {
    const over = widths.reduce((sum, each) => sum + each, 0) - room;
    const widest = Math.max(...widths);
    if (over <= 0 || widest <= LEAST_WIDTH) return widths;
    const second = Math.max(LEAST_WIDTH, ...widths.filter((each) => each < widest));
    widths[widths.indexOf(widest)] = Math.max(second, widest - over, LEAST_WIDTH);
    if (second === widest) return widths;
  }
}

function wrap(line: string, room: number): string[] {
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(" ").flatMap((each) => pieces(each, room))) {
    const longer = current === "" ? word : `${current} ${word}`;
    if (widthOf(longer) <= room) {
      current = longer;
      continue;
    }
    lines.push(current);
    current = word;
  }
  return [...lines, current];
}

/** A word in parts that each have room. */
function pieces(word: string, room: number): string[] {
  if (widthOf(word) <= room) return [word];
  const parts: string[] = [];
  let part = "";
  for (const character of word) {
    if (widthOf(part + character) > room) {
      parts.push(part);
      part = "";
    }
    part += character;
  }
  return [...parts, part];
}

function padded(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

/** Cells of a terminal that a text takes. */
function widthOf(text: string): number {
  return [...text].length + (text.match(WIDE)?.length ?? 0);
}
