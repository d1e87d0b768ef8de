/**
 * BEIR collection -> documents.
 *
 * Source: Thakur et al., BEIR, NeurIPS Datasets and Benchmarks 2021.
 */

import { createHash } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

import { isBlank, trimBlanks } from "../code-points.ts";
import type { Document, DocumentId } from "../contracts.ts";
import { IngestError } from "../errors.ts";
import { firstIssue } from "../issues.ts";
import { quoted } from "../quoted.ts";
import { systemReason } from "../system-errors.ts";
import { normalise } from "./decoding.ts";

export const FILE_NAME = "corpus.jsonl";

const BLOCK_BYTES = 1 << 20;
const LINE_FEED = 0x0a;
const text = z.string().refine((value) => !/\p{Surrogate}/u.test(value), "a lone surrogate");
const Entry = z.object({ _id: text.min(1), text, title: text.default("") });

type Line = { readonly number: number; readonly bytes: Buffer };

/**
 * Read `corpus.jsonl` in its order; a document with a title alone has that as its text.
 *
 * A document with neither is there too, since it may be judged; it gives no chunks.
 *
 * @throws IngestError the file can't be read, a line is not a document, or an id comes twice;
 *   the message names file and line.
 */
export function* loadCollection(folder: string): Generator<Document> {
  const path = join(folder, FILE_NAME);
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const lines = new Map<string, number>();
  for (const { number, bytes } of readLines(path)) {
    const entry = parse(path, number, () => decoder.decode(bytes));
    if (!entry) continue;
    const before = lines.get(entry._id);
    if (before !== undefined) {
      throw fault(path, number, `id ${quoted(entry._id)} is that of line ${before} too`);
    }
    lines.set(entry._id, number);
    yield toDocument(entry);
  }
}

function parse(path: string, number: number, read: () => string) {
  try {
    const line = read();
    const source = number === 1 && line.startsWith("\ufeff") ? line.slice(1) : line;
    return isBlank(source) ? undefined : Entry.parse(JSON.parse(source));
  } catch (cause) {
    throw fault(path, number, reasonOf(cause), cause);
  }
}

function reasonOf(cause: unknown): string {
  if (cause instanceof z.ZodError) return firstIssue(cause);
  return cause instanceof Error ? cause.message : String(cause);
}

function toDocument(entry: z.infer<typeof Entry>): Document {
  const title = normalise(entry.title);
  const body = normalise(entry.text);
  const hasText = !isBlank(body);
  const content = hasText ? body : title;
  return {
    id: entry._id as DocumentId,
    text: content,
    digest: createHash("sha256").update(content, "utf8").digest("hex"),
    source: FILE_NAME,
    title: hasText ? trimBlanks(title) : "",
    metadata: { format: "text" },
  };
}

/** Lines, numbered from 1, without their ends. */
function* readLines(path: string): Generator<Line> {
  let number = 1;
  let rest: Buffer = Buffer.alloc(0);
  for (const block of readFileBlocks(path)) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, block]) : block;
    let start = 0;
    for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, start)) {
      yield { number, bytes: bytes.subarray(start, end) };
      number += 1;
      start = end + 1;
    }
    rest = bytes.subarray(start);
  }
  if (rest.length > 0) yield { number, bytes: rest };
}

function* readFileBlocks(path: string): Generator<Buffer> {
  const descriptor = attempt(path, () => openSync(path, "r"));
  try {
    for (;;) {
      const block = Buffer.allocUnsafe(BLOCK_BYTES);
      const count = attempt(path, () => readSync(descriptor, block));
      if (count === 0) return;
      yield block.subarray(0, count);
    }
  } finally {
    closeSync(descriptor);
  }
}

function attempt<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new IngestError(`${path} can't be read: ${systemReason(cause)}`, {
      fix: "Give a folder in BEIR's layout, with corpus.jsonl in it.",
      cause,
    });
  }
}

function fault(path: string, number: number, what: string, cause?: unknown): IngestError {
  return new IngestError(`${path}:${number}: ${what}`, {
    fix: "Mend the line, or remove it.",
    cause,
  });
}
