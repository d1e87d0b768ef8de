/** Modules are loaded by plain imports alone, and the environment is read in one place. */

import { COMMAND_LINE, READS_ENVIRONMENT } from "./layout.ts";
import { breach, type Source, type Violation } from "./parsing.ts";
import { nodesOf, specifierOf } from "./references.ts";
import {
  child,
  childrenIn,
  dottedName,
  literalText,
  memberName,
  nameOf,
  type Syntax,
} from "./syntax.ts";

const PLAIN = "write a plain import, or import() of a name in quotes where it must be lazy";
const SETTING = "take the value as an argument; config.ts alone reads the environment";
const META = ["dirname", "filename", "main", "url"];
const LOADERS =
  /(^|\.)(require|createRequire)(\.|$)|^process\.(getBuiltinModule|binding|_linkedBinding|dlopen|mainModule)\b/;
const GLOBALS = ["globalThis", "global", "window", "self"];
const CODE_FROM_TEXT = ["eval", "Function", "Worker", "SharedWorker"];
/** What stays what it is when a file declares it, as `declare const require`. */
const RESERVED = ["eval", "globalThis", "require", "createRequire"];
const ENVIRONMENT = /^(process|Bun|Deno|import\.meta)\.(env|loadEnvFile)$/;

/** Below `rag/`, no module is loaded by a name that is put together, or by a hook. */
export function* checkLoading(source: Source): Generator<Violation> {
  if (source.part === null) return;
  for (const node of nodesOf(source)) {
    const fault = loads(node);
    if (fault !== null) yield breach(source, node, "plain-imports", `${fault}: ${PLAIN}`);
  }
}

function loads(node: Syntax): string | null {
  if (node.type === "ImportExpression" && literalText(child(node, "source")) === null) {
    return "import() of a name that is not in quotes";
  }
  if (node.type === "TSImportEqualsDeclaration") {
    return child(node, "moduleReference")?.type === "TSExternalModuleReference"
      ? "import = require()"
      : null;
  }
  if (node.type === "CallExpression" || node.type === "NewExpression") return loadsByCall(node);
  return null;
}

function loadsByCall(node: Syntax): string | null {
  const callee = child(node, "callee");
  const name = dottedName(callee);
  if (name !== null && LOADERS.test(name)) return name;
  if (memberName(callee) === "constructor") return "a constructor taken from an object";
  const meta = name?.startsWith("import.meta.") ? (name.split(".")[2] ?? "") : null;
  if (meta !== null && !META.includes(meta)) return name;
  return specifierOf(node) !== null && name !== "URL" ? name : null;
}

/** Below `rag/`, no text is run as code, and nothing is passed on through global objects. */
export function* checkGlobals(source: Source): Generator<Violation> {
  if (source.part === null) return;
  const inner = innerNames(source);
  const local = declaredNames(source);
  for (const node of nodesOf(source)) {
    const name = node.type === "Identifier" && !inner.has(node) ? nameOf(node) : null;
    if (name === null || (local.has(name) && !RESERVED.includes(name))) continue;
    if (CODE_FROM_TEXT.includes(name)) {
      yield breach(source, node, "no-code-from-text", `${name}: ${PLAIN}`);
    } else if (GLOBALS.includes(name)) {
      const advice = `${name} can hold what no import names: write the global's own name, or an import`;
      yield breach(source, node, "no-global-objects", advice);
    } else if (name === "require" || name === "createRequire") {
      yield breach(source, node, "plain-imports", `${name}: ${PLAIN}`);
    }
  }
}

/** Only config reads environment variables. */
export function* checkEnvironment(source: Source): Generator<Violation> {
  const isHeld = source.part !== null || COMMAND_LINE.test(source.path);
  if (!isHeld || source.part === READS_ENVIRONMENT) return;
  const members = nodesOf(source).filter((node) => memberName(node) !== null);
  const named = new Set(members.map((node) => child(node, "object")));
  const inner = innerNames(source);
  for (const node of nodesOf(source)) {
    const name = node.type === "MemberExpression" ? (dottedName(node) ?? "") : "";
    const isProcess = node.type === "Identifier" && nameOf(node) === "process" && !inner.has(node);
    if (ENVIRONMENT.test(name)) {
      yield breach(source, node, "one-reader-of-the-environment", `${name}: ${SETTING}`);
    } else if ((isProcess || node.type === "MetaProperty") && !named.has(node)) {
      const advice = `${isProcess ? "process" : "import.meta"} as a value holds the environment`;
      yield breach(source, node, "one-reader-of-the-environment", `${advice}: ${SETTING}`);
    }
  }
}

/** Code does not change what the objects of the language do. */
export function* checkPatching(source: Source): Generator<Violation> {
  if (source.isTest) return;
  for (const node of nodesOf(source)) {
    const changed = node.type === "AssignmentExpression" ? child(node, "left") : defined(node);
    const name = dottedName(changed) ?? "";
    if (!/^(globalThis\.)?[A-Z]\w*\.prototype(\.|$)/.test(name)) continue;
    const advice = `${name} is replaced for all modules: write a function of your own`;
    yield breach(source, node, "no-patching", advice);
  }
}

function defined(node: Syntax): Syntax | null {
  if (node.type !== "CallExpression") return null;
  const callee = dottedName(child(node, "callee")) ?? "";
  const isDefining = /^(Object\.(assign|defineProperty|defineProperties)|Reflect\.set)$/;
  return isDefining.test(callee) ? (childrenIn(node, "arguments")[0] ?? null) : null;
}

const TYPE_NAMES = ["key", "typeName", "label", "qualifier", "exprName", "left", "right"];

/** Identifiers that name a property, a key, a type or an imported name, and no variable. */
function innerNames(source: Source): ReadonlySet<Syntax | null> {
  const inner = new Set<Syntax | null>();
  for (const node of nodesOf(source)) {
    if (node["computed"] === true) continue;
    if (node.type === "MemberExpression") inner.add(child(node, "property"));
    if (/^(Property|PropertyDefinition|MethodDefinition)$/.test(node.type)) {
      if (node["shorthand"] !== true) inner.add(child(node, "key"));
    }
    if (node.type.startsWith("TS")) {
      for (const field of TYPE_NAMES) inner.add(child(node, field));
    }
    if (/^(Import|Export)\w*Specifier$/.test(node.type)) {
      for (const field of ["imported", "exported", "local"]) inner.add(child(node, field));
    }
  }
  return inner;
}

/** Names that the file itself gives to a variable, a parameter or a function. */
function declaredNames(source: Source): ReadonlySet<string> {
  const names = new Set<string>();
  for (const node of nodesOf(source)) {
    const isFunction = /Function|TSMethodSignature|TSCallSignature/.test(node.type);
    const given = isFunction ? childrenIn(node, "params") : [child(node, "id")];
    if (!isFunction && !/^(VariableDeclarator|ClassDeclaration)$/.test(node.type)) continue;
    for (const place of [...given, isFunction ? child(node, "id") : null]) {
      const name = nameOf(place);
      if (name !== null) names.add(name);
    }
  }
  return names;
}
