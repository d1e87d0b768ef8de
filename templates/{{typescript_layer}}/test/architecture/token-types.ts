/** Which names of a file stand for `RerankedPassages`, or hold it, through aliases and files. */

import { RAG, TOKEN } from "./layout.ts";
import type { Source } from "./parsing.ts";
import { nodesOf, type Reference, referencesOf } from "./references.ts";
import type { Resolve } from "./resolution.ts";
import { child, childrenIn, literalText, nameOf, type Syntax, walk } from "./syntax.ts";

const CONTRACTS = `${RAG}/contracts.ts`;
const HOLDERS = [TOKEN, "answer", "rerank", "sealPassages", "requireReranked"];

/** Says whether a piece of syntax speaks of the token: by name, alias, import or `typeof`. */
export type Mentions = (source: Source, node: Syntax | null) => boolean;

export function buildMentions(sources: readonly Source[], resolve: Resolve): Mentions {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const known = new Map<string, boolean>();

  function mentions(source: Source, node: Syntax | null): boolean {
    if (node === null) return false;
    for (const inner of walk(node)) if (names(source, inner)) return true;
    return false;
  }

  function names(source: Source, node: Syntax): boolean {
    switch (node.type) {
      case "TSTypeReference":
        return isToken(source, child(node, "typeName"));
      case "TSTypeQuery":
        return isToken(source, child(node, "exprName"));
      case "TSInterfaceHeritage":
      case "TSClassImplements":
        return isToken(source, child(node, "expression"));
      case "CallExpression":
        return isToken(source, child(node, "callee"));
      case "TSImportType": {
        const target = resolve(source.path, literalText(child(node, "source")) ?? "");
        const name = nameOf(child(node, "qualifier"));
        return target.kind === "file" && exportsToken(target.path, name ?? "*");
      }
      default:
        return false;
    }
  }

  function isToken(source: Source, node: Syntax | null): boolean {
    if (node?.type === "TSImportType") return names(source, node);
    const name = nameOf(node);
    if (name !== null) return once(`${source.path}#${name}`, () => holds(source, name));
    const [object, property] = qualified(node);
    const reference = object === null ? undefined : importOf(source, object);
    if (reference === undefined || property === null) return property === TOKEN;
    const target = resolve(source.path, reference.specifier);
    return target.kind === "file" && exportsToken(target.path, property);
  }

  function holds(source: Source, name: string): boolean {
    if (source.path === CONTRACTS && name === TOKEN) return true;
    const reference = importOf(source, name);
    if (reference !== undefined) {
      const target = resolve(source.path, reference.specifier);
      if (target.kind !== "file") return false;
      return exportsToken(target.path, reference.names.get(name) ?? name);
    }
    const declared = declarationsOf(source, name);
    if (declared.length === 0) return HOLDERS.includes(name);
    return declared.some((node) => mentions(source, node));
  }

  function exportsToken(path: string, name: string): boolean {
    const source = byPath.get(path);
    if (source === undefined) return name === TOKEN;
    if (name === "*") return path.startsWith(`${RAG}/`);
    return once(`${path}>${name}`, () => {
      for (const node of nodesOf(source)) {
        if (node.type === "ExportAllDeclaration" && starExports(source, node, name)) return true;
      }
      for (const { specifier, names, isExport } of referencesOf(source)) {
        const original = isExport ? names.get(name) : undefined;
        const target = resolve(path, specifier);
        if (original !== undefined && target.kind === "file") {
          return exportsToken(target.path, original);
        }
      }
      const local = localOf(source, name);
      return declarationsOf(source, local).length > 0 || importOf(source, local) !== undefined
        ? holds(source, local)
        : false;
    });
  }

  function starExports(source: Source, node: Syntax, name: string): boolean {
    const target = resolve(source.path, literalText(child(node, "source")) ?? "");
    return target.kind === "file" && exportsToken(target.path, name);
  }

  /** Answers `no` while it looks, so that circles end. */
  function once(key: string, look: () => boolean): boolean {
    const answered = known.get(key);
    if (answered !== undefined) return answered;
    known.set(key, false);
    const found = look();
    known.set(key, found);
    return found;
  }

  return mentions;
}

function importOf(source: Source, name: string): Reference | undefined {
  return referencesOf(source).find(({ names, isExport }) => !isExport && names.has(name));
}

const DECLARES =
  /^(TSTypeAliasDeclaration|TSInterfaceDeclaration|TSDeclareFunction)$|^Class|^Function/;

/** Where a file declares a type, a function or a variable of a name, at whatever depth. */
function declarationsOf(source: Source, name: string): readonly Syntax[] {
  return nodesOf(source).filter(
    (node) =>
      (DECLARES.test(node.type) || node.type === "VariableDeclarator") &&
      nameOf(child(node, "id")) === name,
  );
}

/** The local name of an export, as in `export { local as name }`. */
function localOf(source: Source, name: string): string {
  for (const node of nodesOf(source)) {
    if (node.type !== "ExportNamedDeclaration" || child(node, "source") !== null) continue;
    for (const specifier of childrenIn(node, "specifiers")) {
      if (nameOf(child(specifier, "exported")) !== name) continue;
      return nameOf(child(specifier, "local")) ?? name;
    }
  }
  return name;
}

/** `a.b` in a type or an expression as two names, the first and the last. */
function qualified(node: Syntax | null): [string | null, string | null] {
  if (node?.type === "TSQualifiedName") {
    return [nameOf(child(node, "left")), nameOf(child(node, "right"))];
  }
  if (node?.type !== "MemberExpression" || node["computed"] === true) return [null, null];
  return [nameOf(child(node, "object")), nameOf(child(node, "property"))];
}
