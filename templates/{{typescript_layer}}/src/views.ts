/** What search and ask print: text for people, and with --json one document each. */

import { type Explanation, LEGS, planFields } from "./explanation.ts";
import type { Answer, Passage, Refusal, RerankedPassages } from "./rag/contracts.ts";
import type { IndexSummary } from "./rag/indexing.ts";
import { encodeJson, type Json } from "./rag/json.ts";
import { bold, clean, print, snippet } from "./terminal.ts";

/** Print one JSON document that names its schema, such as `ragseam.search.v1`. */
export function printJson(schema: string, fields: Readonly<Record<string, Json>>): void {
  print(encodeJson({ schema: `ragseam.${schema}.v1`, ...fields }, { indent: 2 }));
}

/** Print what an index run did, and why sources were skipped. */
export function printIndex(summary: IndexSummary, json: boolean): void {
  const { seen, indexed, unchanged, removed, skipped, reasons } = summary;
  if (json) {
    printJson("index", indexFields(summary));
    return;
  }
  const skips = [...skipped.values()].reduce((sum, count) => sum + count, 0);
  print(
    `${seen} seen = ${indexed} indexed + ${unchanged} unchanged` +
      ` + ${skips} skipped; ${removed} removed`,
  );
  if (indexed) {
    print(
      `${summary.chunks} chunks written; ${summary.embedded} texts embedded,` +
        ` ${summary.reused} known from before`,
    );
  }
  if (summary.oversized) {
    print(`${summary.oversized} texts were longer than the model takes, and were split`);
  }
  for (const { source, reason, detail } of reasons) {
    print(clean(`  skipped ${source}: ${reason}${detail ? ` (${detail})` : ""}`));
  }
}

/** Say what a run that stopped early leaves behind, and how to go on. */
export function printInterrupted(summary: IndexSummary): void {
  process.stderr.write(
    `stopped: ${summary.seen} sources seen, none indexed; the index is as it was before.\n` +
      `  ${summary.embedded} texts were embedded and are kept. Run the same command to go on.\n`,
  );
}

/** Print passages, best first; with an explanation, how each came to its place. */
export function printSearch(
  found: RerankedPassages,
  explanation: Explanation | null,
  json: boolean,
): void {
  const { passages, status } = found;
  if (json) {
    printJson("search", searchFields(found, explanation));
    return;
  }
  for (const [at, { chunk, score }] of passages.entries()) {
    const place = clean([chunk.documentId, ...chunk.headingPath].join(" › "));
    print(`${bold(`${at + 1}. ${place}`)}  ${score.toFixed(3)}  ${chunk.id}`);
    print(`   ${snippet(chunk.text)}`);
  }
  if (passages.length === 0) print("nothing found");
  if (status.startsWith("degraded")) {
    process.stderr.write(`warning: rerank ${status}; this is the fused order\n`);
  }
}

/** Print an answer with its citations, or the reason of a refusal. */
export function printReply(
  reply: Answer | Refusal,
  { passages }: RerankedPassages,
  json: boolean,
): void {
  if (json) {
    printJson("ask", replyFields(reply, passages));
    return;
  }
  if (reply.kind === "refusal") {
    print(`No answer (${reply.reason})${reply.detail ? `: ${clean(reply.detail)}` : ""}`);
    return;
  }
  print(clean(reply.text));
  for (const citation of reply.citations) {
    const at = passages.findIndex(({ chunk }) => chunk.id === citation.chunkId);
    const documentId = passages[at]?.chunk.documentId ?? "";
    print(`  [${at + 1}] ${clean(documentId)}: “${snippet(citation.quote)}”`);
  }
}

/** A passage as JSON: the chunk with its span, and its rank and score in each leg. */
function passageFields(passage: Passage): Record<string, Json> {
  const { chunk } = passage;
  const placed = LEGS.flatMap((leg) => {
    const placing = passage.placings[leg];
    return placing ? [[leg, { rank: placing.rank, score: placing.score }] as const] : [];
  });
  return {
    chunk_id: chunk.id,
    document_id: chunk.documentId,
    start: chunk.start,
    end: chunk.end,
    heading_path: chunk.headingPath,
    text: chunk.text,
    score: passage.score,
    similarity: passage.similarity,
    placings: Object.fromEntries(placed),
  };
}

function searchFields(
  { query, passages, status }: RerankedPassages,
  explanation: Explanation | null,
): Record<string, Json> {
  const rows = passages.map(passageFields);
  if (!explanation) return { query, rerank: status, passages: rows };
  return {
    query,
    rerank: status,
    passages: rows.map((row, at) => ({ ...row, matched_terms: explanation.matched[at] ?? [] })),
    terms: explanation.terms,
    fusion: planFields(explanation.plan),
  };
}

function indexFields(summary: IndexSummary): Record<string, Json> {
  const { seen, indexed, unchanged, removed, chunks, embedded, reused, oversized } = summary;
  return {
    ...{ seen, indexed, unchanged, removed, chunks, embedded, reused, oversized },
    skipped: new Map(summary.skipped),
    reasons: summary.reasons.map(({ source, reason, detail }) => ({ source, reason, detail })),
  };
}

function replyFields(reply: Answer | Refusal, passages: readonly Passage[]): Record<string, Json> {
  const usage = {
    input_tokens: reply.usage.inputTokens,
    output_tokens: reply.usage.outputTokens,
  };
  if (reply.kind === "refusal") {
    return { refused: true, reason: reply.reason, detail: reply.detail, usage };
  }
  const places = new Map(passages.map(({ chunk }) => [chunk.id, chunk.documentId]));
  const citations = reply.citations.map(({ chunkId, quote, start, end }) => ({
    chunk_id: chunkId,
    quote,
    start,
    end,
    document_id: places.get(chunkId) ?? "",
  }));
  return { refused: false, answer: reply.text, citations, usage };
}
