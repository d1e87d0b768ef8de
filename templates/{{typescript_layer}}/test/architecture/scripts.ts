/** The scripts of a Vue or Svelte file. */

import { parseFragment } from "parse5";

/** The text with everything but its scripts blanked out, so that offsets and lines stay. */
export function scriptsAlone(text: string): string {
  const spans: [number, number][] = [];
  const pending: unknown[] = [parseFragment(text, { sourceCodeLocationInfo: true })];
  while (pending.length > 0) {
    const node = pending.pop();
    if (typeof node !== "object" || node === null) continue;
    if ("childNodes" in node && Array.isArray(node.childNodes)) pending.push(...node.childNodes);
    if ("content" in node) pending.push(node.content);
    if ("tagName" in node && node.tagName === "script")
      spans.push(...contentSpans(node as Located));
  }
  const blank = (part: string) => part.replace(/[^\n]/g, " ");
  let at = 0;
  let alone = "";
  for (const [start, end] of spans.sort((a, b) => a[0] - b[0])) {
    alone += `${blank(text.slice(at, start - 1))};${text.slice(start, end)}`;
    at = end;
  }
  return alone + blank(text.slice(at));
}

type Span = { readonly startOffset: number; readonly endOffset: number };
type Located = {
  readonly sourceCodeLocation?: { readonly startTag?: Span; readonly endTag?: Span } | null;
};

function contentSpans(node: Located): [number, number][] {
  const { startTag, endTag } = node.sourceCodeLocation ?? {};
  return startTag && endTag ? [[startTag.endOffset, endTag.startOffset]] : [];
}
