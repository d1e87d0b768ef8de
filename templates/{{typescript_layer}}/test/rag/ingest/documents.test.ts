import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import type { DocumentId } from "../../../src/rag/contracts.ts";
import { IngestError } from "../../../src/rag/errors.ts";
import { isSkipped, loadDocument } from "../../../src/rag/ingest/documents.ts";
import { emptyFolder } from "../../fixtures/folder.ts";

function load(name: string, content: string | Buffer, fallback = "") {
  const path = join(emptyFolder(), name);
  writeFileSync(path, content);
  return loadDocument(
    { kind: "source", id: `docs/${name}` as DocumentId, path, digest: "" },
    fallback,
  );
}

test("a document is named by its source, and else by its file", () => {
  expect(load("pump.v2.md", "# The pump\n")).toMatchObject({ title: "The pump" });
  expect(load("pump.v2.md", "text\n")).toMatchObject({ title: "pump.v2", id: "docs/pump.v2.md" });
});

test.each([
  ["a.pdf", "%PDF-1.7"],
  ["a.DOCX", "PK\x03\x04"],
  ["a.epub", "PK\x03\x04"],
])("%s is skipped, and what to do is said", (name, content) => {
  const skipped = load(name, content);
  expect(skipped).toMatchObject({ kind: "skipped", reason: "unsupported" });
  expect(isSkipped(skipped) && skipped.detail).toMatch(/convert it to Markdown/);
});

test("a file that is gone is skipped with the system's reason", () => {
  const path = join(emptyFolder(), "gone.md");
  const source = { kind: "source", id: "gone.md" as DocumentId, path, digest: "" } as const;
  expect(loadDocument(source)).toEqual({
    kind: "skipped",
    source: "gone.md",
    reason: "unreadable",
    detail: "No such file or directory",
  });
});

test("the fallback encoding is used, and an unknown one refused", () => {
  expect(load("a.txt", Buffer.from("caf\xe9", "latin1"), "latin-1")).toMatchObject({
    text: "café",
  });
  expect(() => load("a.txt", "x", "nonsense")).toThrow(IngestError);
});

test.each([
  ["picture.txt", Buffer.from("\x89PNG\r\n\x1a\n\0\0", "latin1"), "binary"],
  ["latin.txt", Buffer.from("caf\xe9", "latin1"), "undecodable"],
  ["blank.txt", Buffer.from("\ufeff\r\n\r\n"), "empty"],
])("%s is skipped with a reason", (name, content, reason) => {
  expect(load(name, content)).toMatchObject({ kind: "skipped", source: `docs/${name}`, reason });
});

test.each([
  "<div>".repeat(100_000),
  `<svg><div>${"<div/>".repeat(100_000)}`,
  `<!-->${"<x-y>".repeat(100_000)}`,
  `<script></script>${"<B CLASS=a>".repeat(100_000)}`,
])("a page that would hold up the parser is skipped (%#)", (page) => {
  expect(load("a.html", page)).toMatchObject({ reason: "unreadable" });
});
