/** Each command as its user runs it, on a small corpus. */

import { spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ENV_PREFIX } from "../src/rag/config.ts";
import { type Result, runCommand } from "./fixtures/command.ts";
import { emptyFolder } from "./fixtures/folder.ts";

const OFFLINE = {
  EMBEDDING: "hash",
  RERANK: "none",
  GENERATION: "extractive",
  DENSE_WEIGHT: "0.5",
};
const BIN = new URL("../bin/cli.js", import.meta.url).pathname;

type Values = Readonly<Record<string, string>>;

const folder = mkdtempSync(join(tmpdir(), "service-"));
const corpus = join(folder, "evals", "corpus");
const golden = join(folder, "evals", "golden");

beforeAll(async () => {
  mkdirSync(corpus, { recursive: true });
  mkdirSync(golden);
  writeFileSync(
    join(corpus, "pump.md"),
    "# Pump\n\nThe pump [b]moves[/b] water. Code E-1234.\x1b[31m\n",
  );
  writeFileSync(
    join(corpus, "boiler.md"),
    "# Boiler\n\nThe boiler heats the water for two hours.\n",
  );
  writeFileSync(
    join(golden, "queries.jsonl"),
    '{"id": "a", "text": "E-1234", "relevant": {"pump.md": 1}}\n' +
      '{"id": "b", "text": "boiler", "relevant": {"boiler.md": 1}}\n',
  );
  expect((await run(["index"])).status).toBe(0);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function environ(settings: Values): Record<string, string> {
  const values = Object.entries({ ...OFFLINE, ...settings });
  return Object.fromEntries(values.map(([name, value]) => [ENV_PREFIX + name, value]));
}

function run(args: readonly string[], settings: Values = {}, cwd = folder): Promise<Result> {
  return runCommand(cwd, args, { ...OFFLINE, ...settings });
}

async function json(args: readonly string[], settings: Values = {}): Promise<Document> {
  return JSON.parse((await run([...args, "--json"], settings)).out) as Document;
}

type Found = {
  readonly document_id: string;
  readonly chunk_id: string;
  readonly placings: unknown;
  readonly matched_terms: readonly string[];
};
type Document = {
  readonly schema: string;
  readonly passages: readonly Found[];
  readonly neighbours: readonly Found[];
  readonly sources: { readonly new: readonly string[] };
};

test.each([
  [["index"], "ragseam.index.v1"],
  [["search", "pump"], "ragseam.search.v1"],
  [["search", "pump", "--explain"], "ragseam.search.v1"],
  [["ask", "How long does the boiler heat the water?"], "ragseam.ask.v1"],
  [["eval"], "ragseam.eval.v1"],
  [["status"], "ragseam.status.v1"],
  [["verify"], "ragseam.verify.v1"],
  [["config"], "ragseam.config.v1"],
  [["inspect", "document", "pump.md"], "ragseam.document.v1"],
])("%j --json is one document that names its schema", async (args, schema) => {
  const { status, out } = await run([...args, "--json"]);
  expect((JSON.parse(out) as Document).schema).toBe(schema);
  expect(status).toBe(0);
});

test("an explained search tells of each leg and the terms", async () => {
  const [first] = (await json(["search", "E-1234", "--explain"])).passages;
  expect(first).toMatchObject({
    document_id: "pump.md",
    placings: { keyword: { rank: 1 }, fused: { rank: 1 } },
  });
  expect(first?.matched_terms).toContain("e-1234");
  expect((await run(["search", "E-1234", "--explain"])).out).toMatch(/matched terms\n.*e-1234/);
});

test("a chunk is shown with span, lines, headings and neighbours", async () => {
  const id = (await json(["search", "pump"])).passages[0]?.chunk_id ?? "";
  expect(await json(["inspect", "chunk", id])).toMatchObject({
    start: 0,
    lines: [1, 3],
    heading_path: ["Pump"],
  });
  const { neighbours } = await json(["inspect", "neighbours", id]);
  expect(neighbours.map((each) => each.document_id)).toEqual(["boiler.md"]);
});

test("control codes of a document do not reach the terminal", async () => {
  const { out } = await run(["search", "pump"]);
  expect(out).not.toContain("\x1b");
  expect(out).toContain("[b]moves[/b]");
});

test.each<[readonly string[], number, string]>([
  [["search", "..."], 1, "nothing found"],
  [["search", "pump", "--under", "none/"], 1, "nothing found"],
  [["search", "pump", "-k", "0"], 2, "range"],
  [["search", "pump", "-k", "two"], 2, "range"],
  [["search"], 2, "QUERY"],
  [["search", "a", "b"], 2, "too many arguments"],
  [["bogus"], 2, "bogus"],
  [["search", "pump", "--bogus"], 2, "--bogus"],
  [[], 2, "Commands:"],
  [["--help"], 0, "Commands:"],
  [["inspect", "chunk", "nope"], 2, "nope"],
  [["inspect", "document", "nope.md"], 2, "nope.md"],
  [["index", "no-such-folder"], 2, "no-such-folder"],
  [["eval", "--collection", "no-such-folder"], 2, "no-such-folder"],
  [["eval", "--baseline", "no-such-file"], 2, "no-such-file"],
  [["tune"], 1, "Too few"],
])("%j has status %i and says %s", async (args, status, words) => {
  const result = await run(args);
  expect(result.status).toBe(status);
  expect(result.out + result.err).toContain(words);
  expect(result.err).not.toMatch(/^ {4}at /m);
});

test("tune says whether what it recommends was written", async () => {
  const cwd = emptyFolder();
  mkdirSync(join(cwd, "evals", "corpus"), { recursive: true });
  mkdirSync(join(cwd, "evals", "golden"));
  const queries = Array.from({ length: 120 }, (_, at) => {
    writeFileSync(join(cwd, "evals", "corpus", `${at}.md`), `# Part\n\nIts code is E-${at}.\n`);
    return JSON.stringify({ id: `q${at}`, text: `E-${at}`, relevant: { [`${at}.md`]: 1 } });
  });
  writeFileSync(join(cwd, "evals", "golden", "queries.jsonl"), queries.join("\n"));
  const blurred = { EMBEDDING_DIMENSIONS: "8", DENSE_WEIGHT: "0.9" };
  expect((await run(["index"], blurred, cwd)).status).toBe(0);
  const shown = await run(["tune"], blurred, cwd);
  expect(shown.out).toContain("Put them into .env by --write.");
  expect(existsSync(join(cwd, ".env"))).toBe(false);
  const written = await run(["tune", "--write"], blurred, cwd);
  expect(written.out).toContain("They stand in .env now.");
  expect(readFileSync(join(cwd, ".env"), "utf8")).toContain(`${ENV_PREFIX}DENSE_WEIGHT=`);
});

test("a search before the first index says what to run", async () => {
  const { status, err } = await run(["search", "pump"], {}, emptyFolder());
  expect(status).toBe(2);
  expect(err).toMatch(/no index at .*\n {2}Run `index` first\./);
});

test("a wrong setting is an error that names it", async () => {
  const { status, err } = await run(["search", "pump"], { CHUNK_CHARS: "ten" });
  expect(status).toBe(2);
  expect(err).toContain(`error: ${ENV_PREFIX}CHUNK_CHARS='ten'`);
});

test("a question gets an answer with its source, or a refusal", async () => {
  const answered = await run(["ask", "How long does the boiler heat the water?"]);
  expect(answered.out).toMatch(/\[1\] boiler\.md: “The boiler heats the water for two hours\.”/);
  const refused = await run(["ask", "Who was the first on the moon?"]);
  expect([refused.status, refused.out]).toEqual([1, expect.stringMatching(/^No answer \(/)]);
});

test("a floor that is missed is status 3", async () => {
  expect((await run(["eval"], { MIN_NDCG: "1" })).status).toBe(0);
  const path = join(golden, "hard.jsonl");
  writeFileSync(path, '{"id": "a", "text": "water", "relevant": {"pump.md": 1, "boiler.md": 9}}\n');
  const settings = { MIN_NDCG: "1", GOLDEN_PATH: path, DENSE_WEIGHT: "0", BM25_B: "0" };
  const { status, err } = await run(["eval"], settings);
  expect(status).toBe(3);
  expect(err).toContain("below min_ndcg 1");
});

test("a baseline is saved and compared with", async () => {
  const saved = join(emptyFolder(), "baseline.json");
  expect((await run(["eval", "--save-baseline", saved])).status).toBe(0);
  const { status, out } = await run(["eval", "--baseline", saved]);
  expect(status).toBe(0);
  expect(out).toContain("against the baseline: +0.000 nDCG@10");
});

test("a collection has an index of its own", async () => {
  const { out } = await run(["eval", "--collection", join(folder, "evals"), "--json"]);
  expect(JSON.parse(out)).toMatchObject({ queries: { judged: 2 } });
});

test("status tells what has drifted", async () => {
  expect((await run(["status"])).out).toContain("up to date");
  const path = join(corpus, "new.md");
  writeFileSync(path, "# New\n");
  try {
    expect((await json(["status"])).sources.new).toEqual(["new.md"]);
  } finally {
    unlinkSync(path);
  }
});

test.each([[["config"]], [["config", "--json"]]])("%j prints no key", async (args) => {
  const { out } = await run(args, { GENERATION_API_KEY: "sk-secret" });
  expect(out).not.toContain("sk-secret");
});

test("a reader that stops reading is no error", async () => {
  const child = spawn(process.execPath, [BIN, "search", "pump"], {
    cwd: folder,
    env: { ...process.env, ...environ({}) },
  });
  child.stdout.destroy();
  let err = "";
  child.stderr.on("data", (part: Buffer) => {
    err += String(part);
  });
  const status = await new Promise<number>((resolve) => child.on("close", resolve));
  expect([status, err]).toEqual([0, ""]);
});

describe("Ctrl-C", () => {
  const cwd = mkdtempSync(join(tmpdir(), "service-"));
  const many = join(cwd, "many");
  const queries = join(cwd, "queries.jsonl");
  const settings = { GOLDEN_PATH: queries };

  beforeAll(() => {
    mkdirSync(many);
    const numbers = Array.from({ length: 400 }, (_, at) => at);
    for (const at of numbers) {
      writeFileSync(join(many, `${at}.md`), `# Part ${at}\n\n${`Word${at} pump. `.repeat(200)}\n`);
    }
    const judged = numbers.map((at) =>
      JSON.stringify({ id: `q${at}`, text: `word${at} pump`, relevant: { [`${at}.md`]: 1 } }),
    );
    writeFileSync(queries, judged.join("\n"));
  });

  afterAll(() => rmSync(cwd, { recursive: true, force: true }));

  /** Run a command, and interrupt it when it has shown `stage`. */
  async function interrupt(args: readonly string[], stage: string): Promise<Result> {
    const env = { ...process.env, ...environ(settings) };
    const child = spawn(process.execPath, [BIN, ...args], { cwd, env });
    let [out, err] = ["", ""];
    child.stdout.on("data", (part: Buffer) => {
      out += String(part);
    });
    child.stderr.on("data", (part: Buffer) => {
      err += String(part);
      if (err.includes(stage) && !child.killed) child.kill("SIGINT");
    });
    const status = await new Promise<number>((resolve) => child.on("close", resolve));
    return { status, out, err };
  }

  test("ends an index run, which keeps what it embedded, with status 2", async () => {
    const { status, err } = await interrupt(["index", many], "index: 400");
    expect(err).toMatch(
      /stopped: 400 sources seen, none indexed.*\n.*are kept.*\nerror: interrupted/,
    );
    expect(status).toBe(2);
    expect((await run(["status"], {}, cwd)).err).toContain("no index");
  });

  test.each([
    ["verify", "recount: "],
    ["eval", "eval: "],
    ["tune", "tune: "],
  ])("ends %s in the middle, with status 2", async (command, stage) => {
    await run(["index", many], settings, cwd);
    const { status, out, err } = await interrupt([command], stage);
    expect(err).toMatch(new RegExp(`^${stage}\\d+\nerror: interrupted\n$`));
    expect([status, out]).toEqual([2, ""]);
  });
});
