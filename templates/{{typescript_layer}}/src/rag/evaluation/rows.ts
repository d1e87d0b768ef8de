/** One query through every retriever: the legs alone, both fusions, and each reranked. */

import type { DocumentId, Ranking, RerankedPassages } from "../contracts.ts";
import { type FusionPlan, fuse, type Legs } from "../retrieval.ts";
import type { Nearest } from "./refusals.ts";
import { buildRememberingReranker, type Clock } from "./remembering.ts";
import type { DocumentRanks, Subject } from "./subject.ts";

export const RERANKED = "+rerank";
export const LEG_ROWS = ["dense-only", "keyword-only"] as const;
const FUSED_ROWS = [
  { name: "fused-rrf", kind: "rrf" },
  { name: "fused-convex", kind: "convex" },
] as const;
const NOTHING = Number.NEGATIVE_INFINITY;

/** One row's documents for one query, best first, and how long they took. */
export type Found = {
  readonly documents: readonly DocumentId[];
  readonly latencyMs: number;
  readonly status: string;
};

/** Every row of one query, and the similarity of the nearest passage that is served. */
export type QueryRun = { readonly found: ReadonlyMap<string, Found>; readonly nearest: Nearest };

/** Rows in the order they are printed. */
export function rowNames(subject: Subject): string[] {
  const plain = [...LEG_ROWS, ...FUSED_ROWS.map(({ name }) => name)];
  return subject.reranker ? [...plain, ...plain.map((name) => name + RERANKED)] : plain;
}

/** The row that a search takes with the settings as they are. */
export function servedRow(subject: Subject): string {
  return fusedRow(subject.plan) + (subject.reranker ? RERANKED : "");
}

/** The row of a plan's kind of fusion, before reranking. */
export function fusedRow(plan: FusionPlan): string {
  return `fused-${plan.kind}`;
}

/**
 * Search both legs once and make every row from them.
 *
 * A row's latency is the time of what a search of that kind would do: the legs it needs,
 * fusion, and reranking. `clock` counts milliseconds.
 */
export async function runQuery(
  subject: Subject,
  query: string,
  ranks: DocumentRanks,
  clock: Clock,
): Promise<QueryRun> {
  const timed = await timedLegs(subject, query, clock);
  const { legs } = timed;
  ranks.learn(legs.dense, legs.keyword);
  const plain = plainRows(subject.plan, timed, clock);
  const found = new Map(plain.map((row) => [row.name, foundOf(row, ranks)]));
  if (subject.reranker) return rerankedRun(subject, { query, legs, plain, found }, ranks, clock);
  const served = plain.find((row) => row.name === fusedRow(subject.plan));
  const passages = await subject.rerank(query, served?.hits ?? [], legs);
  return { found, nearest: nearestSimilarity(subject, passages) };
}

/**
 * Greatest similarity among the passages that reach a prompt.
 *
 * Minus infinity when there are none; null when it is not known, as when fusion ignores the
 * dense leg: then nothing is refused for it.
 */
export function nearestSimilarity(subject: Subject, { passages }: RerankedPassages): Nearest {
  const served = passages.slice(0, subject.settings.rerankTopN);
  if (served.length === 0) return NOTHING;
  if (subject.plan.denseWeight === 0) return null;
  const known = served.map((one) => one.similarity).filter((near) => near !== null);
  return known.length > 0 ? Math.max(...known) : null;
}

type PlainRow = { readonly name: string; readonly hits: Ranking; readonly tookMs: number };
type Timed = { readonly legs: Legs; readonly denseMs: number; readonly keywordMs: number };

function foundOf({ hits, tookMs }: PlainRow, ranks: DocumentRanks): Found {
  const documents = ranks.of(hits.map((hit) => hit.chunkId));
  return { documents, latencyMs: tookMs, status: "" };
}

/** What is served goes first, so that nothing of it is remembered from another row. */
async function rerankedRun(
  subject: Subject,
  run: {
    readonly query: string;
    readonly legs: Legs;
    readonly plain: readonly PlainRow[];
    readonly found: Map<string, Found>;
  },
  ranks: DocumentRanks,
  clock: Clock,
): Promise<QueryRun> {
  const { query, legs, plain, found } = run;
  if (subject.reranker === null) throw new TypeError("there is no reranker");
  const remembering = buildRememberingReranker(subject.reranker, clock);
  const reranked = subject.withReranker(remembering);
  const { rerankCandidates, rerankTopN } = subject.settings;
  const topN = Math.max(rerankCandidates, rerankTopN);
  const served = fusedRow(subject.plan);
  let nearest: Nearest = null;
  const isServed = (row: PlainRow) => row.name === served;
  for (const row of [...plain.filter(isServed), ...plain.filter((one) => !isServed(one))]) {
    const start = clock();
    const passages = await reranked.rerank(query, row.hits, legs, { topN });
    const tookMs = row.tookMs + clock() - start + remembering.sparedMs();
    const documents = ranks.of(passages.passages.map(({ chunk }) => chunk.id));
    found.set(row.name + RERANKED, { documents, latencyMs: tookMs, status: passages.status });
    if (isServed(row)) nearest = nearestSimilarity(subject, passages);
  }
  return { found, nearest };
}

async function timedLegs(subject: Subject, query: string, clock: Clock): Promise<Timed> {
  const depth = subject.plan.candidateK;
  const start = clock();
  const dense = await subject.legs(query, depth, { keyword: false });
  const between = clock();
  const { keyword } = await subject.legs(query, depth, { dense: false });
  const keywordMs = clock() - between;
  return { legs: { ...dense, keyword }, denseMs: between - start, keywordMs };
}

function plainRows(plan: FusionPlan, timed: Timed, clock: Clock): PlainRow[] {
  const { legs, denseMs, keywordMs } = timed;
  const [dense, keyword] = LEG_ROWS;
  const fused = FUSED_ROWS.map(({ name, kind }) => {
    const start = clock();
    const hits = fuse(legs.dense, legs.keyword, { ...plan, kind });
    const tookMs = keywordMs + (plan.denseWeight ? denseMs : 0) + clock() - start;
    return { name, hits, tookMs };
  });
  return [
    { name: dense, hits: legs.dense, tookMs: denseMs },
    { name: keyword, hits: legs.keyword, tookMs: keywordMs },
    ...fused,
  ];
}
