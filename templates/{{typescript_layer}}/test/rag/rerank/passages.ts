/** Passages to rerank. */

import type { Chunk, ChunkId, DocumentId, Passage } from "../../../src/rag/contracts.ts";

const TEXTS = [
  "the pump drains the tank",
  "refunds are paid within fourteen days",
  "a valve keeps the pump from running dry",
  "opening hours are nine to five",
  "tank and pump need service each year",
];

export function makePassage(id: string, text: string, score: number): Passage {
  const chunk: Chunk = {
    id: id as ChunkId,
    documentId: "d" as DocumentId,
    ordinal: 0,
    start: 0,
    end: text.length,
    text,
    headingPath: [],
    digest: "",
    preamble: "",
  };
  return { chunk, score, placings: { fused: { rank: 1, score } }, similarity: 0.5 };
}

/** Five passages in fused order, with scores 5 to 1. */
export const CANDIDATES = TEXTS.map((text, at) => makePassage(`c${at + 1}`, text, 5 - at));
