/** What a command says and leaves when its files, or the servers it calls, are in trouble. */

import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "./fixtures/command.ts";
import { emptyFolder } from "./fixtures/folder.ts";
import { serve } from "./fixtures/server.ts";
import { tamper } from "./rag/store/building.ts";

const OFFLINE = { EMBEDDING: "hash", RERANK: "none", DENSE_WEIGHT: "0.5" };

/** A service's folder with these sources, and its command. */
function service(sources: Readonly<Record<string, string | Buffer>>) {
  const folder = emptyFolder();
  const corpus = join(folder, "evals", "corpus");
  mkdirSync(corpus, { recursive: true });
  for (const [name, content] of Object.entries(sources)) writeFileSync(join(corpus, name), content);
  const run = (args: readonly string[], settings: Readonly<Record<string, string>> = {}) =>
    runCommand(folder, args, { ...OFFLINE, ...settings });
  return { index: join(folder, ".rag", "index.sqlite"), run };
}

test("an index run accounts for each source, and says why one was left out", async () => {
  const { run } = service({
    "long.md": "word ".repeat(40),
    "blank.md": "\n\n",
    "picture.txt": Buffer.from("\x89PNG\r\n\x1a\n\0\0", "latin1"),
    ".env": "KEY=1",
  });
  const { out } = await run(["index"], { EMBEDDING_MAX_TOKENS: "60" });
  expect(out).toContain("4 seen = 1 indexed + 0 unchanged + 3 skipped; 0 removed");
  expect(out).toContain("1 texts were longer than the model takes, and were split");
  for (const reason of ["blank.md: empty", "picture.txt: binary", ".env: ignored"]) {
    expect(out).toContain(`  skipped ${reason}`);
  }
});

test("a reranker that fails leaves the fused order, and it is said", async () => {
  const { run } = service({ "a.md": "Pump and water.\n", "b.md": "Water.\n" });
  await run(["index"]);
  const nowhere = { RERANK: "http", RERANK_URL: "http://127.0.0.1:9", RERANK_TIMEOUT_S: "0.3" };
  const search = ["search", "water"];
  const fused = JSON.parse((await run([...search, "--json"])).out);
  const degraded = JSON.parse((await run([...search, "--json"], nowhere)).out);
  expect(degraded.passages).toEqual(fused.passages);
  expect(degraded.rerank).toMatch(/^degraded: POST http:\/\/127\.0\.0\.1:9/);
  expect((await run(search, nowhere)).err).toContain("warning: rerank degraded: ");
});

const FLIP = "UPDATE posting SET postings = CAST(X'7f' || substr(postings, 2) AS BLOB)";

test.each<[string, string, (index: string) => void]>([
  ["a flipped byte", "checksum", (index) => void tamper(index, `${FLIP} WHERE term = 'pump'`)],
  ["a file cut short", "malformed", (index) => truncateSync(index, 9000)],
  ["an older schema", "schema", (index) => void tamper(index, "PRAGMA user_version = 0")],
])("%s is status 3 of verify, and an error of search", async (_, finding, damage) => {
  const { index, run } = service({ "pump.md": "# Pump\n\nThe pump moves water.\n" });
  expect((await run(["index"])).status).toBe(0);
  damage(index);
  const verified = await run(["verify"]);
  expect(verified.out).toContain(finding);
  expect(verified.status).toBe(3);
  const searched = await run(["search", "pump"]);
  expect([searched.status, searched.out]).toEqual([2, ""]);
  expect(searched.err).toContain("Run `index --rebuild`.");
  expect((await run(["index", "--rebuild"])).status).toBe(0);
  expect((await run(["verify"])).status).toBe(0);
});

const FAILS_AT = 7;
const FAULTS = {
  quota: { status: 429, body: { error: { code: "insufficient_quota" } } },
  key: { status: 401, body: "no" },
  failure: { status: 500, body: "boom" },
  page: { body: "<html>" },
};

/** An endpoint that counts the texts it embeds, and fails from call `FAILS_AT` on. */
async function embeddings() {
  const state = { fault: null as keyof typeof FAULTS | null, texts: [] as string[] };
  let calls = 0;
  const { url } = await serve(({ body }) => {
    const { input } = body as { readonly input: readonly string[] };
    const pages = input.filter((text) => text.includes("Page"));
    if (pages.length > 0) calls += 1;
    if (state.fault && calls >= FAILS_AT) return FAULTS[state.fault];
    state.texts.push(...pages);
    return { body: { data: input.map((text, index) => ({ index, embedding: [text.length, 1] })) } };
  });
  const settings = {
    ...{ EMBEDDING: "openai", EMBEDDING_MODEL: "small", EMBEDDING_DIMENSIONS: "2" },
    ...{ EMBEDDING_BASE_URL: url, EMBEDDING_API_KEY: "key", EMBEDDING_BATCH_TEXTS: "2" },
  };
  return { state, settings };
}

function pages(count: number): Record<string, string> {
  const numbers = Array.from({ length: count }, (_, at) => at);
  return Object.fromEntries(numbers.map((at) => [`${at}.md`, `# Page ${at}\n\nText ${at}.\n`]));
}

test.each(Object.keys(FAULTS) as (keyof typeof FAULTS)[])(
  "a run that fails at a call (%s) is resumed with what was paid for",
  async (fault) => {
    const { run } = service(pages(20));
    const { state, settings } = await embeddings();
    state.fault = fault;
    const { status, err } = await run(["index"], settings);
    expect(err).toContain("20 sources seen, none indexed");
    expect(err).toContain("12 texts were embedded and are kept");
    expect(err).toContain("/embeddings: ");
    expect([status, state.texts.length]).toEqual([2, 12]);
    state.fault = null;
    const summary = JSON.parse((await run(["index", "--json"], settings)).out);
    expect(summary).toMatchObject({ indexed: 20, reused: 12, embedded: 8 });
    expect(new Set(state.texts).size).toBe(20);
    expect(state.texts.length).toBe(20);
    expect((await run(["verify"], settings)).status).toBe(0);
  },
);

test("another model of the same size is refused with both names", async () => {
  const { run } = service(pages(2));
  const { settings } = await embeddings();
  expect((await run(["index"], settings)).status).toBe(0);
  for (const args of [["search", "page"], ["index"]]) {
    const { status, err } = await run(args, { ...settings, EMBEDDING_MODEL: "other" });
    expect(err).toContain('embedding.model: the index has "small", the settings say "other"');
    expect(err).toContain("Run `index --rebuild`.");
    expect(status).toBe(2);
  }
});
