/** `RerankedPassages` are made by rerank/ alone; everywhere else the name is a type. */

import { RAG, REGISTER, SEAL, SEALERS, TOKEN } from "./layout.ts";
import { breach, partOf, type Source, type Violation } from "./parsing.ts";
import { nodesOf, referencesOf } from "./references.ts";
import type { Resolve } from "./resolution.ts";
import {
  child,
  childrenIn,
  dottedName,
  literalText,
  memberName,
  nameOf,
  type Syntax,
  unwrapped,
  walk,
} from "./syntax.ts";
import type { Mentions } from "./token-types.ts";

const RULE = "only-rerank-makes-passages";
const MAKE = `call rerank(), the only maker of ${TOKEN}, and pass on what it returns`;
const CONTRACTS = `${RAG}/contracts.ts`;
const CASTS = ["TSAsExpression", "TSTypeAssertion"];
const UNTYPED =
  /^(JSON\.parse|structuredClone|Object\.(assign|create|freeze|fromEntries)|Reflect\.\w+)$/;
const CONTAINERS = /^(Array|Map|Promise|Set|WeakMap|WeakRef|WeakSet)(\.\w+)?$/;

/** No type claims that a value is the token: no cast, predicate, type argument or ambient name. */
export function* checkClaims(source: Source, mentions: Mentions): Generator<Violation> {
  if (source.isTest) return;
  const sealing = sealingNodes(source);
  for (const node of nodesOf(source)) {
    if (sealing.has(node)) continue;
    const fault = claim(node, (inner) => mentions(source, inner));
    if (fault !== null) yield breach(source, node, RULE, `${fault}: ${MAKE}`);
  }
}

type Speaks = (node: Syntax | null) => boolean;

function claim(node: Syntax, speaks: Speaks): string | null {
  if (CASTS.includes(node.type)) {
    return speaks(child(node, "typeAnnotation")) ? `a cast to ${TOKEN}` : null;
  }
  switch (node.type) {
    case "TSTypePredicate":
      return speaks(child(node, "typeAnnotation")) ? `a function vouches for ${TOKEN}` : null;
    case "TSDeclareFunction":
      return speaks(child(node, "returnType")) ? `a signature promises ${TOKEN}` : null;
    case "TSInstantiationExpression":
    case "CallExpression":
    case "NewExpression":
      return claimByCall(node, speaks);
    case "VariableDeclarator":
      return claimByVariable(node, speaks);
    case "VariableDeclaration":
      return node["declare"] === true && speaks(node) ? `an ambient ${TOKEN}` : null;
    case "PropertyDefinition":
      return (node["definite"] === true || node["declare"] === true) &&
        speaks(child(node, "typeAnnotation"))
        ? `a property that is never made`
        : null;
    case "ArrowFunctionExpression":
    case "FunctionDeclaration":
    case "FunctionExpression":
      return speaks(child(node, "returnType")) && returns(node).some(isUntyped)
        ? `a value without a type is returned as ${TOKEN}`
        : null;
    default:
      return null;
  }
}

function claimByCall(node: Syntax, speaks: Speaks): string | null {
  const callee = child(node, node.type === "TSInstantiationExpression" ? "expression" : "callee");
  if (speaks(child(node, "typeArguments")) && !CONTAINERS.test(dottedName(callee) ?? "")) {
    return `${TOKEN} is given as a type argument, which can be a cast`;
  }
  if (nameOf(callee) !== "answer" && memberName(callee) !== "answer") return null;
  const forced = childrenIn(node, "arguments").some((given) => isCast(given) || isUntyped(given));
  return forced ? "an argument of answer() is forced into its type" : null;
}

function claimByVariable(node: Syntax, speaks: Speaks): string | null {
  const annotation = child(child(node, "id"), "typeAnnotation");
  if (!speaks(annotation)) return null;
  if (node["definite"] === true) return "a variable that is never made";
  const made = child(node, "init");
  return isUntyped(made) || isForced(made) ? `a value without a type becomes ${TOKEN}` : null;
}

function isCast(node: Syntax): boolean {
  const bare = unwrapped(node);
  if (bare === null || !CASTS.includes(bare.type)) return false;
  return nameOf(child(child(bare, "typeAnnotation"), "typeName")) !== "const";
}

/** Whether an expression is cast to `any` or `never`, which fit every type. */
function isForced(node: Syntax | null): boolean {
  const bare = unwrapped(node);
  if (bare === null || !CASTS.includes(bare.type)) return false;
  return /^TS(Any|Never)Keyword$/.test(child(bare, "typeAnnotation")?.type ?? "");
}

function isUntyped(node: Syntax | null): boolean {
  const bare = unwrapped(node);
  const value = bare?.type === "AwaitExpression" ? unwrapped(child(bare, "argument")) : bare;
  return value?.type === "CallExpression" && UNTYPED.test(dottedName(child(value, "callee")) ?? "");
}

function returns(node: Syntax): readonly (Syntax | null)[] {
  const body = child(node, "body");
  if (body?.type !== "BlockStatement") return [body];
  const statements = [...walk(body)].filter((inner) => inner.type === "ReturnStatement");
  return statements.map((statement) => child(statement, "argument"));
}

/** A file that handles the token keeps its types: no `any`, no `as never`, no silenced error. */
export function* checkHandlers(
  source: Source,
  mentions: Mentions,
  resolve: Resolve,
): Generator<Violation> {
  if (source.isTest || source.path === CONTRACTS) return;
  const feeds = referencesOf(source).some(({ specifier }) => {
    const target = resolve(source.path, specifier);
    return target.kind === "file" && partOf(target.path) === "generate";
  });
  if (!(feeds && source.part !== "generate") && !mentions(source, source.program)) return;
  const rule = "typed-passages";
  for (const node of nodesOf(source)) {
    if (node.type !== "TSAnyKeyword" && !isForced(node)) continue;
    const advice = `any and never fit every type, ${TOKEN} too: write the type that it is`;
    yield breach(source, node, rule, advice);
  }
  for (const comment of source.comments) {
    if (!/^[\s/*]*@ts-(ignore|expect-error|nocheck)\b/.test(comment.value)) continue;
    const advice = `an error is silenced where ${TOKEN} is handled: mend what it says`;
    yield breach(source, comment, rule, advice);
  }
}

/** Below `rag/`, no function casts to whatever its caller asks for. */
export function* checkGenericCasts(source: Source): Generator<Violation> {
  if (source.part === null) return;
  const parameters = new Set(
    nodesOf(source)
      .filter((node) => node.type === "TSTypeParameter")
      .map((node) => nameOf(child(node, "name"))),
  );
  for (const node of nodesOf(source).filter((each) => CASTS.includes(each.type))) {
    const target = nameOf(child(child(node, "typeAnnotation"), "typeName"));
    if (target === null || !parameters.has(target)) continue;
    const advice = `a cast to ${target} is a cast to ${TOKEN} for who asks: check the value instead`;
    yield breach(source, node, "no-generic-casts", advice);
  }
}

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

function sealingNodes(source: Source): ReadonlySet<Syntax> {
  const names = SEALERS[source.path.slice(RAG.length + 1)] ?? [];
  if (!source.path.startsWith(`${RAG}/`) || names.length === 0) return new Set();
  const inside = names.flatMap((name) => definitionsOf(source, name).slice(0, 1));
  const imports = childrenIn(source.program, "body").filter(
    (node) =>
      node.type === "ImportDeclaration" || (source.path === CONTRACTS && declares(node, REGISTER)),
  );
  return new Set([...inside, ...imports].flatMap((node) => [...walk(node)]));
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
