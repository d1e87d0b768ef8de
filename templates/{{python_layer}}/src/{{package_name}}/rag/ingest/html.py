"""HTML -> Markdown: headings, lists, code and tables kept, what is not content dropped."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .decoding import UnusableError
from .markup import BREAK, Writer
from .nesting import is_deeper

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

DROPPED = frozenset(
    "annotation audio button canvas datalist dialog head iframe link map meta nav "
    "noscript object option script select source style svg template textarea title track "
    "video".split()
)
DROPPED_ROLES = frozenset({"navigation", "search", "contentinfo", "banner"})
CHROME = frozenset({"header", "footer", "aside"})
INLINE = frozenset(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i img input ins kbd label mark "
    "math nobr q rp rt ruby s samp small span strike strong sub sup time tt u var wbr".split()
)
LITERAL = frozenset({"code", "kbd", "samp", "tt"})
HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
STRUCTURE = "table, pre, h1, h2, h3, h4, h5, h6"
PERMALINKS = frozenset({"¶", "#", "§", "🔗", "\uf0c1"})
LANGUAGE = re.compile(r"(?:^|\s)(?:language|lang|highlight|brush)[-:]\s*([\w+#-]+)")
CONTENT = frozenset({"article", "header", "main"})
DEEPEST = 2000
"""Elements open at once. The parser takes quadratic time in that, and browsers stop at 512."""


def html_text(source: str) -> tuple[str, str]:
    """The content as Markdown, and its title: the first `h1`, else `title`.

    Of a page with a `main` element, that is the content.

    Raises:
        UnusableError: elements are nested deeper than any page needs.
    """
    from selectolax.lexbor import LexborHTMLParser

    if is_deeper(source, DEEPEST):
        raise UnusableError("unreadable", f"more than {DEEPEST} elements are nested")
    page = LexborHTMLParser(source)
    if page.body is None:
        return "", ""
    main = page.css_first("main, [role=main]")
    has_main = main is not None and bool(main.text(deep=True, strip=True))
    reading = _Reading(in_content=has_main)
    text = reading.read(main if main is not None and has_main else page.body)
    named = page.head.css_first("title") if page.head is not None else None
    stated = " ".join(named.text(deep=True).split()) if named is not None else ""
    return text, reading.title or stated


class _Reading:
    """One walk over a page; `_cells` is the row being read, while in a table."""

    def __init__(self, *, in_content: bool) -> None:
        self._out = Writer()
        self._articles = int(in_content)
        self._rows: list[list[str]] | None = None
        self._heading = False

    @property
    def title(self) -> str:
        return self._out.title

    def read(self, root: LexborNode) -> str:
        pending: list[tuple[LexborNode, bool]] = [(root, False)]
        while pending:
            node, leaving = pending.pop()
            if leaving:
                self._leave(node)
            elif node.is_text_node:
                self._out.add((node.text_content or "").replace(BREAK, ""))
            elif node.is_element_node and self._enter(node):
                pending.append((node, True))
                children = list(node.iter(include_text=True))
                pending.extend((child, False) for child in reversed(children))
        return self._out.finish()

    def _enter(self, node: LexborNode) -> bool:
        """Open an element, and tell whether its children are to be read."""
        tag = node.tag or ""
        if self._is_dropped(node, tag):
            return False
        if tag in INLINE:
            if tag in LITERAL and node.parent is not None and node.parent.tag not in LITERAL:
                self._literal(node)
                return False
            return True
        if tag == "br":
            self._out.add(BREAK)
        elif self._rows is not None:
            self._enter_cell(node, tag)
        elif tag == "pre":
            self._out.code(node.text(deep=True).replace("\r", "\n"), _language(node))
            return False
        else:
            self._enter_block(node, tag)
        return True

    def _enter_block(self, node: LexborNode, tag: str) -> None:
        if tag in ("ul", "ol", "menu"):
            start = str(node.attributes.get("start") or "1")
            first = int(start) if start.isascii() and start.isdigit() else 1
            self._out.open_list(first if tag == "ol" else None)
        elif tag == "li":
            self._out.open_item()
        elif tag == "table" and not _is_layout(node):
            self._out.close()
            self._rows = []
        else:
            self._out.close()
            self._heading = tag in HEADINGS
            self._articles += tag in CONTENT

    def _enter_cell(self, node: LexborNode, tag: str) -> None:
        if tag == "tr" and self._rows is not None:
            self._out.take()
            self._rows.append([])
        elif tag == "caption":
            self._out.take()
        else:
            self._out.add(" ")

    def _leave(self, node: LexborNode) -> None:
        tag = node.tag or ""
        if tag in INLINE or tag == "br":
            return
        if self._rows is not None:
            self._leave_cell(node, tag)
        elif tag in ("ul", "ol", "menu"):
            self._out.close_list()
        elif tag == "li":
            self._out.close_item()
        elif tag in HEADINGS:
            self._out.close_heading(int(tag[1]))
            self._heading = False
        else:
            self._out.close()
            self._articles -= tag in CONTENT

    def _leave_cell(self, node: LexborNode, tag: str) -> None:
        rows = self._rows or []
        if tag in ("td", "th") and rows:
            span = str(node.attributes.get("colspan") or "1")
            wider = int(span) - 1 if span.isascii() and span.isdigit() and len(span) < 3 else 0
            rows[-1].extend([self._out.take(), *[""] * wider])
        elif tag == "caption":
            self._out.close()
        elif tag == "table":
            self._rows = None
            self._out.close()
            self._out.table(rows)
        else:
            self._out.add(" ")

    def _literal(self, node: LexborNode) -> None:
        text = node.text(deep=True).replace(BREAK, "")
        self._out.add(text if "`" in text or not text.strip() else f"`{text.strip()}`")

    def _is_dropped(self, node: LexborNode, tag: str) -> bool:
        if tag in DROPPED:
            return True
        if tag in CHROME and not self._articles:
            return tag != "header" or node.css_first("h1") is None
        if self._heading and tag == "a" and node.text(deep=True).strip() in {*PERMALINKS, ""}:
            return True
        attributes = node.attributes
        return bool(attributes) and (
            "hidden" in attributes
            or attributes.get("aria-hidden") == "true"
            or attributes.get("role") in DROPPED_ROLES
        )


def _is_layout(table: LexborNode) -> bool:
    """Whether a table only places what has structure of its own."""
    return any(part.css_first(STRUCTURE) is not None for part in table.iter())


def _language(pre: LexborNode) -> str:
    """The language that a code block or what is around it is marked with; or empty."""
    around = (pre, pre.css_first("code"), pre.parent, pre.parent and pre.parent.parent)
    for node in around:
        found = LANGUAGE.search((node.attributes.get("class") or "") if node else "")
        if found and found[1] not in ("default", "none", "text"):
            return found[1]
    return ""
