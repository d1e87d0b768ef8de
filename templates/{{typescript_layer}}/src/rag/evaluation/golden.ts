/** Judged queries, keyed by document: re-chunking is one of the changes to be measured. */

import * as z from "zod";
import { isBlank } from "../code-points.ts";
import type { DocumentId, QueryId } from "../contracts.ts";
import { EvaluationError } from "../errors.ts";
import { quoted } from "../quoted.ts";
import { fault, readRecords } from "./lines.ts";
import type { Grades } from "./measures.ts";

/**
 * One query and the documents that answer it; a higher grade is more relevant.
 *
 * `isAnswerable` is false when nothing in the corpus answers it, which is a judgement. An
 * answerable query without a relevant document is not judged.
 */
export type GoldenQuery = {
  readonly id: QueryId;
  readonly text: string;
  readonly relevant: Grades;
  readonly slice: string;
  readonly isAnswerable: boolean;
};

/** Queries in the order of their file. */
export type Golden = readonly GoldenQuery[];

/** Where documents are known by id. */
export type Known = { has(id: DocumentId): boolean };

/** Queries that are scored. */
export function judgedOf(golden: Golden): GoldenQuery[] {
  return golden.filter((query) => query.relevant.size > 0);
}

/** Queries that ought to be refused. */
export function unanswerableOf(golden: Golden): GoldenQuery[] {
  return golden.filter((query) => !query.isAnswerable);
}

/** Queries without a judgement, which are reported and never scored as 0. */
export function unjudgedOf(golden: Golden): GoldenQuery[] {
  return golden.filter((query) => query.isAnswerable && query.relevant.size === 0);
}

/** Text that is not blank. */
export const telling = z.string().refine((text) => !isBlank(text), "expected text, not blanks");

const line = z.strictObject({
  id: telling,
  text: telling,
  slice: z.string().default(""),
  relevant: z.record(z.string(), z.int().min(1)).default({}),
  answerable: z.boolean().default(true),
});

/**
 * Read golden queries, one JSON object a line, about the `known` documents.
 *
 * @throws EvaluationError the file is missing or empty, or a line is malformed, repeats an id,
 *   names an unknown document or contradicts itself; the message names the line.
 */
export function loadGolden(path: string, known: Known): Golden {
  const seen = new Map<string, number>();
  const queries: GoldenQuery[] = [];
  for (const { number, record } of readRecords(path, line)) {
    const { id, text, slice, answerable } = record;
    if (seen.has(id)) {
      throw fault(path, number, `query id ${quoted(id)} is on line ${seen.get(id)} already`);
    }
    seen.set(id, number);
    const relevant = new Map(Object.entries(record.relevant) as [DocumentId, number][]);
    if (relevant.size > 0 && !answerable) {
      throw fault(path, number, "a query that nothing answers has relevant documents");
    }
    for (const documentId of relevant.keys()) checkKnown(path, number, documentId, known);
    queries.push({ id: id as QueryId, text, relevant, slice, isAnswerable: answerable });
  }
  return goldenOf(path, queries);
}

/** The queries of a file, of which there must be one at least. */
export function goldenOf(path: string, queries: Golden): Golden {
  if (queries.length > 0) return queries;
  throw new EvaluationError(`${path}: no queries`, { fix: "Write one JSON object a line." });
}

/** Refuse a judgement about a document that is not in the corpus. */
export function checkKnown(path: string, number: number, documentId: string, known: Known): void {
  if (known.has(documentId as DocumentId)) return;
  throw fault(path, number, `no document ${quoted(documentId)} in the index`, {
    fix: "Run `index` if the document is new; else mend its id.",
  });
}
