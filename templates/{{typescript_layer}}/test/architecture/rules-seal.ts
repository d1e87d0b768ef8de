/** The seal is called in its place: what makes `RerankedPassages` is handed on nowhere. */

import { RAG, REGISTER, SEAL, SEALERS, TOKEN } from "./layout.ts";
import { breach, type Source, type Violation } from "./parsing.ts";
import { nodesOf, referencesOf } from "./references.ts";
import type { Resolve } from "./resolution.ts";
import { child, childrenIn, literalText, memberName, nameOf, type Syntax, walk } from "./syntax.ts";

export const RULE = "only-rerank-makes-passages";
export const MAKE = `call rerank(), the only maker of ${TOKEN}, and pass on what it returns`;
const CONTRACTS = `${RAG}/contracts.ts`;

/** The seal is called where layout.ts says, and handed on nowhere. */
export function* checkSeal(source: Source, resolve: Resolve): Generator<Violation> {
  if (source.isTest) return;
  const sealing = sealingNodes(source);
  const secret = source.path === CONTRACTS ? [SEAL, REGISTER] : [SEAL];
  for (const node of nodesOf(source)) {
    const name = sealNamed(node);
    if (name === null || !secret.includes(name) || sealing.has(node)) continue;
    yield breach(source, node, RULE, `${name} is named outside of its place: ${MAKE}`);
  }
  for (const { node, specifier, names } of referencesOf(source)) {
    const target = resolve(source.path, specifier);
    if (target.kind !== "file" || target.path !== CONTRACTS) continue;
    if (takesAll(node, names) && node["importKind"] !== "type" && node["exportKind"] !== "type") {
      const advice = `contracts.ts is taken whole, ${SEAL} with it: name what you need of it`;
      yield breach(source, node, "no-module-objects", advice);
    }
  }
}

function takesAll(node: Syntax, names: ReadonlyMap<string, string>): boolean {
  if (/^(ExportAllDeclaration|ImportExpression|CallExpression)$/.test(node.type)) return true;
  return [...names.values()].includes("*");
}

function sealNamed(node: Syntax): string | null {
  if (node.type === "Identifier") return nameOf(node);
  if (node.type === "MemberExpression" && node["computed"] === true) return memberName(node);
  if (/^(Import|Export)Specifier$/.test(node.type)) {
    return literalText(child(node, "imported") ?? child(node, "local"));
  }
  return null;
}

/** What layout.ts lets seal, once each: the definitions, their names and imports. */
export function* checkSealers(sources: readonly Source[]): Generator<Violation> {
  for (const [module, definitions] of Object.entries(SEALERS)) {
    const path = `${RAG}/${module}`;
    const source = sources.find((each) => each.path === path);
    for (const name of definitions) {
      const count = source ? definitionsOf(source, name).length : 0;
      if (count === 1) continue;
      const advice = `${count} definitions of ${name}: keep one, or correct SEALERS in layout.ts`;
      yield { path, line: 1, rule: "one-sealer", advice };
    }
  }
}

export function sealingNodes(source: Source): ReadonlySet<Syntax> {
  const names = SEALERS[source.path.slice(RAG.length + 1)] ?? [];
  if (!source.path.startsWith(`${RAG}/`) || names.length === 0) return new Set();
  const inside = names.flatMap((name) => definitionsOf(source, name).slice(0, 1));
  const imports = childrenIn(source.program, "body").filter(
    (node) =>
      node.type === "ImportDeclaration" || (source.path === CONTRACTS && declares(node, REGISTER)),
  );
  return new Set([...inside, ...imports].flatMap(walk));
}

/** Statements at the top of a file that define a function or a variable of a name. */
function definitionsOf(source: Source, name: string): readonly Syntax[] {
  return childrenIn(source.program, "body").filter((node) =>
    declares(node.type === "ExportNamedDeclaration" ? child(node, "declaration") : node, name),
  );
}

function declares(node: Syntax | null, name: string): boolean {
  if (node?.type === "FunctionDeclaration") return nameOf(child(node, "id")) === name;
  return childrenIn(node, "declarations").some((each) => nameOf(child(each, "id")) === name);
}
