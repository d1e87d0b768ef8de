import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";

import type { DocumentId } from "../../src/rag/contracts.ts";
import { isSkipped, loadDocument } from "../../src/rag/ingest/documents.ts";
import { loadVectors } from "./vectors.ts";

type File = {
  readonly id: DocumentId;
  readonly raw: string;
  readonly rawDigest: string;
  readonly text?: string;
  readonly digest?: string;
  readonly title?: string;
  readonly format?: string;
  readonly reason?: string;
  readonly detail?: string;
};

const vectors = loadVectors<{ readonly files: readonly File[] }>("documents");
const folder = mkdtempSync(join(tmpdir(), "documents-"));

afterAll(() => rmSync(folder, { recursive: true }));

test.each(vectors.files)("$id", ({ id, raw, rawDigest, ...expected }) => {
  const path = join(folder, id);
  const bytes = Buffer.from(raw, "base64");
  writeFileSync(path, bytes);
  expect(createHash("sha256").update(bytes).digest("hex")).toBe(rawDigest);
  const loaded = loadDocument({ kind: "source", id, path, digest: rawDigest });
  if (isSkipped(loaded)) {
    expect({ reason: loaded.reason, detail: loaded.detail }).toEqual(expected);
  } else {
    const { text, digest, title, metadata } = loaded;
    expect({ text, digest, title, ...metadata }).toEqual(expected);
    expect(loaded.source).toBe(id);
  }
});
