import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  DEFAULTS,
  ENV_PREFIX,
  loadSettings,
  type Settings,
  writeSettings,
} from "../../src/rag/config.ts";
import { ConfigError } from "../../src/rag/errors.ts";
import { emptyFolder } from "../fixtures/folder.ts";

const NO_FILE = "no-such-file";

function load(values: Readonly<Record<string, string>> = {}): Settings {
  const named = Object.entries(values).map(([name, value]) => [ENV_PREFIX + name, value]);
  return loadSettings(Object.fromEntries(named) as Record<string, string>, NO_FILE);
}

test("defaults need no environment", () => {
  expect(load()).toEqual(DEFAULTS);
});

test("a variable sets its setting with its type", () => {
  const settings = load({ MAX_FILE_BYTES: "500", BM25_K1: "0.9", RERANK: "lexical" });
  expect([settings.maxFileBytes, settings.bm25K1, settings.rerank]).toEqual([500, 0.9, "lexical"]);
});

test("the environment wins over the file", () => {
  const dotenv = join(emptyFolder(), ".env");
  writeFileSync(dotenv, `${ENV_PREFIX}RRF_K=7\n${ENV_PREFIX}CANDIDATE_K=9 # why\nOTHER=1\n`);
  const settings = loadSettings({ [`${ENV_PREFIX}RRF_K`]: "8" }, dotenv);
  expect([settings.rrfK, settings.candidateK]).toEqual([8, 9]);
});

test.each([
  ["CHUNK_CHARS", "ten", "a whole number from 100 to 20000"],
  ["CHUNK_CHARS", "0", "a whole number from 100 to 20000"],
  ["CHUNK_CHARS", "-5", "a whole number from 100 to 20000"],
  ["CHUNK_CHARS", "nan", "a whole number from 100 to 20000"],
  ["CHUNK_CHARS", "", "a whole number from 100 to 20000"],
  ["CHUNK_CHARS", "500.5", "a whole number from 100 to 20000"],
  ["CHUNK_OVERLAP_CHARS", "-1", "a whole number from 0 to 10000"],
  ["BM25_B", "nan", "a number from 0 to 1"],
  ["BM25_K1", "inf", "a number from 0 to 10"],
  ["DENSE_WEIGHT", "1.5", "a number from 0 to 1"],
  ["RERANK_TIMEOUT_S", "0", "a number above 0 to 3600"],
  ["FUSION", "sum", "one of convex, rrf"],
  ["EMBEDDING", "it's", "one of hash, openai"],
])("a wrong value names variable, value and range: %s=%s", (name, value, expected) => {
  const shown = value.includes("'") ? `"${value}"` : `'${value}'`;
  expect(() => load({ [name]: value })).toThrow(
    `${ENV_PREFIX}${name}=${shown}: expected ${expected}`,
  );
});

test("an overlap as long as the chunk is refused", () => {
  expect(() => load({ CHUNK_CHARS: "300", CHUNK_OVERLAP_CHARS: "300" })).toThrow(
    /OVERLAP_CHARS=300: expected less than .*CHARS=300/,
  );
});

test("a misspelt variable is refused", () => {
  expect(() => load({ CHUNK_CHAR: "300" })).toThrow(`${ENV_PREFIX}CHUNK_CHAR is not a setting`);
});

test("every fault is told at once", () => {
  expect(() => load({ CHUNK_CHARS: "x", RRF_K: "y" })).toThrow(/CHUNK_CHARS.*RRF_K/);
  expect(() => load({ CHUNK_CHARS: "x" })).toThrow(ConfigError);
});

test("keys fall back to the names of their vendors", () => {
  const environ = { OPENAI_API_KEY: "o", ANTHROPIC_API_KEY: "a" };
  const settings = loadSettings({ ...environ, [`${ENV_PREFIX}GENERATION`]: "anthropic" }, NO_FILE);
  expect([settings.embeddingApiKey, settings.generationApiKey]).toEqual(["o", "a"]);
});

test("settings are written into a file whose other lines stay", () => {
  const dotenv = join(emptyFolder(), ".env");
  writeFileSync(dotenv, `# mine\n${ENV_PREFIX}RRF_K=7\nOTHER=$1`);
  writeSettings({ rrfK: 30, fusion: "rrf" }, dotenv);
  expect(readFileSync(dotenv, "utf8")).toBe(
    `# mine\n${ENV_PREFIX}RRF_K=30\nOTHER=$1\n${ENV_PREFIX}FUSION=rrf\n`,
  );
  expect(loadSettings({}, dotenv)).toMatchObject({ rrfK: 30, fusion: "rrf" });
});
