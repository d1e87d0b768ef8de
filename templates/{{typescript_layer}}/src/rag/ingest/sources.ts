/** Folder -> sources, in the order of their ids. */

import { isUtf8 } from "node:buffer";
import { type Dirent, lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, join, relative, resolve, sep } from "node:path";

import { compareCodePoints } from "../code-points.ts";
import type { DocumentId } from "../contracts.ts";
import { IngestError } from "../errors.ts";
import { hashFile, TooLargeError, whyUnreadable } from "./files.ts";
import { MARKS, type Rules, rulesAbove, whyLeftOut } from "./ignoring.ts";
import { type Skipped, type Source, skip } from "./records.ts";

/** One pass over a tree, which opens no file but ignore rules. */
type Walk = {
  readonly root: string;
  readonly files: Map<string, string>;
  readonly folders: Set<string>;
  readonly links: Map<string, string>;
  readonly skipped: Skipped[];
};

/** A folder to walk, its path below the root, empty or ending in `/`, and what applies in it. */
type Folder = { readonly path: string; readonly prefix: string; readonly rules: Rules };

type Entry = { readonly name: string; readonly isUtf8: boolean; readonly kind: Dirent<Buffer> };

/**
 * Find the files below `root`, or `root` itself if it is a file, sorted by id.
 *
 * An id is the path below the root with `/`. Every entry that is not indexed is skipped with its
 * reason, and a folder left out counts once. No link is walked through: what it leads to inside
 * the root is found under its own name, so that no file comes twice and no cycle is entered.
 * Files are hashed one by one, as the iterator reaches them.
 *
 * @throws IngestError `root` is missing or can't be read.
 */
export function scanSources(root: string, maxFileBytes: number): Generator<Source | Skipped> {
  try {
    const real = realpathSync(root);
    const walk: Walk = {
      root: real,
      files: new Map(),
      folders: new Set(),
      links: new Map(),
      skipped: [],
    };
    if (statSync(real).isDirectory()) walkTree(walk);
    else takeRoot(walk, basename(resolve(root)));
    return inOrder(walk, maxFileBytes);
  } catch (cause) {
    const reason = whyUnreadable(cause);
    if (reason === undefined) throw cause;
    const fix = "Give a folder or a file to index.";
    throw new IngestError(`${root} can't be read: ${reason}`, { fix, cause });
  }
}

function walkTree(walk: Walk): void {
  const pending: Folder[] = [{ path: walk.root, prefix: "", rules: rulesAbove(walk.root) }];
  for (let folder = pending.pop(); folder; folder = pending.pop()) {
    pending.push(...walkFolder(walk, folder));
  }
  for (const [id, path] of walk.links) resolveLink(walk, id, path);
}

/** Note the entries of a folder, and return those that are folders to walk. */
function walkFolder(walk: Walk, { path, prefix, rules }: Folder): Folder[] {
  const entries = list(walk, path, prefix);
  if (!entries) return [];
  const names = new Set(entries.map(({ name }) => name));
  if (prefix && MARKS.some((mark) => names.has(mark))) {
    walk.skipped.push(skip(prefix, "ignored", "a virtual environment or a cache"));
    return [];
  }
  walk.folders.add(prefix.replace(/\/$/, ""));
  const own = rules.read(path, names);
  return entries
    .filter((entry) => visit(walk, entry, path, prefix, own))
    .map(({ name }) => ({
      path: join(path, name),
      prefix: `${prefix}${name}/`,
      rules: own.enter(name),
    }));
}

/** A folder's entries; undefined where it can't be listed, which is thrown of the root. */
function list(walk: Walk, path: string, prefix: string): Entry[] | undefined {
  try {
    const listing = readdirSync(path, { withFileTypes: true, encoding: "buffer" });
    return listing.map((kind) => ({ ...readName(kind.name), kind }));
  } catch (error) {
    const reason = whyUnreadable(error);
    if (!prefix || reason === undefined) throw error;
    walk.skipped.push(skip(prefix, "unreadable", reason));
    return undefined;
  }
}

/** Note an entry, and tell whether it is a folder to walk. */
function visit(walk: Walk, entry: Entry, folder: string, prefix: string, rules: Rules): boolean {
  const { name, kind } = entry;
  const isFolder = kind.isDirectory();
  const id = `${prefix}${name}${isFolder ? "/" : ""}`;
  const why = whyLeftOut(name) || rules.whyExcluded(name, isFolder);
  if (why) walk.skipped.push(skip(id, "ignored", why));
  else if (!entry.isUtf8) walk.skipped.push(skip(id, "bad_name", "the name is not UTF-8"));
  else if (kind.isSymbolicLink()) walk.links.set(id, join(folder, name));
  else if (kind.isFile()) walk.files.set(id, join(folder, name));
  else if (!isFolder) walk.skipped.push(skip(id, "not_a_file", "a pipe, socket or device"));
  return isFolder && entry.isUtf8 && !why;
}

/** Take the root itself, which is no folder. */
function takeRoot(walk: Walk, name: string): void {
  if (statSync(walk.root).isFile()) walk.files.set(name, walk.root);
  else walk.skipped.push(skip(name, "not_a_file", "a pipe, socket or device"));
}

function resolveLink(walk: Walk, id: string, path: string): void {
  const target = targetOf(path);
  if (target === undefined) {
    walk.skipped.push(skip(id, "broken_link", "it leads to nothing, or to itself"));
    return;
  }
  const parts = relative(walk.root, target).split(sep);
  const place = parts.join("/");
  if (parts[0] === ".." || resolve(walk.root, place) !== target) {
    walk.skipped.push(skip(id, "outside_root", "it leads out of the source folder"));
  } else if (walk.files.has(place) || walk.folders.has(place)) {
    walk.skipped.push(skip(id, "duplicate", `it leads to ${place || "the source folder"}`));
  } else {
    walk.skipped.push(skip(id, "ignored", `it leads to ${place}, which is left out`));
  }
}

function targetOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function* inOrder(walk: Walk, maxFileBytes: number): Generator<Source | Skipped> {
  const found = new Map<string, string | Skipped>(walk.files);
  for (const skipped of walk.skipped) found.set(skipped.source, skipped);
  for (const id of [...found.keys()].sort(compareCodePoints)) {
    const item = found.get(id);
    if (item === undefined) continue;
    yield typeof item === "string" ? toSource(id, item, maxFileBytes) : item;
  }
}

function toSource(id: string, path: string, maxFileBytes: number): Source | Skipped {
  try {
    const { size } = lstatSync(path);
    if (size > maxFileBytes) throw new TooLargeError(size);
    return { kind: "source", id: id as DocumentId, path, digest: hashFile(path, maxFileBytes) };
  } catch (error) {
    if (error instanceof TooLargeError) {
      const [size, limit] = [error.size, maxFileBytes].map((bytes) => bytes.toLocaleString("en"));
      return skip(id, "too_large", `${size} bytes, and the limit is ${limit}`);
    }
    const reason = whyUnreadable(error);
    if (reason === undefined) throw error;
    return skip(id, "unreadable", reason);
  }
}

/** A name as it can be printed and stored: a byte that is not UTF-8 as its escape. */
function readName(bytes: Buffer): { readonly name: string; readonly isUtf8: boolean } {
  if (isUtf8(bytes)) return { name: bytes.toString("utf8"), isUtf8: true };
  return { name: escaped(bytes), isUtf8: false };
}

function escaped(bytes: Buffer): string {
  let shown = "";
  for (let at = 0; at < bytes.length; ) {
    const width = [1, 2, 3, 4].find((count) => isUtf8(bytes.subarray(at, at + count)));
    const byte = bytes[at] ?? 0;
    shown += width
      ? bytes.toString("utf8", at, at + width)
      : `\\x${byte.toString(16).padStart(2, "0")}`;
    at += width ?? 1;
  }
  return shown;
}
