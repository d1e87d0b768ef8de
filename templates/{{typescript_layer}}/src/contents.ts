/** Prints what the index holds: chunks, documents, neighbours, drift, findings. */

import type { Drift } from "./rag/changes.ts";
import { countCodePoints, sliceCodePoints } from "./rag/code-points.ts";
import {
  allowed,
  envName,
  reason,
  SETTING_NAMES,
  type SettingName,
  type Settings,
  wordedName,
} from "./rag/config.ts";
import type { Chunk, Document, Hit } from "./rag/contracts.ts";
import type { Json } from "./rag/json.ts";
import type { IndexStats } from "./rag/store/stats.ts";
import { clean, print, printTable, snippet } from "./terminal.ts";
import { printJson } from "./views.ts";

/** Print a chunk as it stands in its document. */
export function printChunk(chunk: Chunk, document: Document, json: boolean): void {
  const [first, last] = linesOf(chunk, document);
  if (json) {
    printJson("chunk", { ...chunkFields(chunk), lines: [first, last] });
    return;
  }
  print(`chunk     ${chunk.id}, number ${chunk.ordinal} of ${clean(chunk.documentId)}`);
  print(`headings  ${clean(chunk.headingPath.join(" › ")) || "–"}`);
  print(`span      characters ${chunk.start}–${chunk.end}, lines ${first}–${last}`);
  if (chunk.preamble) print(`preamble  ${clean(chunk.preamble)}`);
  print();
  print(clean(chunk.text));
}

/** Print a document's record and where its chunks are. */
export function printDocument(document: Document, chunks: readonly Chunk[], json: boolean): void {
  const { id, digest, source, title, metadata } = document;
  const characters = countCodePoints(document.text);
  if (json) {
    const rows = chunks.map((chunk) => ({
      ...chunkFields(chunk),
      lines: linesOf(chunk, document),
    }));
    printJson("document", { id, digest, source, title, metadata, characters, chunks: rows });
    return;
  }
  print(`document  ${clean(id)}`);
  print(`title     ${clean(title) || "–"}`);
  print(`text      ${characters} characters, SHA-256 ${digest}`);
  const rows = chunks.map((chunk) => {
    const [first, last] = linesOf(chunk, document);
    const span = `${chunk.start}–${chunk.end}`;
    return [String(chunk.ordinal), chunk.id, `${first}–${last}`, span, snippet(chunk.text)];
  });
  printTable(["#", "chunk", "lines", "characters", "text"], rows);
}

/** Print the nearest chunks, nearest first. */
export function printNeighbours(
  hits: readonly Hit[],
  chunks: readonly Chunk[],
  json: boolean,
): void {
  const pairs = chunks.map((chunk, at) => ({ chunk, similarity: hits[at]?.score ?? 0 }));
  if (json) {
    const neighbours = pairs.map(({ chunk, similarity }) => ({
      similarity,
      ...chunkFields(chunk),
    }));
    printJson("neighbours", { neighbours });
    return;
  }
  printTable(
    ["similarity", "chunk", "document", "text"],
    pairs.map(({ chunk, similarity }) => [
      similarity.toFixed(3),
      chunk.id,
      clean(chunk.documentId),
      snippet(chunk.text),
    ]),
  );
}

/** Print the size of the index, and the sources that it is behind of. */
export function printStatus(stats: IndexStats, changes: Drift, json: boolean): void {
  if (json) {
    printJson("status", { index: statsFields(stats), sources: { ...changes } });
    return;
  }
  const written = new Date(stats.updated * 1000).toISOString().slice(0, 19).replace("T", " ");
  print(
    `${stats.documents} documents, ${stats.chunks} chunks, ${stats.terms} terms,` +
      ` ${stats.dimensions} dimensions, ${(stats.sizeBytes / 1e6).toFixed(1)} MB`,
  );
  print(`written ${written} UTC, corpus ${stats.corpusDigest.slice(0, 16)}`);
  const kinds = Object.entries(changes);
  if (kinds.every(([, documents]) => documents.length === 0)) {
    print("up to date with its sources");
    return;
  }
  for (const [kind, documents] of kinds) {
    for (const documentId of documents) print(`  ${kind.padEnd(8)} ${clean(documentId)}`);
  }
  print("Run `index` to bring it up to date.");
}

/** Print what a verification found. */
export function printFindings(findings: readonly string[], json: boolean): void {
  if (json) {
    printJson("verify", { findings });
    return;
  }
  for (const finding of findings) print(`  ${clean(finding)}`);
  print(
    findings.length > 0
      ? `${findings.length} findings. Run \`index --rebuild\` to mend the index.`
      : "the index is sound: both indexes agree with the chunks",
  );
}

/** Print every setting; keys are shown as set or not set. */
export function printSettings(settings: Settings, json: boolean): void {
  if (json) {
    const values = SETTING_NAMES.map((name) => [
      wordedName(name),
      isKey(name) ? Boolean(settings[name]) : settings[name],
    ]);
    printJson("config", { settings: Object.fromEntries(values) as Record<string, Json> });
    return;
  }
  const rows = SETTING_NAMES.map((name) => {
    const value = settings[name];
    const shown = isKey(name) ? (value ? "set" : "not set") : String(value);
    return [envName(name), clean(shown), allowed(name), reason(name)];
  });
  printTable(["variable", "value", "allowed", "what for"], rows);
}

/** First and last line of a chunk in its document's text, counted from 1. */
export function linesOf(chunk: Chunk, document: Document): [number, number] {
  const first = newlines(sliceCodePoints(document.text, 0, chunk.start)) + 1;
  return [first, first + newlines(chunk.text.replace(/\n+$/, ""))];
}

function newlines(text: string): number {
  return text.split("\n").length - 1;
}

function isKey(name: SettingName): boolean {
  return name.endsWith("ApiKey");
}

function chunkFields(chunk: Chunk): Record<string, Json> {
  return {
    id: chunk.id,
    document_id: chunk.documentId,
    ordinal: chunk.ordinal,
    start: chunk.start,
    end: chunk.end,
    text: chunk.text,
    heading_path: chunk.headingPath,
    digest: chunk.digest,
    preamble: chunk.preamble,
  };
}

function statsFields(stats: IndexStats): Record<string, Json> {
  return {
    documents: stats.documents,
    chunks: stats.chunks,
    terms: stats.terms,
    tokens: stats.tokens,
    dimensions: stats.dimensions,
    size_bytes: stats.sizeBytes,
    runs: stats.runs,
    created: stats.created,
    updated: stats.updated,
    corpus_digest: stats.corpusDigest,
    index_digest: stats.indexDigest,
    last_run: stats.lastRun,
  };
}
