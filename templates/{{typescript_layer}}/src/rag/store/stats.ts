/** Sizes of an index, for its owner to look at. */

import { statSync } from "node:fs";
import { digestText } from "./manifest.ts";
import type { View } from "./view.ts";

/**
 * Sizes of an index; times in seconds since the epoch, digests as hexadecimal text.
 *
 * `tokens` counts the terms of all chunks, repeats included; `terms` the different ones.
 * `lastRun` tells what the last run that changed anything did.
 */
export type IndexStats = {
  readonly documents: number;
  readonly chunks: number;
  readonly terms: number;
  readonly tokens: number;
  readonly dimensions: number;
  readonly sizeBytes: number;
  readonly runs: number;
  readonly created: number;
  readonly updated: number;
  readonly corpusDigest: string;
  readonly indexDigest: string;
  readonly lastRun: Readonly<Record<string, number>>;
};

/** Sizes, times and digests of the index at the view's state. */
export function readStats({ state, connection, path }: View): IndexStats {
  const { documents, chunks, tokens, dimensions, created, updated } = state;
  const terms = connection.prepare<[], number>("SELECT count(*) FROM term").pluck().get();
  return {
    documents,
    chunks,
    terms: terms ?? 0,
    tokens,
    dimensions,
    sizeBytes: sizeOf(path) + sizeOf(`${path}-wal`),
    runs: state.run,
    created,
    updated,
    corpusDigest: digestText(state.corpus_digest),
    indexDigest: digestText(state.index_digest),
    lastRun: state.last_run,
  };
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
