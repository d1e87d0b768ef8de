/** How deep the elements of a page are nested, told without parsing it. */

const TAG = /<!--(?:-?>|.*?(?:--!?>|$))|<(\/?)([a-zA-Z][^\t-\r\x20/>]*)([^>]*)/gs;
const SCRIPT_END = /<\/(?:script|style)|$/gi;
const CLOSED_BY_OTHERS = new Set(
  (
    "area br col embed hr img input link meta param source track wbr p li dt dd tr td th " +
    "thead tbody tfoot option optgroup colgroup rp rt"
  ).split(" "),
);
const FOREIGN = new Set(["svg", "math"]);
const LEAVES_FOREIGN = new Set(
  (
    "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img " +
    "li menu meta nobr ol p pre ruby s small span strike strong sub sup table tt u ul var"
  ).split(" "),
);

/**
 * Whether more than `limit` elements are open at once somewhere, tags being counted.
 *
 * Elements that the next one of their kind closes are not counted. `<x/>` is closed inside SVG
 * and MathML alone, as HTML has it.
 */
export function isDeeper(source: string, limit: number): boolean {
  let depth = 0;
  let isForeign = false;
  TAG.lastIndex = 0;
  for (let found = TAG.exec(source); found; found = TAG.exec(source)) {
    const [, closes = "", written = "", rest = ""] = found;
    const name = written.toLowerCase();
    if (FOREIGN.has(name)) {
      isForeign = !closes;
    } else if (LEAVES_FOREIGN.has(name)) {
      isForeign = false;
    } else if ((name === "script" || name === "style") && !closes && !isForeign) {
      TAG.lastIndex = scriptEnd(source, TAG.lastIndex);
    }
    if (!name || CLOSED_BY_OTHERS.has(name) || (isForeign && rest.endsWith("/"))) continue;
    depth = closes ? Math.max(depth - 1, 0) : depth + 1;
    if (depth > limit) return true;
  }
  return false;
}

function scriptEnd(source: string, from: number): number {
  SCRIPT_END.lastIndex = from;
  return SCRIPT_END.exec(source)?.index ?? source.length;
}
