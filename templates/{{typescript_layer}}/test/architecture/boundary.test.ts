import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { checkRepository, formatViolation } from "./check.ts";
import { LAW, PARTS, RAG } from "./layout.ts";

const ROOT = resolve(import.meta.dirname, "../..");

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "boundary-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test("nothing in the repository crosses the boundary", () => {
  expect(checkRepository(ROOT).map(formatViolation)).toEqual([]);
});

describe("it fails closed", () => {
  test("on an empty folder, with a breach for every part", () => {
    const found = checkRepository(emptyFolder());
    const missing = found.filter((each) => each.rule === "missing-parts");
    expect(missing).toHaveLength(Object.keys(PARTS).length);
  });

  test("on stages that are there and hold nothing", () => {
    const folder = emptyFolder();
    for (const part of Object.keys(PARTS)) mkdirSync(join(folder, RAG, part), { recursive: true });
    expect(checkRepository(folder).length).toBeGreaterThanOrEqual(Object.keys(PARTS).length);
  });

  test("on a folder that is not there", () => {
    expect(() => checkRepository(join(emptyFolder(), "nowhere"))).toThrow(/ENOENT/);
  });
});

test("the law names parts that there are", () => {
  for (const [part, forbidden] of Object.entries(LAW)) {
    expect(Object.keys(PARTS)).toEqual(expect.arrayContaining([part, ...forbidden]));
    expect(forbidden).not.toContain(part);
  }
});

test("`check` runs it", () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  expect(scripts.check.split(" && ")).toContain("npm run check:retrieval-seam");
});
