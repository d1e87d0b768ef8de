import { mkdtempSync, readdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  IndexCorruptError,
  IndexMismatchError,
  IndexMissingError,
  StoreError,
} from "../../../src/rag/errors.ts";
import { translation } from "../../../src/rag/store/faults.ts";
import type { Manifest } from "../../../src/rag/store/manifest.ts";
import { openStore } from "../../../src/rag/store/reader.ts";
import { connectCopy } from "../../../src/rag/store/schema.ts";
import { readManifest } from "../../../src/rag/store/session.ts";
import { openWriter } from "../../../src/rag/store/transaction.ts";
import { verifyIndex } from "../../../src/rag/store/verify.ts";
import { analyze, MANIFEST, newIndex, opened, tamper, write } from "./building.ts";

async function indexed(): Promise<string> {
  const path = join(mkdtempSync(join(dirname(newIndex()), "an index?#%41 ")), "index.sqlite");
  await write(path, { "a.md": ["pump"], "b.md": ["valve"] });
  return path;
}

test.each([undefined, ""])("no index is named with the command that makes one", (content) => {
  const path = newIndex();
  if (content !== undefined) writeFileSync(path, content);
  expect(() => openStore(path, MANIFEST)).toThrow(IndexMissingError);
  expect(() => openStore(path, MANIFEST)).toThrow(`no index at ${path}\n  Run \`index\`.`);
  expect(readManifest(path)).toBeNull();
});

test("a run that never committed left no index", async () => {
  const path = newIndex();
  const run = openWriter(path, MANIFEST, { analyze }, () => {
    throw new RangeError("stopped");
  });
  await expect(run).rejects.toThrow("stopped");
  expect(() => openStore(path, MANIFEST)).toThrow(IndexMissingError);
});

test.each<[Record<string, string>, string]>([
  [
    { ...MANIFEST.entries, embedder: '"other"' },
    'embedder: the index has "hash", the settings say "other"',
  ],
  [{ analysis: "1" }, 'embedder: the index has "hash", the settings say nothing'],
  [{ ...MANIFEST.entries, more: "1" }, "more: the index has nothing, the settings say 1"],
])("other settings are named with both values and the command", async (entries, what) => {
  const index = await indexed();
  const manifest = { entries, probe: null };
  expect(() => openStore(index, manifest)).toThrow(IndexMismatchError);
  expect(() => openStore(index, manifest)).toThrow(`${what}\n  Run \`index --rebuild\`.`);
  await expect(write(index, {}, { manifest })).rejects.toThrow(what);
  await write(index, { "c.md": ["tank"] }, { manifest, rebuild: true });
  opened(index, manifest);
});

test("a long-lived reader notices a rebuild with other settings", async () => {
  const index = await indexed();
  const store = opened(index);
  store.searchKeyword(["pump"], 5);
  await write(index, {}, { manifest: { entries: { analysis: "2" }, probe: null }, rebuild: true });
  expect(() => store.searchKeyword(["pump"], 5)).toThrow(IndexMismatchError);
});

test("a model that changed under its name is noticed", async () => {
  const probed = (...values: number[]): Manifest => ({
    entries: MANIFEST.entries,
    probe: new Uint8Array(Float32Array.from(values).buffer),
  });
  const path = newIndex();
  await write(path, { "a.md": ["pump"] }, { manifest: probed(1, 0) });
  opened(path, probed(1, 0.01));
  opened(path, MANIFEST);
  for (const other of [probed(1, 0.1), probed(1), probed(0, 0), probed(Number.NaN, 1)]) {
    expect(() => openStore(path, other)).toThrow("probe: the embedder gives another vector");
  }
});

test("the manifest can be read alone", async () => {
  expect(readManifest(await indexed())).toEqual(MANIFEST);
});

test.each([0, 99])("schema %d is refused, and rebuilt", async (version) => {
  const index = await indexed();
  tamper(index, `PRAGMA user_version=${version}`);
  expect(() => openStore(index, MANIFEST)).toThrow(`schema: the index has ${version}, `);
  expect((await verifyIndex(index, { analyze })).join()).toContain("schema");
  await write(index, { "c.md": ["tank"] }, { rebuild: true });
  expect(await verifyIndex(index, { analyze })).toEqual([]);
});

test.each([
  Object.assign(new Error("another NODE_MODULE_VERSION"), { code: "ERR_DLOPEN_FAILED" }),
  Object.assign(new Error("Could not locate the bindings file"), { tries: [] }),
])("a driver that can't be loaded is compiled anew: %s", (error) => {
  const said = expect.objectContaining({ fix: "Run `npm rebuild better-sqlite3`." });
  expect(translation("index.sqlite", error)).toEqual(said);
});

test("a file of another program is left alone", async () => {
  const path = newIndex();
  tamper(path, "CREATE TABLE theirs(x)");
  expect(() => openStore(path, MANIFEST)).toThrow(StoreError);
  expect(() => openStore(path, MANIFEST)).toThrow("not an index");
  await expect(write(path, {}, { rebuild: true })).rejects.toThrow("not an index");
  tamper(path, "SELECT x FROM theirs");
});

test("what is no database is damage, and a rebuild mends it", async () => {
  const index = await indexed();
  writeFileSync(index, "not a database, ".repeat(1000));
  expect(() => openStore(index, MANIFEST)).toThrow(IndexCorruptError);
  expect(await verifyIndex(index, { analyze })).not.toEqual([]);
  await write(index, { "c.md": ["tank"] }, { rebuild: true });
  expect(await verifyIndex(index, { analyze })).toEqual([]);
  expect(readdirSync(dirname(index)).filter((name) => name.includes(".new"))).toEqual([]);
});

describe("a log that a file left", () => {
  test.each([
    ["lost", unlinkSync],
    ["damaged", (path: string) => writeFileSync(path, "?".repeat(9999))],
  ])("is not played into the successor when it was %s", async (_, damage) => {
    const index = await indexed();
    const store = opened(index);
    const left = await store.snapshot(async () => {
      store.searchKeyword(["pump"], 5);
      await write(index, { "c.md": ["tank"] });
      return readFileSync(`${index}-wal`);
    });
    store.close();
    damage(index);
    writeFileSync(`${index}-wal`, left);
    await write(index, { "d.md": ["steam"] }, { rebuild: true });
    expect(await verifyIndex(index, { analyze })).toEqual([]);
    expect(opened(index).stats().documents).toBe(1);
  });
});

test("a reader follows to the file that replaced a damaged one", async () => {
  const index = await indexed();
  const store = opened(index);
  store.searchKeyword(["pump"], 5);
  writeFileSync(index, "not a database, ".repeat(1000));
  await write(index, { "c.md": ["tank"] }, { rebuild: true });
  expect(store.searchKeyword(["tank"], 5).length).toBe(1);
});

test("a copy in memory, as a read-only folder needs it, holds the same", async () => {
  const index = await indexed();
  const copy = connectCopy(readFileSync(index));
  expect(copy.prepare("SELECT count(*) FROM chunk").pluck().get()).toBe(2);
  expect(() => copy.exec("DELETE FROM chunk")).toThrow("readonly");
  copy.close();
});
