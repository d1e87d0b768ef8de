/** Composition root of answering: retrieval, then generation from what it returned. */

import type { Settings } from "./config.ts";
import type { Answer, Filter, Refusal, RerankedPassages } from "./contracts.ts";
import { answer } from "./generate/answer.ts";
import { buildGenerator } from "./generate/providers.ts";
import { openRetrieval } from "./retrieval.ts";

/** What was said, and the passages that it was said from. */
export type Asked = {
  readonly reply: Answer | Refusal;
  readonly passages: RerankedPassages;
};

/**
 * Answer a question from the index, or refuse, and return the passages beside it.
 *
 * @throws StoreError the index can't be searched.
 * @throws GenerationError the model could not be reached.
 */
export async function ask(settings: Settings, question: string, where?: Filter): Promise<Asked> {
  const retrieval = await openRetrieval(settings);
  try {
    const passages = await retrieval.search(question, where ? { where } : {});
    const generator = await buildGenerator(settings.generation, {
      model: settings.generationModel,
      baseUrl: settings.generationBaseUrl,
      apiKey: settings.generationApiKey,
      maxTokens: settings.generationMaxTokens,
      timeoutS: settings.generationTimeoutS,
      terms: retrieval.analyzer.terms,
    });
    const { minSimilarity } = settings;
    return { reply: await answer(question, passages, { generator, minSimilarity }), passages };
  } finally {
    retrieval.close();
  }
}
