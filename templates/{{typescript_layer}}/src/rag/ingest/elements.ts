/** What is asked of the elements of a page, and which of them are not content. */

import type { DefaultTreeAdapterTypes } from "parse5";

export type Node = DefaultTreeAdapterTypes.ChildNode | DefaultTreeAdapterTypes.ParentNode;
export type Element = DefaultTreeAdapterTypes.Element;

export const DROPPED = words(
  "annotation audio button canvas datalist dialog head iframe link map meta nav " +
    "noscript object option script select source style svg template textarea title track video",
);
const DROPPED_ROLES = words("navigation search contentinfo banner");
export const CHROME = words("header footer aside");
export const INLINE = words(
  "a abbr acronym b bdi bdo big cite code data del dfn em font i img input ins kbd label mark " +
    "math nobr q rp rt ruby s samp small span strike strong sub sup time tt u var wbr",
);
export const LITERAL = words("code kbd samp tt");
export const HEADINGS = words("h1 h2 h3 h4 h5 h6");
export const CONTENT = words("article header main");
const STRUCTURE = words("table pre h1 h2 h3 h4 h5 h6");
const LANGUAGE = /(?:^|\s)(?:language|lang|highlight|brush)[-:]\s*([\p{L}\p{N}_+#-]+)/u;
const NO_LANGUAGES = words("default none text");

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(" "));
}

export function isElement(node: Node | null | undefined): node is Element {
  return node !== null && node !== undefined && "tagName" in node;
}

export function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((attr) => attr.name === name)?.value;
}

export function childrenOf(node: Node): readonly Node[] {
  return "childNodes" in node ? node.childNodes : [];
}

/** Everything below a node, in the order of the page. */
export function* descendants(root: Node): Generator<Node> {
  const pending = [...childrenOf(root)].reverse();
  for (let node = pending.pop(); node; node = pending.pop()) {
    yield node;
    pending.push(...[...childrenOf(node)].reverse());
  }
}

/** The first element below a node for which `matches` holds. */
export function findElement(
  root: Node,
  matches: (element: Element) => boolean,
): Element | undefined {
  for (const node of descendants(root)) {
    if (isElement(node) && matches(node)) return node;
  }
  return undefined;
}

export function findTag(root: Node, tag: string): Element | undefined {
  return findElement(root, ({ tagName }) => tagName === tag);
}

/** All text below a node. */
export function textOf(root: Node): string {
  let text = "";
  for (const node of descendants(root)) if (node.nodeName === "#text") text += textValue(node);
  return text;
}

export function textValue(node: Node): string {
  return "value" in node ? node.value : "";
}

/** Whether an element is marked as something that is not shown, or not content. */
export function isHidden(element: Element): boolean {
  return (
    attribute(element, "hidden") !== undefined ||
    attribute(element, "aria-hidden") === "true" ||
    DROPPED_ROLES.has(attribute(element, "role") ?? "")
  );
}

export function isMain(element: Element): boolean {
  return element.tagName === "main" || attribute(element, "role") === "main";
}

/** Whether a table only places what has structure of its own. */
export function isLayout(table: Element): boolean {
  return findElement(table, ({ tagName }) => STRUCTURE.has(tagName)) !== undefined;
}

/** The language that a code block or what is around it is marked with; or empty. */
export function languageOf(pre: Element): string {
  const parent = isElement(pre.parentNode) ? pre.parentNode : undefined;
  for (const node of [pre, findTag(pre, "code"), parent, parent?.parentNode]) {
    const found = isElement(node) ? LANGUAGE.exec(attribute(node, "class") ?? "")?.[1] : undefined;
    if (found && !NO_LANGUAGES.has(found)) return found;
  }
  return "";
}
