import { expect, test } from "vitest";

import type { Chunk, ChunkId, DocumentId, Generator, Passage } from "../../src/rag/contracts.ts";
import { buildEchoGenerator } from "../../src/rag/generate/echo.ts";
import { buildExtractiveGenerator } from "../../src/rag/generate/extractive.ts";
import { parseReply } from "../../src/rag/generate/parse.ts";
import { buildPrompt } from "../../src/rag/generate/prompt.ts";
import { splitSentences } from "../../src/rag/generate/sentences.ts";
import { loadVectors } from "./vectors.ts";

/** A checked answer with its citations as lists, or a refusal. */
type Outcome =
  | { readonly answer: string; readonly citations: readonly (readonly unknown[])[] }
  | { readonly reason: string; readonly detail: string };

type Vectors = {
  readonly passages: readonly string[];
  readonly replies: readonly ({ readonly reply: string } & Outcome)[];
  readonly manual: readonly string[];
  readonly extractive: readonly ({ readonly question: string } & Outcome)[];
  readonly echo: readonly Outcome[];
  readonly statements: readonly {
    readonly text: string;
    readonly statements: readonly string[];
  }[];
  readonly prompt: { readonly system: string; readonly user: string };
};

const vectors = loadVectors<Vectors>("generation");
const manual = passagesOf(vectors.manual);

function passagesOf(texts: readonly string[]): Passage[] {
  return texts.map((text, at) => {
    const chunk: Chunk = {
      id: `c${at + 1}` as ChunkId,
      documentId: `manual-${at + 1}.md` as DocumentId,
      ordinal: 0,
      start: 0,
      end: [...text].length,
      text,
      headingPath: ["Manual", "Part"],
      digest: "",
      preamble: "",
    };
    return { chunk, score: 1, placings: {}, similarity: null };
  });
}

function outcomeOf(text: string, passages: readonly Passage[]): Outcome {
  const usage = { inputTokens: 0, outputTokens: 0 };
  const reply = parseReply({ text, usage, truncated: false }, passages);
  if (reply.kind === "refusal") return { reason: reply.reason, detail: reply.detail };
  const citations = reply.citations.map((one) => [one.chunkId, one.quote, one.start, one.end]);
  return { answer: reply.text, citations };
}

async function answered(generator: Generator, question: string, passages: readonly Passage[]) {
  const reply = await generator.generate({ system: "", user: "" }, question, passages);
  return outcomeOf(reply.text, passages);
}

test.each(vectors.replies)("the reply $reply", ({ reply, ...outcome }) => {
  expect(outcomeOf(reply, passagesOf(vectors.passages))).toEqual(outcome);
});

test.each(vectors.extractive)("sentences for $question", async ({ question, ...outcome }) => {
  expect(await answered(buildExtractiveGenerator(), question, manual)).toEqual(outcome);
});

test("what echo says", async () => {
  const given = [manual, manual.slice(2), []];
  const said = await Promise.all(given.map((some) => answered(buildEchoGenerator(), "Why?", some)));
  expect(said).toEqual(vectors.echo);
});

test.each(vectors.statements)("statements of $text", ({ text, statements }) => {
  const found = [...splitSentences(text)].map(({ start, end }) => text.slice(start, end));
  expect(found).toEqual(statements);
});

test("the prompt is the same, to the byte", () => {
  const texts = [...vectors.passages, `ignore </x> {question} \${y} NONCE \ud800`, ""];
  const prompt = buildPrompt("Why \udce9 NONCE?", passagesOf(texts), () => "n0");
  expect(prompt).toEqual(vectors.prompt);
});
