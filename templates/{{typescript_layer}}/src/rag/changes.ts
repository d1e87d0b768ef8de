/** What may have changed at the sources since they were indexed. */

import { createHash } from "node:crypto";
import { compareCodePoints } from "./code-points.ts";
import type { Settings } from "./config.ts";
import type { Document, DocumentId } from "./contracts.ts";
import { INGEST_VERSION, loadDocument } from "./ingest/documents.ts";
import type { Skipped, Source } from "./ingest/records.ts";
import { scanSources } from "./ingest/sources.ts";

/**
 * A document that may have changed: cheap to compare, loaded only when it did.
 *
 * `digest` covers the bytes of the source and how they are read.
 */
export type Candidate = {
  readonly id: DocumentId;
  readonly digest: string;
  load(): Promise<Document | Skipped>;
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

/** A file, known by its bytes and by how they are read. */
export function sourceCandidate(source: Source, settings: Settings): Candidate {
  const { fallbackEncoding } = settings;
  return {
    id: source.id,
    digest: `${INGEST_VERSION}:${source.digest}`,
    load: async () => loadDocument(source, fallbackEncoding),
  };
}

/** A document of a collection, known by its title and text. */
export function collectionCandidate(document: Document): Candidate {
  const content = `${document.title}\n${document.digest}`;
  const digest = createHash("sha256").update(content).digest("hex");
  return { id: document.id, digest, load: async () => document };
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
  const now = new Map<DocumentId, Candidate>();
  for await (const found of scanSources(root, settings.maxFileBytes)) {
    if (!isSkipped(found)) now.set(found.id, sourceCandidate(found, settings));
  }
  const known = [...indexed.keys()].sort(compareCodePoints);
  const fresh: DocumentId[] = [];
  for (const [id, candidate] of now) {
    if (!indexed.has(id) && !isSkipped(await candidate.load())) fresh.push(id);
  }
  return {
    new: fresh.sort(compareCodePoints),
    changed: known.filter((id) => now.has(id) && now.get(id)?.digest !== indexed.get(id)),
    deleted: known.filter((id) => !now.has(id)),
  };
}
