/** What a scan leaves out: hidden names, package folders, and what `.gitignore` files exclude. */

import { existsSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import ignore, { type Ignore } from "ignore";

import { trimBlanks } from "../code-points.ts";
import { readFile } from "./files.ts";

const PACKAGE_FOLDERS: readonly string[] = ["node_modules", "__pycache__", "site-packages", "venv"];
/** Files that mark their folder as a virtual environment or a cache. */
export const MARKS: readonly string[] = ["pyvenv.cfg", "CACHEDIR.TAG"];

const BRACKETS = /\[[!^]?\]?(?:\[:[a-z]+:\]|[^\]])*\]/g;
const NAMED_SET = /\[:([a-z]+):\]/g;
const SETS: ReadonlyMap<string, string> = new Map([
  ["alnum", "0-9A-Za-z"],
  ["alpha", "A-Za-z"],
  ["blank", " \t"],
  ["digit", "0-9"],
  ["lower", "a-z"],
  ["punct", "!-.:-@^-`{-~"],
  ["space", " \t-\r"],
  ["upper", "A-Z"],
  ["xdigit", "0-9A-Fa-f"],
]);
const OPTIONS = { ignorecase: false };

/** One line of a `.gitignore`. */
type Pattern = {
  readonly line: string;
  readonly excludes: boolean;
  /** Whether it names this very entry, whatever it says of the folders that hold it. */
  matches(path: string): boolean;
};

/** The patterns of one file, for paths below `folder`. */
type Level = {
  readonly folder: string;
  readonly origin: string;
  readonly patterns: readonly Pattern[];
};

/** The `.gitignore` files that apply in a folder, outermost first. */
export type Rules = {
  /** The same rules, for a folder inside this one. */
  enter(name: string): Rules;
  /**
   * Add the `.gitignore` of this folder, if it is among `names`.
   *
   * A repository inside another starts with no rules but its own, as in git.
   */
  read(folder: string, names: ReadonlySet<string>): Rules;
  /**
   * The line that excludes an entry of this folder, the last to match; or empty.
   *
   * Parents are not considered: nothing inside an excluded folder is ever asked about.
   */
  whyExcluded(name: string, isFolder: boolean): string;
};

const NO_RULES = buildRules("", []);

/** `here` is the folder's path below its repository: empty, or ending in `/`. */
function buildRules(here: string, levels: readonly Level[]): Rules {
  function add(path: string, name: string, to: readonly Level[], folder: string): Level[] {
    const patterns = readPatterns(path);
    const level = { folder, origin: `${folder}${name}`, patterns };
    return patterns.length > 0 ? [...to, level] : [...to];
  }
  return {
    enter: (name) => buildRules(`${here}${name}/`, levels),
    read: (folder, names) => {
      const isRepository = names.has(".git");
      const place = isRepository ? "" : here;
      const exclude = join(folder, ".git", "info", "exclude");
      const outer = isRepository ? add(exclude, "exclude", [], "") : levels;
      if (!names.has(".gitignore")) return buildRules(place, outer);
      return buildRules(place, add(join(folder, ".gitignore"), ".gitignore", outer, place));
    },
    whyExcluded: (name, isFolder) => {
      const path = `${here}${name}${isFolder ? "/" : ""}`;
      for (const { folder, origin, patterns } of [...levels].reverse()) {
        const below = path.slice(folder.length);
        const last = patterns.findLast((pattern) => pattern.matches(below));
        if (last) return last.excludes ? `${origin}: ${last.line}` : "";
      }
      return "";
    },
  };
}

/**
 * Rules of the repository that `root`, an absolute path, is a folder of.
 *
 * There are none where they exclude `root` itself: who asks for it means it.
 */
export function rulesAbove(root: string): Rules {
  const repository = repositoryOf(root);
  let rules = NO_RULES;
  let folder = repository;
  for (const name of relative(repository, root).split(sep).filter(Boolean)) {
    const names = [".gitignore", folder === repository ? ".git" : ""];
    rules = rules.read(folder, new Set(names));
    if (rules.whyExcluded(name, true)) return NO_RULES;
    rules = rules.enter(name);
    folder = join(folder, name);
  }
  return rules;
}

/** Why an entry is never indexed, whatever `.gitignore` says; or empty. */
export function whyLeftOut(name: string): string {
  if (name.startsWith(".")) return "hidden";
  return PACKAGE_FOLDERS.includes(name) ? `${name} is never indexed` : "";
}

function repositoryOf(root: string): string {
  for (let folder = root; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return folder;
    if (folder === dirname(folder)) return root;
  }
}

/** Patterns of a file as git reads it: through no link, and a missing one is none. */
function readPatterns(path: string): Pattern[] {
  let text: string;
  try {
    text = readFile(path).toString("utf8");
  } catch {
    return [];
  }
  const lines = text.replace(/^\ufeff/, "").split("\n");
  return lines.flatMap((line) => parse(line.replace(/\r$/, "")));
}

function parse(line: string): Pattern[] {
  const excludes = !line.startsWith("!");
  const positive = excludes ? line : line.slice(1);
  const rule = spellOut(positive);
  const own = ignore(OPTIONS).add(rule);
  if (isVoid(positive)) return [];
  const isAnchored = /\/./.test(rule);
  const matches = (path: string) => {
    if (!isAnchored) return own.ignores(nameOf(path));
    return own.ignores(path) && (!holderIgnored(own, path) || ignoresEntry(rule, path));
  };
  return [{ line: trimBlanks(line), excludes, matches }];
}

/** Whether git reads a line, its `!` taken off, as no pattern. */
function isVoid(line: string): boolean {
  return line.startsWith("#") || trimBlanks(line) === "" || line === "/";
}

/** The last part of a path, with the `/` of a folder. */
function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/", path.length - 2) + 1);
}

function holderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/", path.length - 2) + 1);
}

function holderIgnored(own: Ignore, path: string): boolean {
  const holder = holderOf(path);
  return holder !== "" && own.ignores(holder);
}

/** Ask about an entry alone, by taking the folders that hold it out of the pattern's reach. */
function ignoresEntry(rule: string, path: string): boolean {
  const own = ignore(OPTIONS).add(rule);
  for (let holder = holderOf(path); holder; holder = holderOf(holder)) {
    own.add(`!/${holder.replaceAll(/[\\*?[\]! ]/g, "\\$&")}`);
  }
  return own.ignores(path);
}

/** Write named sets of characters out, as the library has none. */
function spellOut(line: string): string {
  return line.replaceAll(BRACKETS, (bracket) =>
    bracket.replaceAll(NAMED_SET, (_, name: string) => SETS.get(name) ?? ""),
  );
}
