/** Recounts both indexes from the chunks, in one read transaction and little memory. */

import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { IndexMissingError, StoreError } from "../errors.ts";
import { quoted } from "../quoted.ts";
import { reduced } from "./checksums.ts";
import { openContents } from "./contents.ts";
import { translation } from "./faults.ts";
import { readIdentity } from "./manifest.ts";
import { type Progress, recounted } from "./recount.ts";
import {
  assemble,
  DOCUMENT_QUERY,
  type DocumentRow,
  documentElement,
  documentFromRow,
} from "./rows.ts";
import { openSession } from "./session.ts";
import type { View } from "./view.ts";
import type { Analyze } from "./writer.ts";

type Check = () => Iterable<string> | AsyncIterable<string>;

/**
 * Findings as sentences; none when the index is what its chunks say it should be.
 *
 * `analyze` must be the one that the index was built with.
 *
 * @throws IndexMissingError there is no index.
 */
export async function verifyIndex(
  path: string,
  { analyze, progress = () => {} }: { readonly analyze: Analyze; readonly progress?: Progress },
): Promise<string[]> {
  const session = openSession(path, null);
  const findings: string[] = [];
  try {
    await session.view(async (view) => {
      const checks: readonly Check[] = [
        () => fileFindings(view),
        () => identityFindings(view),
        () => documentFindings(view),
        () => recounted(view, analyze, progress),
        () => frequencyFindings(view),
      ];
      for (const check of checks) await collect(path, check, findings);
    });
  } catch (error) {
    if (error instanceof IndexMissingError || !(error instanceof StoreError)) throw error;
    findings.push(error.what);
  } finally {
    session.close();
  }
  return findings;
}

/** Add what a check finds; an error that ends it is a finding too. */
async function collect(path: string, check: Check, findings: string[]): Promise<void> {
  try {
    for await (const finding of check()) findings.push(finding);
  } catch (error) {
    const fault = translation(path, error);
    if (!(fault instanceof StoreError)) throw fault;
    findings.push(fault.what);
  }
}

function* fileFindings({ connection }: View): Generator<string> {
  const messages = connection.prepare<[], string>("PRAGMA integrity_check(20)").pluck().all();
  for (const message of messages) if (message !== "ok") yield `SQLite finds: ${message}`;
  const rows = connection.prepare<[], [string, number]>("PRAGMA foreign_key_check").raw().all();
  for (const [table, row] of rows) {
    yield `row ${row} of table ${table} refers to a row that is not there`;
  }
}

function* identityFindings({ connection, path }: View): Generator<string> {
  const { entries } = readIdentity(connection, path);
  if (Object.keys(entries).length === 0) yield "the manifest is empty";
}

/** Each document's text, put together from its chunks, has the document's digest. */
async function* documentFindings({ connection, path, state }: View): AsyncGenerator<string> {
  const contents = openContents(connection, path);
  let [count, digest] = [0, 0n];
  for (const row of connection.prepare<[], DocumentRow>(DOCUMENT_QUERY).raw().iterate()) {
    const entry = documentFromRow(row, path);
    const chunks = [...contents.chunks(entry.number).values()].map(({ chunk }) => chunk);
    const ordinals = chunks.map(({ ordinal }) => ordinal).sort((a, b) => a - b);
    if (ordinals.some((ordinal, at) => ordinal !== at)) {
      yield `document ${quoted(entry.id)}: a chunk is missing, or is there twice`;
    }
    const text = assemble(chunks, entry.gaps);
    if (createHash("sha256").update(text).digest("hex") !== entry.digest) {
      yield `document ${quoted(entry.id)}: its text does not have its digest`;
    }
    count += 1;
    digest += documentElement(entry.id, entry.digest);
    // Signals are taken between turns of the event loop.
    await setImmediate();
  }
  if (count !== state.documents) {
    yield `there are ${count} documents, and the index was left with ${state.documents}`;
  }
  if (reduced(digest) !== state.corpus_digest) {
    yield "the documents do not have the corpus digest";
  }
}

/** Terms and their postings tell of each other. */
function* frequencyFindings({ connection }: View): Generator<string> {
  const counted = "(SELECT term, sum(length(postings)) / 3 AS n FROM posting GROUP BY term)";
  const miscounted = `SELECT text FROM term LEFT JOIN ${counted} ON term = text
    WHERE n IS NOT frequency LIMIT 20`;
  for (const term of connection.prepare<[], string>(miscounted).pluck().all()) {
    yield `term ${quoted(term)}: its frequency is not the number of its postings`;
  }
  const unknown = `SELECT DISTINCT term FROM posting LEFT JOIN term ON text = posting.term
    WHERE text IS NULL LIMIT 20`;
  for (const term of connection.prepare<[], string>(unknown).pluck().all()) {
    yield `term ${quoted(term)}: it has postings, and is not among the terms`;
  }
}
