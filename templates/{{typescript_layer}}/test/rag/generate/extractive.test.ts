import { expect, test } from "vitest";
import type { Answer } from "../../../src/rag/contracts.ts";
import { buildExtractiveGenerator, MOST_QUOTES } from "../../../src/rag/generate/extractive.ts";
import { parseReply } from "../../../src/rag/generate/parse.ts";
import { passagesOf } from "../../fixtures/passages.ts";

const MANUAL = [
  "The pump starts by itself. Water the pump monthly. It weighs 4 kg.",
  "# Returns\n\nReturns are accepted for 30 days.\nThe box must be whole.",
  "- The warranty lasts two years\n- It covers the pump",
];

async function extract(
  question: string,
  texts: readonly string[] = MANUAL,
  terms?: (text: string) => string[],
) {
  const passages = passagesOf(texts);
  const generator = buildExtractiveGenerator(terms);
  return parseReply(
    await generator.generate({ system: "", user: "" }, question, passages),
    passages,
  );
}

async function answered(question: string, texts = MANUAL): Promise<Answer> {
  const reply = await extract(question, texts);
  return reply.kind === "answer" ? reply : expect.fail(reply.detail);
}

test("it quotes the sentence that shares the rare terms", async () => {
  const { text, citations } = await answered("For how many days are returns accepted?");
  expect(text).toBe("Returns are accepted for 30 days. The box must be whole. [2]");
  expect(citations.map(({ quote }) => quote)).toEqual([
    "Returns are accepted for 30 days.\nThe box must be whole.",
  ]);
});

test.each([
  "What is the capital of France?",
  "the of and",
  "",
  "Which pump accepts returns from Mars by rocket?",
  "What does pump error E-733 mean?",
])("it declines what the passages do not hold: %j", async (question) => {
  expect(await extract(question)).toMatchObject({ reason: "declined" });
});

test("a further sentence is quoted for terms that the first lacks", async () => {
  const { text } = await answered("kg and warranty", ["It has 4 kg.", MANUAL[2] ?? ""]);
  expect(text).toBe("It has 4 kg. [1] The warranty lasts two years [2]");
});

test("a quote runs on through its paragraph while it is short", async () => {
  const text = "**E-312: reversed.** Turn the plug. Push it in.\n\nThe rest is another matter.";
  const [whole] = (await answered("E-312", [text])).citations;
  expect(whole?.quote).toBe(text.split("\n\n")[0]);
  const long = `E-312 is known. ${"It has a long tale. ".repeat(40)}`;
  const [part] = (await answered("E-312", [long])).citations;
  expect(part?.quote).toMatch(/tale\.$/);
  expect(part?.quote.length).toBeLessThanOrEqual(320);
});

test("an answer stays short", async () => {
  const words = Array.from({ length: 9 }, (_, at) => `alpha${at}`);
  const text = words.map((word) => `Here is ${word}.`).join("\n\n");
  expect((await answered(words.join(" "), [text])).citations.length).toBe(MOST_QUOTES);
});

test("of equal sentences the one ranked first is quoted", async () => {
  expect((await answered("pump", ["The pump.", "The pump."])).text).toBe("The pump. [1]");
});

test("it uses the analysis it is given", async () => {
  const stems = (text: string) =>
    text
      .toLowerCase()
      .split(/\s+/)
      .map((word) => word.slice(0, 4));
  const texts = [MANUAL[1] ?? ""];
  expect((await extract("accepting", texts, stems)).kind).toBe("answer");
  expect((await extract("accepting", texts)).kind).toBe("refusal");
});

test("brackets in a document do not pass for citations", async () => {
  const text = "Open `ports[7]` and see [9] for ports.";
  expect((await answered("ports", [text])).citations[0]?.quote).toBe(text);
});
