/** No type claims that something is `RerankedPassages`: outside its makers the name is a type. */

import { TOKEN } from "./layout.ts";
import { breach, type Source, type Violation } from "./parsing.ts";
import { nodesOf } from "./references.ts";
import { MAKE, RULE, sealingNodes } from "./rules-seal.ts";
import { isForced } from "./rules-types.ts";
import {
  CASTS,
  child,
  childrenIn,
  dottedName,
  memberName,
  nameOf,
  type Syntax,
  unwrapped,
  walk,
} from "./syntax.ts";
import type { Mentions } from "./token-types.ts";

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

function isUntyped(node: Syntax | null): boolean {
  const bare = unwrapped(node);
  const value = bare?.type === "AwaitExpression" ? unwrapped(child(bare, "argument")) : bare;
  return value?.type === "CallExpression" && UNTYPED.test(dottedName(child(value, "callee")) ?? "");
}

function returns(node: Syntax): readonly (Syntax | null)[] {
  const body = child(node, "body");
  if (body?.type !== "BlockStatement") return [body];
  const statements = walk(body).filter((inner) => inner.type === "ReturnStatement");
  return statements.map((statement) => child(statement, "argument"));
}
