/** A file with code as a syntax tree, and breaches in it. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "oxc-parser";
import { RAG, TESTS } from "./layout.ts";
import { scriptsAlone } from "./scripts.ts";
import { isSyntax, type Syntax } from "./syntax.ts";

/** One breach: where it is, which rule it breaks, and what to do instead. */
export type Violation = {
  readonly path: string;
  readonly line: number;
  readonly rule: string;
  readonly advice: string;
};

export type Comment = { readonly value: string; readonly start: number };

/** A file with code. `part` is its part below `rag/`; null outside. */
export type Source = {
  readonly path: string;
  readonly part: string | null;
  readonly isTest: boolean;
  readonly text: string;
  readonly program: Syntax;
  readonly comments: readonly Comment[];
};

/** Sources by path and text, so that who checks often parses once. */
export type Parsed = Map<string, Source>;

export type Lang = "ts" | "tsx" | "dts" | "jsx";

const LANGUAGES: Readonly<Record<string, Lang>> = {
  ts: "ts",
  mts: "ts",
  cts: "ts",
  tsx: "tsx",
  js: "jsx",
  mjs: "jsx",
  cjs: "jsx",
  jsx: "jsx",
  vue: "tsx",
  svelte: "ts",
};

/** The language of a file by its name; null when it holds no code. */
export function langOf(path: string): Lang | null {
  if (/\.d\.[cm]?ts$/.test(path)) return "dts";
  return LANGUAGES[path.slice(path.lastIndexOf(".") + 1).toLowerCase()] ?? null;
}

/** The part that a path below `rag/` lies in, empty for `rag` itself; null outside. */
export function partOf(path: string): string | null {
  if (path === RAG) return "";
  if (!path.startsWith(`${RAG}/`)) return null;
  const [first = "", ...rest] = path.slice(RAG.length + 1).split("/");
  return rest.length > 0 ? first : first.replace(/(\.d)?\.[cm]?[jt]sx?$/, "");
}

/** A breach at the line of `place`, which is a node or an offset. */
export function breach(
  source: Source,
  place: { readonly start: number },
  rule: string,
  advice: string,
): Violation {
  const line = source.text.slice(0, place.start).split("\n").length;
  return { path: source.path, line, rule, advice };
}

/** The file at `path` below `base`, or the breach that it can't be parsed. */
export function parse(base: string, path: string, lang: Lang, parsed: Parsed): Source | Violation {
  const whole = readFileSync(join(base, path), "utf8").replace(/^\ufeff/, " ");
  const text = /\.(vue|svelte)$/i.test(path) ? scriptsAlone(whole) : whole;
  const key = `${path}\0${text}`;
  const source = parsed.get(key) ?? parseText(path, text, lang);
  if ("program" in source) parsed.set(key, source);
  return source;
}

/** JavaScript that is no module may still be CommonJS. */
function parseText(path: string, text: string, lang: Lang): Source | Violation {
  const first = /\.(cjs|cts)$/.test(path) ? "commonjs" : "module";
  let problem = "";
  for (const sourceType of lang === "jsx" ? ([first, "commonjs"] as const) : ([first] as const)) {
    const { program, errors, comments } = parseSync(path, text, {
      lang,
      sourceType,
      astType: "ts",
    });
    problem = errors.map((error) => error.message || "it is malformed")[0] ?? "";
    const tree: unknown = program;
    if (problem !== "" || !isSyntax(tree)) continue;
    const isTest = TESTS.some((folder) => path.startsWith(`${folder}/`));
    return { path, part: partOf(path), isTest, text, program: tree, comments };
  }
  const advice = `mend it, since nothing can be checked in it: ${problem || "no syntax tree"}`;
  return { path, line: 1, rule: "unreadable", advice };
}
