/** Every place where a file names another module, and what it takes from there. */

import type { Source } from "./parsing.ts";
import { child, childrenIn, dottedName, literalText, nameOf, type Syntax, walk } from "./syntax.ts";

/** `names` maps local names to what is imported under them; `*` stands for the whole module. */
export type Reference = {
  readonly node: Syntax;
  readonly specifier: string;
  readonly names: ReadonlyMap<string, string>;
  readonly isExport: boolean;
};

const nodes = new WeakMap<Source, readonly Syntax[]>();
const references = new WeakMap<Source, readonly Reference[]>();

/** Every node of a source. */
export function nodesOf(source: Source): readonly Syntax[] {
  const known = nodes.get(source) ?? walk(source.program);
  nodes.set(source, known);
  return known;
}

/** Every literal specifier: imports of all kinds, types, `require`, workers, URLs of code. */
export function referencesOf(source: Source): readonly Reference[] {
  const known = references.get(source) ?? [
    ...headReferences(source),
    ...nodesOf(source).flatMap((node) => referenceIn(node) ?? []),
  ];
  references.set(source, known);
  return known;
}

function referenceIn(node: Syntax): Reference | null {
  const specifier = literalText(specifierOf(node));
  if (specifier === null) return null;
  const isExport = node.type.startsWith("Export");
  return { node, specifier, names: namesIn(node), isExport };
}

/** The expression that names a module, literal or not; null when the node loads none. */
export function specifierOf(node: Syntax): Syntax | null {
  switch (node.type) {
    case "ImportDeclaration":
    case "ExportNamedDeclaration":
    case "ExportAllDeclaration":
    case "ImportExpression":
    case "TSImportType":
      return child(node, "source");
    case "TSExternalModuleReference":
      return child(node, "expression");
    case "TSModuleDeclaration":
      return child(node, "id")?.type === "Literal" ? child(node, "id") : null;
    case "CallExpression":
    case "NewExpression":
      return calledSpecifier(node);
    default:
      return null;
  }
}

/** `require(x)`, `require.resolve(x)`, `import.meta.resolve(x)`, `new URL(x, import.meta.url)`. */
function calledSpecifier(node: Syntax): Syntax | null {
  const callee = dottedName(child(node, "callee"));
  const [first = null, second = null] = childrenIn(node, "arguments");
  if (callee === "URL") return dottedName(second)?.startsWith("import.meta") ? first : null;
  return callee !== null && LOADS.test(callee) ? first : null;
}

const LOADS = /(^|\.)require(\.resolve)?$|^import\.meta\.(resolve|glob)$|^(Shared)?Worker$/;

function namesIn(node: Syntax): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const specifier of childrenIn(node, "specifiers")) {
    const local = nameOf(child(specifier, "local"));
    const imported = child(specifier, "imported");
    const name = imported ? (nameOf(imported) ?? literalText(imported)) : null;
    if (local === null) continue;
    if (specifier.type === "ExportSpecifier") {
      const exported = child(specifier, "exported");
      names.set(nameOf(exported) ?? literalText(exported) ?? local, local);
    } else if (specifier.type === "ImportDefaultSpecifier") names.set(local, "default");
    else names.set(local, name ?? "*");
  }
  return names;
}

/** `/// <reference path="..." />` before the first statement loads a file for its types. */
function* headReferences(source: Source): Generator<Reference> {
  const first = childrenIn(source.program, "body")[0]?.start ?? source.text.length;
  for (const { value, start } of source.comments) {
    const path = /^\/\s*<reference\s+path\s*=\s*["']([^"']+)["']/.exec(value)?.[1];
    if (path === undefined || start > first) continue;
    const node = { type: "Comment", start, end: start };
    const specifier = path.startsWith(".") ? path : `./${path}`;
    yield { node, specifier, names: new Map(), isExport: false };
  }
}
