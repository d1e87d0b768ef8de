/**
 * Judgements of a collection folder, in the layout that this service ships or in BEIR's.
 *
 * Shipped: `corpus/` and `golden/queries.jsonl`. BEIR: `corpus.jsonl`, `queries.jsonl` and
 * `qrels/<split>.tsv`, and beside them `unanswerable_queries.jsonl` if there are such.
 *
 * Source: Thakur et al., BEIR, NeurIPS Datasets and Benchmarks 2021.
 */

import { statSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import type { DocumentId, QueryId } from "../contracts.ts";
import { EvaluationError } from "../errors.ts";
import { quoted } from "../quoted.ts";
import {
  checkKnown,
  type Golden,
  type GoldenQuery,
  goldenOf,
  type Known,
  loadGolden,
  telling,
} from "./golden.ts";
import { fault, readLines, readRecords } from "./lines.ts";
import type { Grades } from "./measures.ts";

const HEADER = "query-id\tcorpus-id\tscore";

const query = z.object({ _id: telling, text: telling });

type Texts = Map<string, string>;

/** Whether a collection keeps its documents in BEIR's `corpus.jsonl`. */
export function isBeir(folder: string): boolean {
  return isFile(join(folder, "corpus.jsonl"));
}

/**
 * Make sure that a folder has one of the layouts, before anything of it is indexed.
 *
 * @throws EvaluationError it has neither.
 */
export function checkLayout(folder: string): void {
  if (isBeir(folder) || isFile(goldenOfFolder(folder))) return;
  throw new EvaluationError(`${folder} is no collection`, {
    fix:
      "Give a folder with corpus/ and golden/queries.jsonl, or corpus.jsonl, " +
      "queries.jsonl and qrels/ as BEIR has them.",
  });
}

/**
 * Read the judged queries of a collection about the `known` documents.
 *
 * Of a BEIR collection, the queries that `split` judges are read, in its order.
 *
 * @throws EvaluationError the folder has neither layout, or a file has a fault; the message
 *   names file and line.
 */
export function loadJudged(folder: string, known: Known, split = "test"): Golden {
  if (isBeir(folder)) return loadBeir(folder, known, split);
  checkLayout(folder);
  return loadGolden(goldenOfFolder(folder), known);
}

function goldenOfFolder(folder: string): string {
  return join(folder, "golden", "queries.jsonl");
}

function loadBeir(folder: string, known: Known, split: string): Golden {
  const texts: Texts = new Map();
  loadTexts(join(folder, "queries.jsonl"), texts);
  const path = join(folder, "qrels", `${split}.tsv`);
  const queries = [...loadQrels(path, texts, known)].map(([id, grades]) =>
    queryOf(id, texts.get(id) ?? "", relevantOf(grades), true),
  );
  const refused = join(folder, "unanswerable_queries.jsonl");
  if (isFile(refused)) {
    for (const [id, text] of loadTexts(refused, texts)) {
      queries.push(queryOf(id, text, new Map(), false));
    }
  }
  return goldenOf(path, queries);
}

function queryOf(id: string, text: string, relevant: Grades, isAnswerable: boolean): GoldenQuery {
  return { id: id as QueryId, text, relevant, slice: "", isAnswerable };
}

/** Text by query id; ids are added to `texts`, and none may be there before. */
function loadTexts(path: string, texts: Texts): Texts {
  const found: Texts = new Map();
  for (const { number, record } of readRecords(path, query)) {
    if (texts.has(record._id)) {
      throw fault(path, number, `query id ${quoted(record._id)} is there already`);
    }
    texts.set(record._id, record.text);
    found.set(record._id, record.text);
  }
  return found;
}

function loadQrels(path: string, texts: Texts, known: Known): Map<string, Map<string, number>> {
  const judgements = new Map<string, Map<string, number>>();
  for (const { number, text } of readLines(path)) {
    if (number === 1 && text === HEADER) continue;
    const [queryId, documentId, grade, ...others] = text.split("\t");
    if (queryId === undefined || documentId === undefined || grade === undefined || others.length) {
      throw fault(path, number, "expected query id, document id and grade between tabs");
    }
    if (!texts.has(queryId)) {
      throw fault(path, number, `no query ${quoted(queryId)} in queries.jsonl`);
    }
    checkKnown(path, number, documentId, known);
    if (!/^[0-9]+$/.test(grade)) {
      throw fault(path, number, `grade ${quoted(grade)}: expected an integer of 0 or more`);
    }
    const grades = judgements.get(queryId) ?? new Map<string, number>();
    if (grades.has(documentId)) {
      throw fault(path, number, `query ${quoted(queryId)} judges ${quoted(documentId)} twice`);
    }
    judgements.set(queryId, grades.set(documentId, Number(grade)));
  }
  return judgements;
}

/** Documents judged relevant; grade 0 says that a document was looked at and is not. */
function relevantOf(grades: ReadonlyMap<string, number>): Grades {
  return new Map([...grades].filter(([, grade]) => grade > 0) as [DocumentId, number][]);
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
