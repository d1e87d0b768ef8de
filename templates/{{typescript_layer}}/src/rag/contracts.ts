/** Records, ids and seams that the stages share. No stage is imported here. */

export type DocumentId = string & { readonly __brand: "DocumentId" };
export type ChunkId = string & { readonly __brand: "ChunkId" };
export type QueryId = string & { readonly __brand: "QueryId" };

/** One embedding, of length `dimensions`. */
export type Vector = Float32Array;

/** Embeddings in one buffer: row `i` is `values[i * dimensions]` up to the next row. */
export type Matrix = {
  readonly rows: number;
  readonly dimensions: number;
  readonly values: Float32Array;
};

/**
 * One source text, decoded.
 *
 * `id` is the path below the source root with `/`, or a connector's URI. `text` is well-formed
 * Unicode with `\n` line ends, and `digest` the SHA-256 of its UTF-8 bytes, in hex.
 */
export type Document = {
  readonly id: DocumentId;
  readonly text: string;
  readonly digest: string;
  readonly source: string;
  readonly title: string;
  readonly metadata: Readonly<Record<string, string>>;
};

/**
 * The indexed unit: `sliceCodePoints(document.text, start, end) === text`, always.
 *
 * `start` and `end` count code points of the document's text, in memory, in the index file and
 * in JSON alike, so that both languages read one file; string indices of JavaScript count
 * UTF-16 units and are converted by `code-points.ts`, at the edge of the stage that needs them.
 * `id` is derived from the document's id and the chunk's own content, so it survives edits
 * elsewhere. `preamble` is text that helps retrieval but is not at this place in the document,
 * such as the header row of a table that was cut.
 */
export type Chunk = {
  readonly id: ChunkId;
  readonly documentId: DocumentId;
  readonly ordinal: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly headingPath: readonly string[];
  readonly digest: string;
  readonly preamble: string;
};

/** What is embedded and indexed for a chunk, and never shown as evidence. */
export function representation(chunk: Chunk): string {
  const parts = [chunk.headingPath.join(" > "), chunk.preamble, chunk.text];
  return parts.filter((part) => part !== "").join("\n");
}

/** A chunk and its score in one ranking; higher is better. */
export type Hit = { readonly chunkId: ChunkId; readonly score: number };

/** Hits by falling score, ties by ascending chunk id, each chunk once. */
export type Ranking = readonly Hit[];

/** Limits a search to documents whose id starts with `prefix`. */
export type Filter = { readonly prefix: string };

/** Where a chunk stood in one ranking; ranks are counted from 1. */
export type Placing = { readonly rank: number; readonly score: number };

export type Leg = "dense" | "keyword" | "fused" | "rerank";

/**
 * A chunk as shown to a reranker or a model.
 *
 * `placings` holds its rank and score by leg; a leg that did not return the chunk is absent.
 * `similarity` is the inner product of query and chunk vector, whichever leg found the chunk;
 * null when there was no dense leg.
 */
export type Passage = {
  readonly chunk: Chunk;
  readonly score: number;
  readonly placings: Readonly<Partial<Record<Leg, Placing>>>;
  readonly similarity: number | null;
};

declare const reranked: unique symbol;

/** The only thing that generation accepts as context; only `rerank/` can make one. */
export type RerankedPassages = {
  readonly query: string;
  readonly passages: readonly Passage[];
  readonly status: string;
  readonly [reranked]: true;
};

const genuine = new WeakSet<object>();

/** Make the token that generation accepts. The boundary check lets `rerank/` alone call it. */
export function sealPassages(
  query: string,
  passages: readonly Passage[],
  status: string,
): RerankedPassages {
  const token = Object.freeze({ query, passages: Object.freeze([...passages]), status });
  genuine.add(token);
  return token as RerankedPassages;
}

/**
 * Return `candidate` if `rerank/` made it; a cast, a copy or a look-alike is not genuine.
 *
 * @throws TypeError it is anything else.
 */
export function requireReranked(candidate: unknown): RerankedPassages {
  if (typeof candidate === "object" && candidate !== null && genuine.has(candidate)) {
    return candidate as RerankedPassages;
  }
  throw new TypeError(
    "answer() takes the RerankedPassages that rerank() returned, and this value is not one",
  );
}

/** What must be equal for two vectors to be comparable; part of the index's manifest. */
export type EmbedderIdentity = {
  readonly provider: string;
  readonly model: string;
  readonly dimensions: number;
  readonly queryPrefix: string;
  readonly documentPrefix: string;
  readonly normalised: boolean;
};

/** Turns texts into vectors; `identity` may ask the model, so it is a call. */
export type Embedder = {
  identity(): Promise<EmbedderIdentity>;
  /** One row per text, in the order given. */
  embedDocuments(texts: readonly string[]): Promise<Matrix>;
  embedQuery(text: string): Promise<Vector>;
};

/** Both indexes over the same chunks, at one committed state. */
export type Store = {
  /** Top `depth` chunks by inner product. */
  searchDense(vector: Vector, depth: number, where?: Filter): Ranking;
  /** Top `depth` chunks by BM25; a chunk with none of the terms is not returned. */
  searchKeyword(terms: readonly string[], depth: number, where?: Filter): Ranking;
  /** Chunks in the order asked. */
  loadChunks(ids: readonly ChunkId[]): Chunk[];
};

/** Scores passages against a query: one finite score each, in the order given. */
export type Reranker = {
  score(query: string, passages: readonly Passage[]): Promise<readonly number[]>;
};

/** Tokens that a provider counted; zero where it counts none. */
export type Usage = { readonly inputTokens: number; readonly outputTokens: number };

export const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0 };

/** One request to a model: the rules, and the question with its passages as data. */
export type Prompt = { readonly system: string; readonly user: string };

/** What a model returned, not yet parsed or trusted; `truncated` when its length ran out. */
export type Reply = {
  readonly text: string;
  readonly usage: Usage;
  readonly truncated: boolean;
};

/** Writes a reply from a prompt, or from the question and passages themselves. */
export type Generator = {
  generate(prompt: Prompt, question: string, passages: readonly Passage[]): Promise<Reply>;
};

/**
 * A quoted span of a chunk that was supplied; `start` and `end` count code points of its text.
 */
export type Citation = {
  readonly chunkId: ChunkId;
  readonly quote: string;
  readonly start: number;
  readonly end: number;
};

/** A grounded answer; every citation was checked against the passages. */
export type Answer = {
  readonly kind: "answer";
  readonly text: string;
  readonly citations: readonly Citation[];
  readonly usage: Usage;
};

export type RefusalReason = "no_passages" | "low_relevance" | "declined" | "invalid_output";

/** No answer, as a value. */
export type Refusal = {
  readonly kind: "refusal";
  readonly reason: RefusalReason;
  readonly detail: string;
  readonly usage: Usage;
};
