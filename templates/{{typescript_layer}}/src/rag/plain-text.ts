/** What a reader sees of a line of Markdown: titles are read alike by `ingest` and `chunk`. */

import type { Token } from "markdown-it";

const TEXTS: readonly string[] = ["text", "text_special", "code_inline"];

/** Text and code of inline tokens, with a blank for each line break. */
export function plainText(tokens: readonly Token[]): string {
  const parts = tokens.map((token) => {
    if (token.type === "image") return plainText(token.children ?? []);
    if (token.type === "softbreak" || token.type === "hardbreak") return " ";
    return TEXTS.includes(token.type) ? token.content : "";
  });
  return parts.join("");
}
