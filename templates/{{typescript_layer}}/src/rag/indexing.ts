/** Composition root of indexing: sources -> documents -> chunks -> vectors -> one transaction. */

import { mkdirSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { type Candidates, collectionCandidates, isSkipped, sourceCandidates } from "./changes.ts";
import { chunkDocument } from "./chunk/chunker.ts";
import { compareCodePoints } from "./code-points.ts";
import { cachePath, indexPath, type Settings } from "./config.ts";
import {
  type Chunk,
  type Document,
  type DocumentId,
  type Embedder,
  representation,
} from "./contracts.ts";
import { buildCachedEmbedder } from "./embed/cache.ts";
import { IngestError } from "./errors.ts";
import { loadCollection } from "./ingest/beir.ts";
import type { Skipped, Source } from "./ingest/records.ts";
import { scanSources } from "./ingest/sources.ts";
import { readManifest } from "./store/session.ts";
import { openWriter } from "./store/transaction.ts";
import type { IndexWriter } from "./store/writer.ts";
import {
  analyzerFor,
  embedderFrom,
  languageForNewIndex,
  languageOfIndex,
  manifestOf,
  PROBE_TEXT,
} from "./wiring.ts";

const LANGUAGE_SAMPLE = 200;
const FLUSH_CHUNKS = 512;

/** Called with a stage's name, how much is done, and how much there is if that is known. */
export type Progress = (stage: string, done: number, total: number | null) => void;

/**
 * What a run did; `seen` is the sum of `indexed`, `unchanged` and all `skipped` when it is done.
 *
 * A run that stops early leaves the index as it was: `indexed` and `removed` stay 0 then.
 * `embedded` texts are kept for the next run, which counts them as `reused`. `skipped` counts
 * reasons; `reasons` holds each source.
 */
export type IndexSummary = {
  seen: number;
  indexed: number;
  unchanged: number;
  removed: number;
  chunks: number;
  embedded: number;
  reused: number;
  oversized: number;
  readonly skipped: Map<string, number>;
  readonly reasons: Skipped[];
};

export type IndexOptions = { readonly rebuild?: boolean; readonly progress?: Progress };

/** A summary of nothing yet. */
export function newSummary(): IndexSummary {
  return {
    seen: 0,
    indexed: 0,
    unchanged: 0,
    removed: 0,
    chunks: 0,
    embedded: 0,
    reused: 0,
    oversized: 0,
    skipped: new Map(),
    reasons: [],
  };
}

/**
 * Bring the index up to the files below `root`; `summary` is filled while it runs.
 *
 * @throws IngestError `root` can't be read, or holds nothing while the index holds documents.
 * @throws EmbeddingError vectors could not be had; the index keeps its former state.
 * @throws StoreError the index can't be written.
 */
export async function indexSources(
  settings: Settings,
  root: string,
  summary: IndexSummary,
  options: IndexOptions = {},
): Promise<void> {
  const sources: Source[] = [];
  for await (const found of scanSources(root, settings.maxFileBytes)) {
    summary.seen += 1;
    options.progress?.("scan", summary.seen, null);
    if (isSkipped(found)) skip(summary, found);
    else sources.push(found);
  }
  await index(settings, sourceCandidates(sources, settings), summary, options);
}

/** Bring the index up to a BEIR collection's `corpus.jsonl`; errors as `indexSources`. */
export async function indexCollection(
  settings: Settings,
  folder: string,
  summary: IndexSummary,
  options: IndexOptions = {},
): Promise<void> {
  const candidates = collectionCandidates(await loadCollection(folder));
  summary.seen = candidates.digests.size;
  await index(settings, candidates, summary, options);
}

async function index(
  settings: Settings,
  candidates: Candidates,
  summary: IndexSummary,
  { rebuild = false, progress = () => {} }: IndexOptions,
): Promise<void> {
  const embedder = await embedderFrom(settings);
  const language = await languageFor(settings, candidates, rebuild);
  mkdirSync(settings.indexDir, { recursive: true });
  const probe = await embedder.embedQuery(PROBE_TEXT);
  const manifest = manifestOf(settings, await embedder.identity(), language, probe);
  const cached = await buildCachedEmbedder(embedder, cachePath(settings));
  const options = { analyze: analyzerFor(language).terms, rebuild };
  const show: Progress = (...step) => {
    // Counted as it goes, for a run that is interrupted.
    summary.embedded = cached.embedded();
    summary.reused = cached.reused();
    progress(...step);
  };
  try {
    const done = await openWriter(indexPath(settings), manifest, options, (writer) =>
      runInside({ settings, candidates, writer, embedder: cached, summary, progress: show }),
    );
    Object.assign(summary, done);
  } finally {
    summary.embedded = cached.embedded();
    summary.reused = cached.reused();
    summary.oversized = embedder.oversized();
    cached.close();
  }
}

type Run = {
  readonly settings: Settings;
  readonly candidates: Candidates;
  readonly writer: IndexWriter;
  readonly embedder: Embedder;
  readonly summary: IndexSummary;
  readonly progress: Progress;
};

type Waiting = {
  readonly document: Document;
  readonly sourceDigest: string;
  readonly chunks: readonly Chunk[];
};

/** One run inside its transaction; its counts are true only once that is committed. */
async function runInside(run: Run) {
  const { settings, candidates, writer, progress } = run;
  const { size } = candidates.digests;
  const { chunkChars, chunkOverlapChars: overlapChars } = settings;
  const kept = new Set<string>();
  let [indexed, chunks, removed] = [0, 0, 0];
  let batch: Waiting[] = [];
  let waiting = 0;

  async function flush(): Promise<void> {
    await putAll(run, batch);
    indexed += batch.length;
    chunks += waiting;
    batch = [];
    waiting = 0;
  }

  for await (const { document, sourceDigest } of changed(run, kept)) {
    const parts = chunkDocument(document, { chunkChars, overlapChars });
    batch.push({ document, sourceDigest, chunks: parts });
    waiting += parts.length;
    if (waiting >= FLUSH_CHUNKS) await flush();
  }
  await flush();
  for (const id of [...writer.documents().keys()].sort(compareCodePoints)) {
    if (kept.has(id)) continue;
    writer.remove(id);
    removed += 1;
  }
  progress("commit", size, size);
  return { indexed, removed, chunks };
}

/** Documents whose source is not the indexed one, each with its source's digest. */
async function* changed(run: Run, kept: Set<string>) {
  const { writer, summary, progress } = run;
  const { digests, load } = run.candidates;
  const known = writer.documents();
  if (known.size > 0 && digests.size === 0) {
    throw new IngestError(`no documents were found, and the index holds ${known.size}`, {
      fix: "Check the source folder; to start over, delete the index folder.",
    });
  }
  const differs = ([id, digest]: [DocumentId, string]) => known.get(id) !== digest;
  const pending = [...digests].filter(differs);
  for (const id of digests.keys()) kept.add(id);
  for (const [id] of pending) kept.delete(id);
  summary.unchanged = kept.size;
  progress("index", kept.size, digests.size);
  let done = kept.size;
  for (const [id, sourceDigest] of pending) {
    done += 1;
    progress("index", done, digests.size);
    // Signals are taken between turns of the event loop, and nothing else here ends one.
    await setImmediate();
    const document = await load(id);
    if (isSkipped(document)) skip(summary, document);
    else {
      kept.add(id);
      yield { document, sourceDigest };
    }
  }
}

async function putAll({ writer, embedder }: Run, batch: readonly Waiting[]): Promise<void> {
  const texts = batch.flatMap(({ chunks }) => chunks.map(representation));
  const { dimensions, values } = await embedder.embedDocuments(texts);
  let at = 0;
  for (const { document, sourceDigest, chunks } of batch) {
    const end = at + chunks.length * dimensions;
    const vectors = { rows: chunks.length, dimensions, values: values.subarray(at, end) };
    writer.put(document, chunks, vectors, sourceDigest);
    at = end;
  }
}

/** Count a source that holds nothing to index, and keep the reason. */
function skip(summary: IndexSummary, skipped: Skipped): void {
  summary.skipped.set(skipped.reason, (summary.skipped.get(skipped.reason) ?? 0) + 1);
  summary.reasons.push(skipped);
}

async function languageFor(
  settings: Settings,
  { digests, load }: Candidates,
  rebuild: boolean,
): Promise<string> {
  if (!rebuild && readManifest(indexPath(settings)) !== null) return languageOfIndex(settings);
  const step = Math.max(1, Math.floor(digests.size / LANGUAGE_SAMPLE));
  const texts: string[] = [];
  for (const [at, id] of [...digests.keys()].entries()) {
    if (at % step !== 0) continue;
    const found = await load(id);
    if (!isSkipped(found)) texts.push(found.text);
  }
  return languageForNewIndex(settings, texts);
}
