/** Source -> document: decoded, normalised, titled, and told apart by format. */

import { createHash } from "node:crypto";

import { BLANK } from "../code-points.ts";
import type { Document } from "../contracts.ts";
import { decode, UnusableError } from "./decoding.ts";
import { readFile, whyUnreadable } from "./files.ts";
import { htmlText } from "./html.ts";
import { isOffice, refuseOffice } from "./office.ts";
import { type Skipped, type Source, skip } from "./records.ts";
import { markdownTitle, rstTitle } from "./titles.ts";

/** Raised whenever the same bytes would give another text. */
export const INGEST_VERSION = 1;

const FORMATS = {
  markdown: ".md .markdown .mdown .mkd .mdx .qmd .rmd",
  rst: ".rst .rest",
  html: ".html .htm .xhtml",
  text: ".txt .text .log .adoc .asciidoc .org .tex .srt .vtt",
};
const FORMAT_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(FORMATS).flatMap(([name, suffixes]) =>
    suffixes.split(" ").map((suffix) => [suffix, name] as const),
  ),
);
const VISIBLE = new RegExp(
  String.raw`[^${BLANK}\x00-\x1f\x7f-\x9f\xad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]`,
);

type Reading = { readonly text: string; readonly title: string; readonly format: string };

/**
 * Read a source; `metadata.format` is `markdown`, `html`, `rst`, `text` or `code`.
 *
 * HTML becomes Markdown; the others stay as they are, but for the byte order mark and line ends.
 * A file with another suffix is code, and one without is text. PDF, Office and EPUB files are
 * skipped. `fallbackEncoding` is tried on what is neither marked nor UTF-8.
 *
 * @throws IngestError `fallbackEncoding` names no encoding that is known.
 */
export function loadDocument(source: Source, fallbackEncoding = ""): Document | Skipped {
  const { suffix, stem } = splitName(source.id);
  try {
    const { text, title, format } = read(readFile(source.path), suffix, fallbackEncoding);
    if (!VISIBLE.test(text)) return skip(source.id, "empty", "nothing in it can be seen");
    const digest = createHash("sha256").update(text, "utf8").digest("hex");
    const metadata = { format };
    return { id: source.id, text, digest, source: source.id, title: title || stem, metadata };
  } catch (error) {
    if (error instanceof UnusableError) return skip(source.id, error.reason, error.detail);
    const reason = whyUnreadable(error);
    if (reason === undefined) throw error;
    return skip(source.id, "unreadable", reason);
  }
}

/** Tells what `loadDocument` returned. */
export function isSkipped(loaded: Document | Skipped): loaded is Skipped {
  return "reason" in loaded;
}

function read(raw: Uint8Array, suffix: string, fallback: string): Reading {
  if (isOffice(suffix)) throw refuseOffice(raw, suffix);
  const text = decode(raw, fallback);
  const format = suffix ? (FORMAT_OF.get(suffix) ?? "code") : "text";
  if (format === "html") return { ...htmlText(text), format };
  if (format === "markdown") return { text, title: markdownTitle(text), format };
  return { text, title: format === "rst" ? rstTitle(text) : "", format };
}

/** The last part of an id, as its stem and its suffix in small letters. */
function splitName(id: string): { readonly stem: string; readonly suffix: string } {
  const name = id.slice(id.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  if (dot <= 0 || dot === name.length - 1) return { stem: name, suffix: "" };
  return { stem: name.slice(0, dot), suffix: name.slice(dot).toLowerCase() };
}
