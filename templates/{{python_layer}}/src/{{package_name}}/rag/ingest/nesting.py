"""How deep the elements of a page are nested, told without parsing it."""

import re

TAG = re.compile(r"<!--(?:-?>|.*?(?:--!?>|\Z))|<(/?)([a-zA-Z][^\s/>]*)([^>]*)", re.DOTALL)
SCRIPT_END = re.compile(r"</(?:script|style)|\Z", re.IGNORECASE)
CLOSED_BY_OTHERS = frozenset(
    "area br col embed hr img input link meta param source track wbr p li dt dd tr td th "
    "thead tbody tfoot option optgroup colgroup rp rt".split()
)
FOREIGN = frozenset({"svg", "math"})
LEAVES_FOREIGN = frozenset(
    "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img "
    "li menu meta nobr ol p pre ruby s small span strike strong sub sup table tt u ul var".split()
)


def is_deeper(source: str, limit: int) -> bool:
    """Whether more than `limit` elements are open at once somewhere, tags being counted.

    Elements that the next one of their kind closes are not counted. `<x/>` is closed inside
    SVG and MathML alone, as HTML has it.
    """
    depth, position, foreign = 0, 0, False
    while found := TAG.search(source, position):
        position = found.end()
        name = (found[2] or "").lower()
        if name in FOREIGN:
            foreign = not found[1]
        elif name in LEAVES_FOREIGN:
            foreign = False
        elif name in ("script", "style") and not found[1] and not foreign:
            end = SCRIPT_END.search(source, position)
            position = end.start() if end else position
        if not name or name in CLOSED_BY_OTHERS or (foreign and found[3].endswith("/")):
            continue
        depth = max(depth - 1, 0) if found[1] else depth + 1
        if depth > limit:
            return True
    return False
