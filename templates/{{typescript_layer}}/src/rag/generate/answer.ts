/** Question and reranked passages -> an answer that cites them, or a refusal. */

import {
  type Answer,
  type Generator,
  NO_USAGE,
  type Refusal,
  type RefusalReason,
  type RerankedPassages,
  requireReranked,
} from "../contracts.ts";
import { parseReply } from "./parse.ts";
import { buildPrompt, newNonce } from "./prompt.ts";

export type AnswerOptions = {
  readonly generator: Generator;
  readonly minSimilarity: number;
  readonly makeNonce?: () => string;
};

/**
 * Answer from the passages alone.
 *
 * The model is called only when there are passages, and when one of those whose similarity to
 * the question is known reaches `minSimilarity`.
 *
 * @throws TypeError `passages` is not what `rerank()` returned.
 * @throws GenerationError the model could not be reached.
 */
export async function answer(
  question: string,
  passages: RerankedPassages,
  options: AnswerOptions,
): Promise<Answer | Refusal> {
  const { generator, minSimilarity, makeNonce = newNonce } = options;
  const supplied = requireReranked(passages).passages;
  if (supplied.length === 0) {
    return refusal("no_passages", "no passage was found for the question");
  }
  const known = supplied.map((one) => one.similarity).filter((near) => near !== null);
  const nearest = Math.max(...known);
  if (known.length > 0 && nearest < minSimilarity) {
    return refusal(
      "low_relevance",
      `the nearest passage has similarity ${nearest.toFixed(3)}, below ${minSimilarity.toFixed(3)}`,
    );
  }
  const prompt = buildPrompt(question, supplied, makeNonce);
  return parseReply(await generator.generate(prompt, question, supplied), supplied);
}

function refusal(reason: RefusalReason, detail: string): Refusal {
  return { kind: "refusal", reason, detail, usage: NO_USAGE };
}
