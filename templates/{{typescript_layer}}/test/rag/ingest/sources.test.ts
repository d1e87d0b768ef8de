import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

import { IngestError } from "../../../src/rag/errors.ts";
import { scanSources } from "../../../src/rag/ingest/sources.ts";
import { emptyFolder } from "../../fixtures/folder.ts";

const MOST = 1_000_000;
const isPosix = process.platform !== "win32";

function folderOf(files: Readonly<Record<string, string>>): string {
  const root = emptyFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
}

function scanned(root: string): Record<string, string> {
  const found = [...scanSources(root, MOST)].map((item) =>
    item.kind === "source" ? [item.id, "source"] : [item.source, item.reason],
  );
  return Object.fromEntries(found);
}

test("a file is a source of its own", () => {
  const root = folderOf({ "sub/a.md": "x" });
  expect(scanned(join(root, "sub/a.md"))).toEqual({ "a.md": "source" });
});

test("a root that is missing can't be scanned", () => {
  const scan = () => scanSources(join(emptyFolder(), "gone"), MOST);
  expect(scan).toThrow(IngestError);
  expect(scan).toThrow(/gone can't be read: No such file or directory/);
});

test.runIf(isPosix)("links are told apart, and none is walked through", () => {
  const above = folderOf({ "out/secret.md": "s", "in/a.md": "x", "in/sub/b.md": "y" });
  const root = join(above, "in");
  mkdirSync(join(root, ".hid"));
  writeFileSync(join(root, ".hid/c.md"), "z");
  const targets = {
    file: "a.md",
    folder: "sub",
    root: ".",
    up: "..",
    outside: "../out",
    secret: "../out/secret.md",
    "sub/parent": "..",
    gone: "nowhere",
    itself: "itself",
    hidden: ".hid/c.md",
  };
  for (const [name, target] of Object.entries(targets)) symlinkSync(target, join(root, name));
  expect(scanned(root)).toEqual({
    ".hid/": "ignored",
    "a.md": "source",
    "sub/b.md": "source",
    file: "duplicate",
    folder: "duplicate",
    root: "duplicate",
    up: "outside_root",
    outside: "outside_root",
    secret: "outside_root",
    "sub/parent": "duplicate",
    gone: "broken_link",
    itself: "broken_link",
    hidden: "ignored",
  });
});

test.runIf(process.platform === "linux")(
  "names and kinds that can't be indexed are skipped",
  () => {
    const root = folderOf({ "a.md": "x" });
    const bad = Buffer.concat([Buffer.from(`${root}/b`), Buffer.from([0xff]), Buffer.from("é.md")]);
    writeFileSync(bad, "x");
    execFileSync("mkfifo", [join(root, "pipe")]);
    expect(scanned(root)).toEqual({
      "a.md": "source",
      "b\\xffé.md": "bad_name",
      pipe: "not_a_file",
    });
  },
);

test("rules above the root apply, unless they exclude it", () => {
  const files = { ".git/HEAD": "x", ".gitignore": "*.log\nout/\n", "in/a.log": "", "in/a.md": "" };
  const root = folderOf({ ...files, "out/b.log": "", "out/b.md": "" });
  expect(scanned(join(root, "in"))).toEqual({ "a.log": "ignored", "a.md": "source" });
  expect(scanned(join(root, "out"))).toEqual({ "b.log": "source", "b.md": "source" });
});

test("a file that is too large is skipped with its size", () => {
  const root = folderOf({ "a.md": "x".repeat(1234) });
  const [skipped] = scanSources(root, 1000);
  expect(skipped).toMatchObject({
    reason: "too_large",
    detail: "1,234 bytes, and the limit is 1,000",
  });
});
