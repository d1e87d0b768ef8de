/** What each command loads, told by the coverage of a process of its own. */

import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ENV_PREFIX } from "../src/rag/config.ts";
import { emptyFolder } from "./fixtures/folder.ts";

const BIN = new URL("../bin/cli.js", import.meta.url).pathname;
const STORE = ["better-sqlite3"];
const WORDS = ["multilingual-stemmer"];
const SDKS = ["openai", "@anthropic-ai/sdk"];
const PARSERS = ["markdown-it", "parse5", "ignore", "iconv-lite"];

/** Packages and modules of the service that were loaded. */
function loadedBy(args: readonly string[], folder: string): Set<string> {
  const coverage = emptyFolder();
  const settings = { EMBEDDING: "hash", RERANK: "none", GENERATION: "extractive" };
  const named = Object.entries(settings).map(([name, value]) => [ENV_PREFIX + name, value]);
  execFileSync(process.execPath, [BIN, ...args], {
    cwd: folder,
    env: { ...process.env, ...Object.fromEntries(named), NODE_V8_COVERAGE: coverage },
    stdio: "ignore",
  });
  const urls = readdirSync(coverage).flatMap((name) => {
    const text = readFileSync(join(coverage, name), "utf8");
    return (JSON.parse(text) as { result: { url: string }[] }).result.map(({ url }) => url);
  });
  const packages = urls.map((url) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1]);
  const modules = urls.map((url) => /\/src\/rag\/(\w[\w-]*)/.exec(url)?.[1]);
  return new Set([...packages, ...modules].filter((name) => name !== undefined));
}

test("no command loads what it does not use", () => {
  const folder = emptyFolder();
  mkdirSync(join(folder, "evals", "corpus"), { recursive: true });
  writeFileSync(join(folder, "evals", "corpus", "pump.md"), "# Pump\n\nThe pump moves water.\n");
  const indexed = loadedBy(["index"], folder);
  expect([...indexed]).toEqual(expect.arrayContaining(["better-sqlite3", "markdown-it"]));
  expect([...indexed].filter((name) => ["generate", "evaluation", ...SDKS].includes(name))).toEqual(
    [],
  );
  const unused: readonly [readonly string[], readonly string[]][] = [
    [["--help"], [...STORE, ...WORDS, ...PARSERS, ...SDKS, "store", "retrieval"]],
    [["config"], [...STORE, ...WORDS, ...PARSERS, ...SDKS, "store", "retrieval"]],
    [
      ["search", "pump"],
      [...PARSERS, ...SDKS, "generate", "ingest", "evaluation", "indexing"],
    ],
    [
      ["ask", "What moves water?"],
      [...PARSERS, ...SDKS, "ingest", "evaluation", "indexing"],
    ],
  ];
  for (const [args, names] of unused) {
    const loaded = loadedBy(args, folder);
    expect(loaded).toContain("commander");
    expect(
      [...loaded].filter((name) => names.includes(name)),
      args.join(" "),
    ).toEqual([]);
  }
}, 60_000);
