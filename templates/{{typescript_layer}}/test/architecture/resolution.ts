/** What a specifier means: a file of the repository, a package, a module of Node. */

import { existsSync, realpathSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { type NapiResolveOptions, ResolverFactory } from "oxc-resolver";

/**
 * `file` holds a path below the root, which need not exist: then `exists` is false and the path
 * is the one that was written.
 */
export type Target =
  | { readonly kind: "file"; readonly path: string; readonly exists: boolean }
  | { readonly kind: "library"; readonly name: string }
  | { readonly kind: "builtin"; readonly name: string };

export type Resolve = (from: string, specifier: string) => Target;

const EXTENSIONS = [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".json", ".vue"];

const OPTIONS: NapiResolveOptions = {
  extensions: EXTENSIONS,
  conditionNames: ["import", "require", "node", "types", "default"],
  mainFields: ["module", "main"],
  extensionAlias: {
    ".js": [".ts", ".tsx", ".js", ".jsx"],
    ".jsx": [".tsx", ".jsx"],
    ".mjs": [".mts", ".mjs"],
    ".cjs": [".cts", ".cjs"],
  },
};

/** Resolves as TypeScript and bundlers do: tsconfig's paths, package.json's imports, links. */
export function buildResolve(root: string): Resolve {
  const find = buildFind(root);
  const found = new Map<string, Target>();
  return (from, specifier) => {
    const key = `${dirname(from)}\0${specifier}`;
    const target = found.get(key) ?? resolveOne(find, root, from, specifier);
    found.set(key, target);
    return target;
  };
}

type Find = (file: string, request: string) => string | undefined;

/** The nearest tsconfig.json counts, then the root's: bundlers heed its paths in every file. */
function buildFind(root: string): Find {
  const nearest = new ResolverFactory({ ...OPTIONS, tsconfig: "auto" });
  const whole = ["tsconfig.json", "jsconfig.json"]
    .map((name) => join(root, name))
    .filter((configFile) => existsSync(configFile))
    .map((configFile) => new ResolverFactory({ ...OPTIONS, tsconfig: { configFile } }));
  return (file, request) => {
    const { path } = nearest.resolveFileSync(file, request);
    if (path !== undefined) return path;
    const others = whole.map((resolver) => resolver.sync(dirname(file), request).path);
    return others.find((each) => each !== undefined);
  };
}

function resolveOne(find: Find, root: string, from: string, specifier: string): Target {
  const bare = specifier.startsWith("#") ? specifier : specifier.replace(/[?#].*$/s, "");
  if (bare.startsWith("node:") || builtinModules.includes(bare)) {
    return { kind: "builtin", name: bare.replace(/^node:/, "").split("/")[0] ?? "" };
  }
  const asked = bare.startsWith("file:") ? fileURLToPath(bare) : bare;
  const written = writtenPath(root, from, asked);
  const request = written !== null && isAbsolute(asked) ? join(root, written) : asked;
  const path = find(join(root, from), request);
  const inside = path === undefined ? null : insideOf(root, path);
  if (inside !== null) return { kind: "file", path: inside, exists: true };
  if (written !== null) return { kind: "file", path: written, exists: false };
  return { kind: "library", name: packageName(asked) };
}

/** The path below the root that a relative or absolute specifier names; null for a package. */
function writtenPath(root: string, from: string, specifier: string): string | null {
  if (specifier === "." || specifier === ".." || /^\.{1,2}\//.test(specifier)) {
    return slashed(relative(root, resolve(root, dirname(from), specifier)));
  }
  if (!isAbsolute(specifier)) return null;
  const below = slashed(relative(root, specifier));
  return below.startsWith("../") ? specifier.replace(/^\/+/, "") : below;
}

/** The path below the root, links followed; null for what is installed or elsewhere. */
function insideOf(root: string, path: string): string | null {
  const real = existsSync(path) ? realpathSync(path) : path;
  const below = slashed(relative(root, real));
  if (below.startsWith("../") || isAbsolute(below)) return null;
  return below.split("/").includes("node_modules") && !below.startsWith("src/") ? null : below;
}

function packageName(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

function slashed(path: string): string {
  return path.split(sep).join("/");
}
