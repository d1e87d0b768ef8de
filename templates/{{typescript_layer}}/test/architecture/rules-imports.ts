/** Who may import whom: each import by the table, and all that follows from it by the law. */

import { builtinModules } from "node:module";
import { CLIENTS, COMMON, FED_BY, GUARDED, LAW, PARTS, RAG } from "./layout.ts";
import { breach, partOf, type Source, type Violation } from "./parsing.ts";
import { type Reference, referencesOf } from "./references.ts";
import type { Resolve, Target } from "./resolution.ts";

export const ARGUMENT = "take what it makes as an argument; a composition root passes it in";
const DATA = new RegExp(`^${RAG}/[^/]+\\.json$`);
const LAYOUT = "test/architecture/layout.ts";

/** No part imports another that the table does not allow it, or a module that is not there. */
export function* checkParts(source: Source, resolve: Resolve): Generator<Violation> {
  for (const reference of referencesOf(source)) {
    const target = resolve(source.path, reference.specifier);
    if (target.kind !== "file") continue;
    const advice = source.part === null ? outside(source, target) : inside(source.part, target);
    if (advice === null) continue;
    const what = `${source.path} imports ${target.path}`;
    yield breach(source, reference.node, "allowed-parts", `${what}${advice}`);
  }
}

function outside(source: Source, target: Target & { kind: "file" }): string | null {
  const feeder = FED_BY[partOf(target.path) ?? ""];
  if (feeder === undefined || source.isTest) return null;
  return `, which only rag/${feeder}.ts feeds: call that instead`;
}

function inside(part: string, target: Target & { kind: "file" }): string | null {
  const theirs = partOf(target.path);
  if (theirs === null) return `, outside ${RAG}: declare a part for it, or ${ARGUMENT}`;
  if (theirs === "") return ", from where every stage is in reach: name the module itself";
  if (DATA.test(target.path) && target.exists) return null;
  if (theirs !== part && !PARTS[part]?.parts.includes(theirs)) {
    return `, which ${LAYOUT} does not allow ${part}: ${ARGUMENT}`;
  }
  return target.exists ? null : ", which is not there: name a module that is";
}

/** Packages are imported where the table declares them; clients of stores, nowhere else. */
export function* checkLibraries(source: Source, resolve: Resolve): Generator<Violation> {
  if (source.isTest) return;
  for (const reference of referencesOf(source)) {
    const target = resolve(source.path, reference.specifier);
    if (target.kind === "file" || !isRefused(source, target)) continue;
    const where = source.part === null ? `code outside ${RAG}` : `part ${source.part}`;
    const advice = `${target.name} in ${where}: ${ARGUMENT}, or declare it in ${LAYOUT}`;
    yield breach(source, reference.node, "declared-libraries", advice);
  }
}

function isRefused(source: Source, { kind, name }: Target & { kind: "library" | "builtin" }) {
  if (source.part === null) return CLIENTS.includes(name);
  if (PARTS[source.part]?.libraries.includes(name)) return false;
  if (kind === "library") return !COMMON.includes(name);
  return GUARDED.includes(name) || !builtinModules.includes(name);
}

type Edge = { readonly source: Source; readonly reference: Reference; readonly target: string };

/** Nothing that generation or evaluation imports leads to what they may not know. */
export function* checkLaw(sources: readonly Source[], resolve: Resolve): Generator<Violation> {
  const edges = new Map(sources.map((source) => [source.path, [...edgesOf(source, resolve)]]));
  for (const [part, forbidden] of Object.entries(LAW)) {
    for (const start of sources.filter((source) => source.part === part)) {
      const chain = chainFrom(start.path, edges, forbidden);
      const [first] = chain;
      if (first === undefined) continue;
      const path = [start.path, ...chain.map((edge) => edge.target)].join(" -> ");
      const advice = `${path}: cut this chain; ${ARGUMENT}`;
      yield breach(start, first.reference.node, `${part}-law`, advice);
    }
  }
}

function* edgesOf(source: Source, resolve: Resolve): Generator<Edge> {
  for (const reference of referencesOf(source)) {
    const target = resolve(source.path, reference.specifier);
    if (target.kind === "file") yield { source, reference, target: target.path };
  }
}

/** The shortest chain of imports to a forbidden part; empty when there is none. */
function chainFrom(
  start: string,
  edges: ReadonlyMap<string, readonly Edge[]>,
  forbidden: readonly string[],
): readonly Edge[] {
  const chains = new Map<string, readonly Edge[]>([[start, []]]);
  for (const [path, chain] of chains) {
    for (const edge of edges.get(path) ?? []) {
      if (chains.has(edge.target)) continue;
      const longer = [...chain, edge];
      if (forbidden.includes(partOf(edge.target) ?? "")) return longer;
      chains.set(edge.target, longer);
    }
  }
  return [];
}
