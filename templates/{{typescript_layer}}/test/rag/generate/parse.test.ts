import fc from "fast-check";
import { expect, test } from "vitest";
import { isBlank, sliceCodePoints, splitBlanks } from "../../../src/rag/code-points.ts";
import type { Answer, Reply } from "../../../src/rag/contracts.ts";
import { locate, parseReply } from "../../../src/rag/generate/parse.ts";
import { DECLINED, modelReply, REPLY_SCHEMA } from "../../../src/rag/generate/reply.ts";
import { chunkOf, passagesOf } from "../../fixtures/passages.ts";

const USAGE = { inputTokens: 120, outputTokens: 7 };
const TEXTS = [
  "Returns are accepted for 30 days.",
  "Batteries\nmust be   removed.",
  "The port is `ports[7]`.",
  "Fourth.",
];
const PASSAGES = passagesOf(TEXTS);

function said(fields: object = {}): string {
  const citations = [{ passage: 1, quote: "accepted for 30 days" }];
  return JSON.stringify({ answer: "It is 30 days [1].", citations, declined: false, ...fields });
}

function citing(passage: unknown, quote: string): string {
  return said({ citations: [{ passage, quote }] });
}

function parse(text: string, truncated = false) {
  return parseReply({ text, usage: USAGE, truncated } satisfies Reply, PASSAGES);
}

function answered(text: string): Answer {
  const reply = parse(text);
  return reply.kind === "answer" ? reply : expect.fail(reply.detail);
}

const INVALID: Readonly<Record<string, string>> = {
  "an empty reply": "",
  blanks: " \n",
  prose: "It is 30 days.",
  "prose around the object": `Here you are: ${said()}`,
  "two objects": said() + said(),
  "a list": "[]",
  null: "null",
  "a missing field": '{"answer": "30 days [1]"}',
  "a field that was not asked for": said({ confidence: 1 }),
  "a number as text": citing("1", "accepted"),
  "a bool as a number": citing(true, "accepted"),
  "half a passage": citing(1.5, "accepted"),
  "an empty answer": said({ answer: "  " }),
  "no citation": said({ citations: [] }),
  "passage 7 of 4": citing(7, "accepted"),
  "passage 0": citing(0, "accepted"),
  "passage -1": citing(-1, "Fourth."),
  "[7] of 4 in the answer": said({ answer: "It is 30 days [1] [7]." }),
  "a marker without a quote": said({ answer: "It is 30 days [1] and more [2]." }),
  "a marker in another script": said({ answer: "It is 30 days [1] and more [٢]." }),
  "a quote that is in no passage": citing(1, "for 60 days"),
  "a quote that is in another passage": citing(2, "accepted for 30 days"),
  "one true quote and one false": said({
    citations: [
      { passage: 1, quote: "30 days" },
      { passage: 1, quote: "90 days" },
    ],
  }),
  "an empty quote": citing(1, ""),
  "a quote without a word": citing(1, "."),
  "a lone surrogate": said({ answer: "\ud800 [1]" }),
  "nesting without an end": "[".repeat(100_000),
};

test.each(Object.entries(INVALID))("%s becomes a refusal that keeps the usage", (_, text) => {
  const refusal = parse(text);
  expect(refusal).toMatchObject({ kind: "refusal", reason: "invalid_output", usage: USAGE });
});

test.each(["PWNED", said({ answer: "PWNED [9]" }), citing(1, "PWNED")])(
  "a refusal shows nothing that the model wrote: %s",
  (text) => {
    expect(JSON.stringify(parse(text))).not.toContain("PWNED");
  },
);

test("a reply that was cut off is invalid even if it parses", () => {
  expect(parse(said(), true)).toMatchObject({
    reason: "invalid_output",
    detail: "the reply was cut off at its longest length",
    usage: USAGE,
  });
});

test.each([DECLINED, said({ declined: true })])("a model that declines is believed: %s", (text) => {
  expect(parse(text)).toMatchObject({ reason: "declined", usage: USAGE });
});

test.each(["```json\n{}\n```", "```\n{}\n```\n", "{}"])("the fence of %j is tolerated", (fence) => {
  expect(answered(fence.replace("{}", said())).text).toBe("It is 30 days [1].");
});

test("blanks in a quote may differ, and the citation holds the exact span", () => {
  const text = said({
    answer: "They go out [2].",
    citations: [{ passage: 2, quote: "Batteries must\tbe removed." }],
  });
  expect(answered(text).citations).toEqual([
    { chunkId: PASSAGES[1]?.chunk.id, quote: TEXTS[1], start: 0, end: TEXTS[1]?.length },
  ]);
});

test("equal citations are one", () => {
  const quotes = ["30 days", "30  days"].map((quote) => ({ passage: 1, quote }));
  expect(answered(said({ citations: quotes })).citations.length).toBe(1);
});

test("brackets that a passage holds are no markers", () => {
  const citations = [{ passage: 3, quote: "ports[7]" }];
  expect(answered(said({ answer: "Use `ports[7]` [3].", citations })).citations.length).toBe(1);
});

test("whatever is quoted from a passage is found at a true span", () => {
  const text = fc.string({ unit: "binary", maxLength: 60 });
  fc.assert(
    fc.property(text, fc.nat(50), fc.integer({ min: 1, max: 50 }), (whole, start, length) => {
      const quote = [...whole].slice(start, start + length).join("");
      const found = locate(splitBlanks(quote).join(" "), chunkOf(whole));
      if (!/[\p{L}\p{N}]/u.test(quote)) {
        expect(found).toBeNull();
        return;
      }
      expect(sliceCodePoints(whole, found?.start ?? 0, found?.end ?? 0)).toBe(found?.quote);
      expect(splitBlanks(found?.quote ?? "")).toEqual(splitBlanks(quote));
      expect(isBlank(found?.quote ?? "")).toBe(false);
    }),
  );
});

test("the schema sent to providers is the form that is parsed", () => {
  const { citations } = REPLY_SCHEMA.properties;
  expect([...REPLY_SCHEMA.required]).toEqual(Object.keys(modelReply.shape));
  expect([...citations.items.required]).toEqual(
    Object.keys(modelReply.shape.citations.element.shape),
  );
});
