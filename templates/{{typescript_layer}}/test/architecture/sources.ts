/** Reads the repository's files, and refuses those below `rag/` that no check sees into. */

import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { BUILD_OUTPUT, PARTS, RAG } from "./layout.ts";
import { langOf, type Parsed, parse, partOf, type Source, type Violation } from "./parsing.ts";

export type Repository = {
  readonly root: string;
  readonly sources: readonly Source[];
  readonly violations: readonly Violation[];
};

const OPAQUE = ["astro", "civet", "coffee", "ls", "mdx", "node", "re", "res"];

/** Reads every file with code below `root`, and lists what is missing or may not be there. */
export function readRepository(root: string, parsed: Parsed = new Map()): Repository {
  const base = realpathSync(root);
  const violations: Violation[] = [];
  const sources: Source[] = [];
  const found = new Set<string>();
  for (const path of pathsBelow(base, "")) {
    const fault = misplaced(base, path);
    if (fault !== null) violations.push(fault);
    const part = partOf(path);
    if (part !== null) found.add(`${formOf(path)} ${part}`);
    const lang = langOf(path);
    if (lang === null || lstatSync(join(base, path)).isSymbolicLink()) continue;
    const source = parse(base, path, lang, parsed);
    if ("program" in source) sources.push(source);
    else violations.push(source);
  }
  return { root: base, sources, violations: [...missing(found), ...violations] };
}

function formOf(path: string): "file" | "folder" {
  return path.slice(RAG.length + 1).includes("/") ? "folder" : "file";
}

function* pathsBelow(base: string, folder: string): Generator<string> {
  const entries = readdirSync(join(base, folder), { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (!entry.isDirectory()) yield path;
    else if (path.startsWith(`${RAG}/`) || !isForeign(folder, entry.name)) {
      yield* pathsBelow(base, path);
    }
  }
}

/** Folders of tools and of other people's code; below `rag/` there are none. */
function isForeign(folder: string, name: string): boolean {
  if (name === "node_modules" || name.startsWith(".")) return true;
  return folder === "" && BUILD_OUTPUT.includes(name);
}

function misplaced(base: string, path: string): Violation | null {
  const at = (rule: string, advice: string) => ({ path, line: 1, rule, advice });
  const part = partOf(path);
  const isLink = lstatSync(join(base, path)).isSymbolicLink();
  if (isLink && (part !== null || (path.startsWith("src/") && langOf(path) !== null))) {
    return at("no-links", "replace the link by the file or folder itself");
  }
  if (part === null) return null;
  if (OPAQUE.includes(path.slice(path.lastIndexOf(".") + 1).toLowerCase())) {
    return at("no-hidden-code", "write it in TypeScript: no check sees into this kind of file");
  }
  const isData = langOf(path) === null && formOf(path) === "file";
  const isDeclared = Object.hasOwn(PARTS, part) && PARTS[part]?.form === formOf(path);
  if (isData || (isDeclared && (formOf(path) === "folder" || path === `${RAG}/${part}.ts`))) {
    return null;
  }
  return at("declared-parts", "move it into a stage, or declare it in test/architecture/layout.ts");
}

function* missing(found: ReadonlySet<string>): Generator<Violation> {
  for (const [name, part] of Object.entries(PARTS)) {
    if (found.has(`${part.form} ${name}`)) continue;
    const path = `${RAG}/${name}${part.form === "file" ? ".ts" : "/"}`;
    const advice = "restore it, or take it out of test/architecture/layout.ts";
    yield { path, line: 1, rule: "missing-parts", advice };
  }
}
