import type { DocumentId, QueryId } from "../../../src/rag/contracts.ts";
import type { GoldenQuery } from "../../../src/rag/evaluation/golden.ts";

/** A golden query; `relevant` maps documents to grades. */
export function query(
  id: string,
  text: string,
  relevant: Readonly<Record<string, number>> = {},
  { slice = "", isAnswerable = true } = {},
): GoldenQuery {
  const grades = new Map(Object.entries(relevant) as [DocumentId, number][]);
  return { id: id as QueryId, text, relevant: grades, slice, isAnswerable };
}

/** Digests by document id. */
export function documentsOf(
  digests: Readonly<Record<string, string>>,
): ReadonlyMap<DocumentId, string> {
  return new Map(Object.entries(digests) as [DocumentId, string][]);
}
