/** Retrieval together with the queries that judge it: the service's own, or a collection's. */

import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { basename, join } from "node:path";
import type { Settings } from "../config.ts";
import type { DocumentId } from "../contracts.ts";
import { IndexMismatchError } from "../errors.ts";
import { indexCollection, indexSources, newSummary } from "../indexing.ts";
import { openRetrieval, type Retrieval } from "../retrieval.ts";
import { checkLayout, isBeir, loadJudged } from "./collection.ts";
import { type Golden, loadGolden } from "./golden.ts";
import type { Progress } from "./scoring.ts";

/**
 * What an evaluation needs: `documents` holds the digest of each, `index` that of the index.
 */
export type Judged = {
  readonly retrieval: Retrieval;
  readonly golden: Golden;
  readonly documents: ReadonlyMap<DocumentId, string>;
  readonly index: string;
};

/**
 * Open the service's index with its golden queries, or index and open a collection, for `use`.
 *
 * A collection has an index of its own below `index_dir`, brought up to date here.
 *
 * @throws EvaluationError the golden queries or the collection can't be used.
 * @throws StoreError the index can't be opened.
 */
export async function withJudged<T>(
  given: Settings,
  collection: string | undefined,
  progress: Progress,
  use: (judged: Judged) => Promise<T>,
): Promise<T> {
  const settings = collection === undefined ? given : await indexed(given, collection, progress);
  const retrieval = await openRetrieval(settings);
  try {
    return await retrieval.store.snapshot(async () => {
      const documents = new Map(
        [...retrieval.store.documents()].map(([id, { digest }]) => [id, digest]),
      );
      const golden =
        collection === undefined
          ? loadGolden(settings.goldenPath, documents)
          : loadJudged(collection, documents);
      const index = retrieval.store.stats().indexDigest;
      return use({ retrieval, golden, documents, index });
    });
  } finally {
    retrieval.close();
  }
}

async function indexed(given: Settings, collection: string, progress: Progress): Promise<Settings> {
  checkLayout(collection);
  const place = realpathSync(collection);
  const mark = createHash("sha256").update(place).digest("hex").slice(0, 8);
  const indexDir = join(given.indexDir, "collections", `${basename(place)}-${mark}`);
  const settings = { ...given, indexDir };
  try {
    await index(settings, collection, progress, false);
  } catch (error) {
    if (!(error instanceof IndexMismatchError)) throw error;
    // The collection's index is only ever made here, so that nothing is lost with it.
    await index(settings, collection, progress, true);
  }
  return settings;
}

async function index(
  settings: Settings,
  collection: string,
  progress: Progress,
  rebuild: boolean,
): Promise<void> {
  const options = { rebuild, progress };
  if (isBeir(collection)) await indexCollection(settings, collection, newSummary(), options);
  else await indexSources(settings, join(collection, "corpus"), newSummary(), options);
}
