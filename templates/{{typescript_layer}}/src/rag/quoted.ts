/** Text in quotes, as messages show a value that somebody else wrote. */

const SHORT: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  " ": " ",
};

/** `text` between single quotes, or double ones when only that spares an escape. */
export function quoted(text: string): string {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  const shown = text.replace(/[\\\p{C}\p{Z}]/gu, escaped);
  return mark + (mark === "'" ? shown.replaceAll("'", "\\'") : shown) + mark;
}

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code <= 0xff) return SHORT[character] ?? `\\x${hex.padStart(2, "0")}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}
