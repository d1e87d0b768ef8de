/** Settings -> adapters, for the composition roots; nothing of generation is imported. */

import { ANALYSIS_VERSION, type Analyzer, buildAnalyzer, detectLanguage } from "./analysis.ts";
import { CHUNKER_VERSION } from "./chunk/version.ts";
import { indexPath, type Settings } from "./config.ts";
import type { EmbedderIdentity, Reranker, Vector } from "./contracts.ts";
import { buildEmbedder } from "./embed/build.ts";
import type { TextEmbedder } from "./embed/embedder.ts";
import { IndexMissingError } from "./errors.ts";
import { buildReranker } from "./rerank/build.ts";
import type { Manifest } from "./store/manifest.ts";
import { openStore, type SqliteStore } from "./store/reader.ts";
import type { Progress } from "./store/recount.ts";
import { readManifest } from "./store/session.ts";
import { verifyIndex } from "./store/verify.ts";

export const DETECT = "auto";
export const PROBE_TEXT = "The quick brown fox jumps over the lazy dog.";

const LANGUAGE = "analysis.language";

/** The embedder that the settings name; its model is loaded when it is first used. */
export function embedderFrom(settings: Settings): Promise<TextEmbedder> {
  return buildEmbedder(settings.embedding, {
    model: settings.embeddingModel,
    dimensions: settings.embeddingDimensions,
    baseUrl: settings.embeddingBaseUrl,
    apiKey: settings.embeddingApiKey,
    queryPrefix: settings.embeddingQueryPrefix,
    documentPrefix: settings.embeddingDocumentPrefix,
    batchTexts: settings.embeddingBatchTexts,
    batchTokens: settings.embeddingBatchTokens,
    maxTokens: settings.embeddingMaxTokens,
    timeoutS: settings.embeddingTimeoutS,
  });
}

/** The reranker that the settings name, or null for the fused order as it is. */
export function rerankerFrom(settings: Settings): Promise<Reranker | null> {
  return buildReranker(settings.rerank, {
    model: settings.rerankModel,
    url: settings.rerankUrl,
    apiKey: settings.rerankApiKey,
    timeoutS: settings.rerankTimeoutS,
  });
}

/**
 * The language of stemming and stop words that the existing index was built with.
 *
 * @throws IndexMissingError the setting is `auto` and there is no index to tell.
 */
export function languageOfIndex(settings: Settings): string {
  if (settings.language !== DETECT) return settings.language;
  const path = indexPath(settings);
  const stored = readManifest(path)?.entries[LANGUAGE];
  if (stored !== undefined) return JSON.parse(stored);
  throw new IndexMissingError(`no index at ${path}`, { fix: "Run `index` first." });
}

/** The configured language, or the one that a sample of the texts is written in. */
export function languageForNewIndex(settings: Settings, texts: Iterable<string>): string {
  return settings.language === DETECT ? detectLanguage(texts) : settings.language;
}

/** The analyzer of one language; an unknown language is a ConfigError. */
export function analyzerFor(language: string): Analyzer {
  return buildAnalyzer(language);
}

/**
 * Everything that must be equal for an index to be searched or continued.
 *
 * `probe` is the vector of `PROBE_TEXT`: it tells a model that changed under its name.
 */
export function manifestOf(
  settings: Settings,
  identity: EmbedderIdentity,
  language: string,
  probe?: Vector,
): Manifest {
  const parts = {
    "analysis.version": ANALYSIS_VERSION,
    [LANGUAGE]: language,
    "chunker.version": CHUNKER_VERSION,
    "chunker.chunk_chars": settings.chunkChars,
    "chunker.chunk_overlap_chars": settings.chunkOverlapChars,
    "embedding.provider": identity.provider,
    "embedding.model": identity.model,
    "embedding.dimensions": identity.dimensions,
    "embedding.query_prefix": identity.queryPrefix,
    "embedding.document_prefix": identity.documentPrefix,
    "embedding.normalised": identity.normalised,
  };
  const entries = Object.entries(parts).map(([name, value]) => [name, JSON.stringify(value)]);
  return {
    entries: Object.fromEntries(entries),
    probe: probe ? new Uint8Array(probe.slice().buffer) : null,
  };
}

/** The index to look at, whatever settings it was built with. */
export function openIndex(settings: Settings): SqliteStore {
  return openStore(indexPath(settings), null);
}

/** What is wrong with the index file, in sentences; none when it is sound. */
export async function findFaults(settings: Settings, progress?: Progress): Promise<string[]> {
  let analyzer: Analyzer | undefined;
  // Its language is asked once the index is open: what keeps it shut is a finding, too.
  const analyze = (text: string) => {
    analyzer ??= analyzerFor(languageOfIndex(settings));
    return analyzer.terms(text);
  };
  return verifyIndex(indexPath(settings), { analyze, ...(progress && { progress }) });
}
