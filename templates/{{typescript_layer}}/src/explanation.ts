/** Tells how a search found its passages: terms, rank and score in each leg, fusion, rerank. */

import type { Placing, RerankedPassages } from "./rag/contracts.ts";
import type { Json } from "./rag/json.ts";
import type { Retrieval } from "./rag/retrieval.ts";
import type { FusionPlan } from "./rag/retrieve/fusion.ts";
import { clean, print, printTable } from "./terminal.ts";

export const LEGS = ["dense", "keyword", "fused", "rerank"] as const;

/** What a search looked for and how it fused; `matched` holds the terms of each passage. */
export type Explanation = {
  readonly terms: readonly string[];
  readonly plan: FusionPlan;
  readonly matched: readonly (readonly string[])[];
};

/** Tell how the passages of a search were found. */
export function explain(retrieval: Retrieval, { query, passages }: RerankedPassages): Explanation {
  return {
    terms: [...new Set(retrieval.analyzer.terms(query))],
    plan: retrieval.plan,
    matched: passages.map(({ chunk }) => retrieval.matchedTerms(query, chunk)),
  };
}

/** Print where each passage stood in each leg, and by what it was found. */
export function printExplanation(
  { passages, status }: RerankedPassages,
  { terms, plan, matched }: Explanation,
): void {
  const rows = passages.map(({ chunk, placings }, at) => [
    String(at + 1),
    clean(chunk.documentId),
    ...LEGS.map((leg) => placingInWords(placings[leg])),
    clean((matched[at] ?? []).join(" ")),
  ]);
  print();
  if (rows.length > 0) {
    printTable(["#", "document", ...LEGS, "matched terms"], rows);
    print();
  }
  print(clean(`terms looked for: ${terms.join(" ") || "none"}`));
  print(`fused by ${planInWords(plan)}; rerank: ${status}`);
}

/** Settings of fusion in a phrase. */
export function planInWords({ kind, denseWeight, rankConstant, candidateK }: FusionPlan): string {
  const constant = kind === "rrf" ? `, rank constant ${rankConstant}` : "";
  return `${kind}, dense weight ${denseWeight}${constant}, depth ${candidateK}`;
}

/** Settings of fusion as JSON. */
export function planFields(plan: FusionPlan): Json {
  return {
    kind: plan.kind,
    dense_weight: plan.denseWeight,
    rank_constant: plan.rankConstant,
    candidate_k: plan.candidateK,
  };
}

function placingInWords(placing: Placing | undefined): string {
  return placing ? `#${placing.rank} ${placing.score.toFixed(3)}` : "–";
}
