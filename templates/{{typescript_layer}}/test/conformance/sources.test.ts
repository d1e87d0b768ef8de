import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

import { scanSources } from "../../src/rag/ingest/sources.ts";
import { loadVectors } from "./vectors.ts";

type Tree = {
  readonly files: Readonly<Record<string, string>>;
  readonly mostBytes: number;
  readonly found: readonly (readonly string[])[];
};

const { trees } = loadVectors<{ readonly trees: readonly Tree[] }>("sources");

test.each(trees)("a tree of files is scanned alike", ({ files, mostBytes, found }) => {
  const root = mkdtempSync(join(tmpdir(), "sources-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  const told = [...scanSources(root, mostBytes)].map((item) =>
    item.kind === "source" ? [item.id, item.digest] : [item.source, item.reason, item.detail],
  );
  rmSync(root, { recursive: true });
  expect(told).toEqual(found);
});
