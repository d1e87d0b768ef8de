/** Syntax trees in the shape of ESTree, read without knowing every kind of node. */

export type Syntax = {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
};

export function isSyntax(value: unknown): value is Syntax {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

/** The node in a field; null when it holds none. */
export function child(node: Syntax | null, field: string): Syntax | null {
  const value = node?.[field];
  return isSyntax(value) ? value : null;
}

/** The nodes in a field that holds a list. */
export function childrenIn(node: Syntax | null, field: string): readonly Syntax[] {
  const value = node?.[field];
  return Array.isArray(value) ? value.filter(isSyntax) : [];
}

/** A node and all below it, parents first. */
export function walk(node: Syntax): readonly Syntax[] {
  const found: Syntax[] = [];
  collect(node, found);
  return found;
}

function collect(node: Syntax, found: Syntax[]): void {
  found.push(node);
  for (const field in node) {
    const value = node[field];
    if (Array.isArray(value)) {
      for (const inner of value) if (isSyntax(inner)) collect(inner, found);
    } else if (isSyntax(value)) collect(value, found);
  }
}

/** What a string, or a template without expressions, says; null for anything else. */
export function literalText(node: Syntax | null): string | null {
  const bare = unwrapped(node);
  if (bare?.type === "Literal") return typeof bare["value"] === "string" ? bare["value"] : null;
  if (bare?.type !== "TemplateLiteral" || childrenIn(bare, "expressions").length > 0) return null;
  const value: unknown = childrenIn(bare, "quasis")[0]?.["value"];
  if (typeof value !== "object" || value === null || !("cooked" in value)) return null;
  return typeof value.cooked === "string" ? value.cooked : null;
}

/** The name of an identifier; null for anything else. */
export function nameOf(node: Syntax | null): string | null {
  const bare = unwrapped(node);
  const name = bare?.type === "Identifier" ? bare["name"] : null;
  return typeof name === "string" ? name : null;
}

/** The property that a member expression names, with a dot or in quotes; null if computed. */
export function memberName(node: Syntax | null): string | null {
  const bare = unwrapped(node);
  if (bare?.type !== "MemberExpression") return null;
  const property = child(bare, "property");
  return bare["computed"] === true ? literalText(property) : nameOf(property);
}

/** `a.b.c` as a dotted name, `import.meta` included; null when something in it is computed. */
export function dottedName(node: Syntax | null): string | null {
  const bare = unwrapped(node);
  if (bare?.type === "MetaProperty") return "import.meta";
  if (bare?.type !== "MemberExpression") return nameOf(bare);
  const object = dottedName(child(bare, "object"));
  const property = memberName(bare);
  return object === null || property === null ? null : `${object}.${property}`;
}

/** The expression inside parentheses, `!`, `?.` and a sequence of which it is the last. */
export function unwrapped(node: Syntax | null): Syntax | null {
  let bare = node;
  while (bare !== null) {
    const inner = WRAPPERS.includes(bare.type)
      ? child(bare, "expression")
      : bare.type === "SequenceExpression"
        ? (childrenIn(bare, "expressions").at(-1) ?? null)
        : null;
    if (inner === null) break;
    bare = inner;
  }
  return bare;
}

/** `x as T` and `<T>x`. */
export const CASTS: readonly string[] = ["TSAsExpression", "TSTypeAssertion"];

const WRAPPERS = ["ParenthesizedExpression", "TSNonNullExpression", "ChainExpression"];
