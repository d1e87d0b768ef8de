import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, rmSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import type { ChunkId } from "../../../src/rag/contracts.ts";
import { IndexLockedError, StoreError } from "../../../src/rag/errors.ts";
import type { SqliteStore } from "../../../src/rag/store/reader.ts";
import { connect, prepareWriter, useLog } from "../../../src/rag/store/schema.ts";
import { openWriter } from "../../../src/rag/store/transaction.ts";
import { verifyIndex } from "../../../src/rag/store/verify.ts";
import {
  analyze,
  DIMENSIONS,
  MANIFEST,
  make,
  newIndex,
  opened,
  vectorsOf,
  write,
} from "./building.ts";

const ANY = new Float32Array(DIMENSIONS).fill(1);

async function indexed(): Promise<string> {
  const path = newIndex();
  await write(path, { "a.md": ["pump"], "b.md": ["valve"] });
  return path;
}

/** What each leg and the counts say is there. */
function found(store: SqliteStore): number[] {
  const both = store.searchKeyword(["pump", "valve", "tank"], 99);
  return [both.length, store.searchDense(ANY, 99).length, store.stats().chunks];
}

test("readers see nothing of a run before it commits", async () => {
  const index = await indexed();
  const store = opened(index);
  await openWriter(index, MANIFEST, { analyze }, (writer) => {
    const { document, chunks } = make("c.md", ["tank", "tank pump"]);
    writer.put(document, chunks, vectorsOf(chunks), "s");
    expect(found(store)).toEqual([2, 2, 2]);
  });
  expect(found(store)).toEqual([4, 4, 4]);
});

test("a rebuild shows the old state until it commits", async () => {
  const index = await indexed();
  const other = { entries: { analysis: "2" }, probe: null };
  const store = opened(index, null);
  await openWriter(index, other, { analyze, rebuild: true }, (writer) => {
    const { document, chunks } = make("c.md", ["tank"]);
    writer.put(document, chunks, vectorsOf(chunks), "s");
    expect(found(store)).toEqual([2, 2, 2]);
  });
  expect(found(store)).toEqual([1, 1, 1]);
  expect(await verifyIndex(index, { analyze })).toEqual([]);
});

test("a snapshot holds one state over several calls, and over a promise", async () => {
  const index = await indexed();
  const store = opened(index);
  await store.snapshot(async () => {
    const before = found(store);
    await write(index, { "c.md": ["tank"] }, { removed: ["a.md", "b.md"] });
    expect(found(store)).toEqual(before);
    const [hit] = store.searchKeyword(["pump"], 5);
    expect(store.chunk(hit?.chunkId as ChunkId).text).toBe("pump");
  });
  expect(found(store)).toEqual([1, 1, 1]);
});

test("a run that fails leaves the index as it was", async () => {
  const index = await indexed();
  const run = openWriter(index, MANIFEST, { analyze }, (writer) => {
    writer.remove(make("a.md", []).document.id);
    throw new RangeError("stopped");
  });
  await expect(run).rejects.toThrow("stopped");
  expect(await verifyIndex(index, { analyze })).toEqual([]);
  expect(found(opened(index))).toEqual([2, 2, 2]);
});

test("a killed run leaves the index as it was, and blocks nobody", async () => {
  const index = await indexed();
  const killed = runProgram(index, "process.kill(process.pid, 'SIGKILL');");
  const [, signal] = await once(killed, "exit");
  expect(signal).toBe("SIGKILL");
  expect(await verifyIndex(index, { analyze })).toEqual([]);
  await write(index, { "d.md": ["tank"] });
  expect(found(opened(index))).toEqual([3, 3, 3]);
});

test("a second writer is told who holds the lock, and may wait for it", async () => {
  const index = await indexed();
  const holder = runProgram(index, "console.log('ready'); for await (const _ of process.stdin);");
  await once(holder.stdout as NodeJS.ReadableStream, "data");
  const attempt = write(index, { "d.md": ["tank"] });
  await expect(attempt).rejects.toThrow(IndexLockedError);
  await expect(attempt).rejects.toThrow(new RegExp(`process ${holder.pid} on .*, since `));
  holder.stdin?.end();
  await openWriter(index, MANIFEST, { analyze, waitS: 20 }, (writer) => {
    expect([...writer.documents().keys()].sort()).toEqual(["a.md", "b.md", "c.md"]);
  });
});

test("two runs in one process take turns", async () => {
  const index = await indexed();
  const runs = ["c.md", "d.md"].map((name) =>
    openWriter(index, MANIFEST, { analyze, waitS: 20 }, async (writer) => {
      const { document, chunks } = make(name, ["tank"]);
      await new Promise((done) => setTimeout(done, 50));
      writer.put(document, chunks, vectorsOf(chunks), "s");
    }),
  );
  await Promise.all(runs);
  expect(found(opened(index))).toEqual([4, 4, 4]);
});

test("a commit waits for the disk, and rows refer to rows", async () => {
  const index = await indexed();
  const connection = connect(index, "write");
  prepareWriter(connection);
  useLog(connection, index);
  expect(connection.pragma("synchronous", { simple: true })).toBe(2);
  expect(connection.pragma("foreign_keys", { simple: true })).toBe(1);
  expect(connection.pragma("page_size", { simple: true })).toBe(8192);
  connection.close();
});

test("a full disk is named, and the old index serves on", async () => {
  const index = await indexed();
  const many = Object.fromEntries(
    Array.from({ length: 300 }, (_, at) => [`${at}.md`, [`tank ${"x".repeat(400)} ${at}`]]),
  );
  // RLIMIT_FSIZE of the shell stands for a disk that is full.
  const body = `
    import { write } from ${JSON.stringify(moduleUrl("test/rag/store/building.ts"))};
    await write(${JSON.stringify(index)}, ${JSON.stringify(many)}).catch((error) => console.log(error.what));`;
  const program = `trap '' XFSZ; ulimit -f 64; exec ${process.execPath} --import tsx --input-type=module -`;
  const shell = spawnSync("bash", ["-c", program], { input: body, encoding: "utf8" });
  expect(shell.stdout, shell.stderr).toMatch(/full/);
  expect(await verifyIndex(index, { analyze })).toEqual([]);
  expect(found(opened(index))).toEqual([2, 2, 2]);
});

test.skipIf(process.platform === "win32" || process.getuid?.() === 0).each([true, false])(
  "from a read-only folder the index is served, and a run says why it fails (read before: %s)",
  async (readBefore) => {
    const index = await indexed();
    rmSync(`${index}.lock`);
    if (readBefore) opened(index).close();
    chmodSync(dirname(index), 0o555);
    try {
      expect(found(opened(index))).toEqual([2, 2, 2]);
      await expect(write(index, {})).rejects.toThrow(StoreError);
      await expect(write(index, {})).rejects.toThrow("can't be written");
    } finally {
      chmodSync(dirname(index), 0o755);
    }
  },
);

/** A process that removes one document, puts another, and then does `inside` its run. */
function runProgram(index: string, inside: string): ChildProcess {
  const program = `
    import { openWriter } from ${JSON.stringify(moduleUrl("src/rag/store/transaction.ts"))};
    const manifest = { entries: ${JSON.stringify(MANIFEST.entries)}, probe: null };
    const analyze = (text) => text.match(/\\w+/g) ?? [];
    await openWriter(${JSON.stringify(index)}, manifest, { analyze }, async (writer) => {
      const document = { id: "c.md", text: "tank", digest: "d", source: "c.md", title: "", metadata: {} };
      const chunk = { id: "c", documentId: "c.md", ordinal: 0, start: 0, end: 4, text: "tank",
        headingPath: [], digest: "d", preamble: "" };
      const vectors = { rows: 1, dimensions: ${DIMENSIONS}, values: new Float32Array(${DIMENSIONS}).fill(1) };
      writer.put(document, [chunk], vectors, "s");
      ${inside}
    });`;
  return spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", program], {
    stdio: ["pipe", "pipe", "inherit"],
  });
}

function moduleUrl(path: string): string {
  return pathToFileURL(resolve(path)).href;
}
