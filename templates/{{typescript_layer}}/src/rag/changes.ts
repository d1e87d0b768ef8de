/** What may have changed at the sources since they were indexed. */

import { createHash } from "node:crypto";
import { compareCodePoints } from "./code-points.ts";
import type { Settings } from "./config.ts";
import type { Document, DocumentId } from "./contracts.ts";
import { INGEST_VERSION, loadDocument } from "./ingest/documents.ts";
import type { Skipped, Source } from "./ingest/records.ts";
import { scanSources } from "./ingest/sources.ts";

/**
 * Documents that may have changed: cheap to compare, and loaded one by one if they did.
 *
 * A digest covers the bytes of the source and how they are read. The order is that of the sources.
 */
export type Candidates = {
  readonly digests: ReadonlyMap<DocumentId, string>;
  readonly load: (id: DocumentId) => Promise<Document | Skipped>;
};

/** Sources that differ from what was indexed, by id. */
export type Drift = {
  readonly new: readonly DocumentId[];
  readonly changed: readonly DocumentId[];
  readonly deleted: readonly DocumentId[];
};

/** Whether a source or its document holds nothing to index. */
export function isSkipped(found: Document | Source | Skipped): found is Skipped {
  return "reason" in found;
}

/** Files, known by their bytes and by how they are read. */
export function sourceCandidates(sources: Iterable<Source>, settings: Settings): Candidates {
  return buildCandidates(
    sources,
    ({ digest }) => `${INGEST_VERSION}:${digest}`,
    async (source) => loadDocument(source, settings.fallbackEncoding),
  );
}

/** Documents of a collection, known by title and text. */
export function collectionCandidates(documents: Iterable<Document>): Candidates {
  return buildCandidates(
    documents,
    ({ title, digest }) => createHash("sha256").update(`${title}\n${digest}`).digest("hex"),
    async (document) => document,
  );
}

/**
 * Sources that are new, changed or deleted since `indexed` (id -> source digest).
 *
 * Costs a hash of each source, and reading those that are not indexed, which may hold nothing to
 * index; nothing is embedded.
 */
export async function drift(
  settings: Settings,
  root: string,
  indexed: ReadonlyMap<DocumentId, string>,
): Promise<Drift> {
  const sources: Source[] = [];
  for await (const found of scanSources(root, settings.maxFileBytes)) {
    if (!isSkipped(found)) sources.push(found);
  }
  const { digests: now, load } = sourceCandidates(sources, settings);
  const known = [...indexed.keys()].sort(compareCodePoints);
  const fresh: DocumentId[] = [];
  for (const id of now.keys()) {
    if (!indexed.has(id) && !isSkipped(await load(id))) fresh.push(id);
  }
  return {
    new: fresh.sort(compareCodePoints),
    changed: known.filter((id) => now.has(id) && now.get(id) !== indexed.get(id)),
    deleted: known.filter((id) => !now.has(id)),
  };
}

function buildCandidates<Found extends { readonly id: DocumentId }>(
  all: Iterable<Found>,
  digestOf: (found: Found) => string,
  load: (found: Found) => Promise<Document | Skipped>,
): Candidates {
  const byId = new Map<DocumentId, Found>();
  const digests = new Map<DocumentId, string>();
  for (const found of all) {
    byId.set(found.id, found);
    digests.set(found.id, digestOf(found));
  }
  return {
    digests,
    load: async (id) => {
      const found = byId.get(id);
      if (found === undefined) throw new Error(`${id} is not among the candidates`);
      return load(found);
    },
  };
}
