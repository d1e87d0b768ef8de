/** Vectors that were paid for, in a file of their own, so that no text is paid for twice. */

import { createHash } from "node:crypto";
import type { Embedder, EmbedderIdentity, Matrix } from "../contracts.ts";
import { openVectorFile, type VectorFile } from "./vector-file.ts";

/** An embedder that hands out each batch as it is done, as `TextEmbedder` does. */
export type BatchEmbedder = Pick<Embedder, "identity" | "embedQuery"> & {
  embedBatches(texts: readonly string[]): AsyncGenerator<Matrix>;
};

/**
 * An embedder that looks into a file first, and keeps each batch as soon as it is had.
 *
 * Only documents are cached; the batches before a failure are kept. `reused` and `embedded` count
 * distinct texts. Processes may share the file.
 */
export type CachedEmbedder = Embedder & {
  reused(): number;
  embedded(): number;
  close(): void;
};

export async function buildCachedEmbedder(
  embedder: BatchEmbedder,
  path: string,
  log?: (event: string) => void,
): Promise<CachedEmbedder> {
  const identity = await embedder.identity();
  const { dimensions } = identity;
  let file: VectorFile | undefined;
  let [reused, embedded] = [0, 0];

  function opened(): VectorFile {
    file ??= openVectorFile(path, { space: spaceOf(identity), dimensions, ...(log && { log }) });
    return file;
  }

  async function embedDocuments(texts: readonly string[]): Promise<Matrix> {
    const keys = texts.map((text) => createHash("sha256").update(text).digest("hex"));
    const wanted = new Map(keys.map((key, at) => [key, texts[at] ?? ""]));
    const vectors = opened().load([...wanted.keys()]);
    reused += vectors.size;
    const missing = [...wanted].filter(([key]) => !vectors.has(key));
    let done = 0;
    for await (const batch of embedder.embedBatches(missing.map(([, text]) => text))) {
      const fresh = new Map(
        missing
          .slice(done, done + batch.rows)
          .map(([key], row) => [
            key,
            batch.values.subarray(row * dimensions, (row + 1) * dimensions),
          ]),
      );
      opened().store(fresh);
      done += batch.rows;
      embedded += fresh.size;
      for (const [key, vector] of fresh) vectors.set(key, vector);
    }
    const values = new Float32Array(keys.length * dimensions);
    keys.forEach((key, row) => {
      values.set(vectors.get(key) ?? [], row * dimensions);
    });
    return { rows: keys.length, dimensions, values };
  }

  return {
    identity: async () => identity,
    embedQuery: embedder.embedQuery,
    embedDocuments,
    reused: () => reused,
    embedded: () => embedded,
    close: () => file?.close(),
  };
}

/** A query's prefix has no part in a document's vector: changing it costs nothing. */
function spaceOf(identity: EmbedderIdentity): Buffer {
  const comparable = JSON.stringify({
    provider: identity.provider,
    model: identity.model,
    dimensions: identity.dimensions,
    query_prefix: "",
    document_prefix: identity.documentPrefix,
    normalised: identity.normalised,
  });
  return createHash("sha256").update(comparable).digest();
}
