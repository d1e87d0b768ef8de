/** What can go wrong, each kind under one root; a surface translates them in one place. */

export type ErrorOptions = { readonly fix?: string; readonly cause?: unknown };

/**
 * Says what is wrong, where, and what to do next.
 *
 * `fix` is a sentence or a command for the reader; the cause is chained.
 */
export class RagError extends Error {
  readonly what: string;
  readonly fix: string;

  constructor(what: string, options: ErrorOptions = {}) {
    const { fix = "", cause } = options;
    super(fix ? `${what}\n  ${fix}` : what, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.what = what;
    this.fix = fix;
  }
}

/** A setting has a value that it can't take. */
export class ConfigError extends RagError {}

/** An optional dependency is not installed; `fix` holds the install command. */
export class MissingExtraError extends RagError {}

/** The source as a whole can't be read; one bad file is skipped instead. */
export class IngestError extends RagError {}

/** Vectors could not be had, or are not usable. */
export class EmbeddingError extends RagError {}

/** A reranker failed; the composition root falls back to the fused order. */
export class RerankError extends RagError {}

/** The model could not be reached; an invalid reply is a refusal instead. */
export class GenerationError extends RagError {}

/** The index can't be opened, read or written. */
export class StoreError extends RagError {}

/** There is no index yet. */
export class IndexMissingError extends StoreError {}

/** The index was built with other settings than the ones it is opened with. */
export class IndexMismatchError extends StoreError {}

/** The index file is damaged. */
export class IndexCorruptError extends StoreError {}

/** Another process is writing the index. */
export class IndexLockedError extends StoreError {}

/** The golden queries, a collection or a comparison is unusable. */
export class EvaluationError extends RagError {}
