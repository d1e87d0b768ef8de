/** The pages tell of the settings, commands and files that there are. */

import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { DEFAULTS, SETTING_NAMES, wordedName } from "../../src/rag/config.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

describe("docs/architecture.md", () => {
  const page = read("docs/architecture.md");
  const rows = [...page.matchAll(/^\| `(\w+)` \| (.+?) \| \S.* \|$/gm)];

  test("holds the settings that there are, in their order", () => {
    expect(rows.map((row) => row[1])).toEqual(SETTING_NAMES.map(wordedName));
  });

  test.each(SETTING_NAMES)("shows the default of %s", (name) => {
    const row = rows.find((each) => each[1] === wordedName(name));
    const initial = DEFAULTS[name];
    if (typeof initial === "number") expect(Number(row?.[2]?.replaceAll("`", ""))).toBe(initial);
    else expect(row?.[2]).toBe(initial === "" ? "empty" : `\`${initial}\``);
  });

  test("names files that there are", () => {
    const block = page.split("## Layout")[1]?.split("```")[1] ?? "";
    const roots: Readonly<Record<number, string>> = { 0: ".", 2: "src", 4: "src/rag" };
    const named = [...block.matchAll(/^( *)(\S.*)$/gm)].flatMap(([, indent = "", line = ""]) =>
      [...line.matchAll(/(?:^|(?<= {2}))[\w./-]+(?:\.ts|\/)(?= |$)/g)].map(([path]) =>
        join(ROOT, roots[indent.length] ?? "nowhere", path),
      ),
    );
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((path) => !existsSync(path))).toEqual([]);
  });
});

describe.each(["AGENTS.md", "README.md", "docs/architecture.md"])("%s", (name) => {
  const page = read(name);

  test("names scripts of package.json", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    const named = [...page.matchAll(/npm run (?:-s )?([\w:-]+)/g)].map(([, script]) => script);
    expect(named).not.toEqual([]);
    expect(named.filter((script) => !Object.hasOwn(scripts, script ?? ""))).toEqual([]);
  });

  test("links to files that there are", () => {
    const links = [...page.matchAll(/\]\(([^)#:]+)\)/g)].map(([, path]) => path ?? "");
    const missing = links.filter((path) => !existsSync(join(ROOT, dirname(name), path)));
    expect(missing).toEqual([]);
  });
});

test("AGENTS.md is short enough to be read", () => {
  expect(read("AGENTS.md").split("\n").length).toBeLessThan(90);
});
