import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import Database from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import type { EmbedderIdentity, Matrix } from "../../../src/rag/contracts.ts";
import { type BatchEmbedder, buildCachedEmbedder } from "../../../src/rag/embed/cache.ts";
import { EmbeddingError } from "../../../src/rag/errors.ts";

const TEXTS = Array.from({ length: 10 }, (_, number) => `pump ${number}`);

function newPath(): string {
  const folder = mkdtempSync(join(tmpdir(), "cache-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, "deep", "embeddings.sqlite");
}

/** Embeds 2 texts a batch by their length and last digit; fails at a text that says so. */
function counting(changes: Partial<EmbedderIdentity> = {}) {
  const calls: string[][] = [];
  const identity: EmbedderIdentity = {
    provider: "test",
    model: "counting",
    dimensions: 3,
    queryPrefix: "",
    documentPrefix: "",
    normalised: true,
    ...changes,
  };
  function embed(texts: readonly string[]): Matrix {
    calls.push([...texts]);
    if (texts.includes("fail")) throw new EmbeddingError("out of service");
    const { dimensions } = identity;
    const rows = texts.flatMap((text) => [text.length, text.charCodeAt(text.length - 1), 1 / 3]);
    const values = Float32Array.from(
      { length: texts.length * dimensions },
      (_, at) => rows[at] ?? 1,
    );
    return { rows: texts.length, dimensions, values };
  }
  const embedder: BatchEmbedder = {
    identity: async () => identity,
    embedQuery: async (text) => embed([text]).values,
    async *embedBatches(texts) {
      for (let at = 0; at < texts.length; at += 2) yield embed(texts.slice(at, at + 2));
    },
  };
  return { calls, embedder, direct: (texts: readonly string[]) => embed(texts) };
}

/** What one run embeds; its log goes into `events`. */
async function embed(
  path: string,
  { embedder }: ReturnType<typeof counting>,
  texts = TEXTS,
  events: string[] = [],
) {
  const cached = await buildCachedEmbedder(embedder, path, (event) => events.push(event));
  try {
    const vectors = await cached.embedDocuments(texts);
    return { vectors, reused: cached.reused(), embedded: cached.embedded() };
  } finally {
    cached.close();
  }
}

test("vectors are those of the embedder within", async () => {
  const path = newPath();
  const expected = counting().direct(TEXTS);
  for (const reused of [0, 10]) {
    const found = await embed(path, counting());
    expect(found).toEqual({ vectors: expected, reused, embedded: 10 - reused });
  }
});

test("no texts give no vectors", async () => {
  const { vectors } = await embed(newPath(), counting(), []);
  expect(vectors).toEqual({ rows: 0, dimensions: 3, values: new Float32Array() });
});

test("a text is embedded once in a call and once in all", async () => {
  const path = newPath();
  const [first, second] = [counting(), counting()];
  const { vectors } = await embed(path, first, ["a", "b", "a", "b", "a"]);
  expect(first.calls).toEqual([["a", "b"]]);
  expect(vectors.values.slice(0, 3)).toEqual(vectors.values.slice(12));
  await embed(path, second, ["b", "c", "a"]);
  expect(second.calls).toEqual([["c"]]);
});

test("queries are not cached", async () => {
  const path = newPath();
  const { calls, embedder } = counting();
  const cached = await buildCachedEmbedder(embedder, path);
  expect(await cached.embedQuery("a")).toEqual(await cached.embedQuery("a"));
  expect(calls.length).toBe(2);
  expect(existsSync(path)).toBe(false);
});

test.each<[string, Partial<EmbedderIdentity>, number]>([
  ["document prefix", { documentPrefix: "passage: " }, 5],
  ["size", { dimensions: 2 }, 5],
  ["model", { model: "other" }, 5],
  ["query prefix", { queryPrefix: "query: " }, 0],
])("another %s costs what it must", async (_, changes, calls) => {
  const path = newPath();
  await embed(path, counting());
  const other = counting(changes);
  await embed(path, other);
  expect(other.calls.length).toBe(calls);
});

test("batches before a failure are kept", async () => {
  const path = newPath();
  await expect(embed(path, counting(), ["a", "b", "c", "fail"])).rejects.toThrow("out of service");
  const again = counting();
  await embed(path, again, ["a", "b", "c"]);
  expect(again.calls).toEqual([["c"]]);
});

test("a killed process keeps its batches", async () => {
  const path = newPath();
  const module = pathToFileURL(resolve("src/rag/embed/vector-file.ts")).href;
  const program = `
    import { openVectorFile } from ${JSON.stringify(module)};
    const file = openVectorFile(${JSON.stringify(path)}, { space: Buffer.from("s"), dimensions: 1 });
    file.store(new Map([["aa", Float32Array.of(1.5)]]));
    process.kill(process.pid, "SIGKILL");`;
  const killed = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", program]);
  await once(killed, "exit");
  const { openVectorFile } = await import("../../../src/rag/embed/vector-file.ts");
  const file = openVectorFile(path, { space: Buffer.from("s"), dimensions: 1 });
  expect(file.load(["aa", "bb"])).toEqual(new Map([["aa", Float32Array.of(1.5)]]));
  file.close();
});

test.each<[string, (path: string) => void]>([
  ["overwritten", (path) => writeFileSync(path, "not a database, ".repeat(999))],
  ["of another schema", (path) => alter(path, "PRAGMA user_version = 9")],
  ["without its table", (path) => alter(path, "ALTER TABLE vectors RENAME COLUMN key TO other")],
])("a damaged file, %s, is set aside and begun anew", async (_, damage) => {
  const path = newPath();
  await embed(path, counting());
  damage(path);
  const events: string[] = [];
  const again = counting();
  await embed(path, again, TEXTS, events);
  expect(again.calls.length).toBe(5);
  expect(events.join()).toContain(`embed.cache damaged, set aside as ${path}.damaged`);
  expect(existsSync(`${path}.damaged`)).toBe(true);
});

test("a flipped bit in a vector is noticed", async () => {
  const path = newPath();
  const expected = await embed(path, counting());
  alter(path, "UPDATE vectors SET vector = X'000000000000000000000000' WHERE rowid = 3");
  const again = counting();
  expect((await embed(path, again)).vectors).toEqual(expected.vectors);
  expect(again.calls.length).toBe(1);
});

test("a file that can't be opened is done without", async () => {
  const path = newPath();
  await embed(dirname(path), counting());
  const events: string[] = [];
  const { vectors } = await embed(path, counting(), TEXTS, events);
  expect(vectors.rows).toBe(10);
  expect(events.join()).toContain("embed.cache unusable, going on without it");
});

function alter(path: string, statement: string): void {
  const connection = new Database(path);
  connection.exec(statement);
  connection.close();
}
