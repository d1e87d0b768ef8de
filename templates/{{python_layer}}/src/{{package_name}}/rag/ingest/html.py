"""HTML -> Markdown text: what a reader sees, with its headings, lists, tables and code."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

UNSEEN = (
    "script, style, template, noscript, nav, svg, canvas, iframe, object, dialog, "
    "button, select, textarea, [hidden], [aria-hidden=true], a.headerlink, a.anchor, a.hash-link, head"
)
BLOCKS = set(
    "address article aside blockquote body caption center dd details dialog div dl dt fieldset"
    " figcaption figure footer header hgroup hr html legend li main menu ol p pre section"
    " summary table tbody td tfoot th thead tr ul".split()
)
HEADINGS = {f"h{level}": level for level in range(1, 7)}
_SPACE = re.compile(r"[ \t\n\r\f]+")
# What Markdown would read as structure at the start of a line, where HTML said paragraph.
_MARKUP = re.compile(r"^(?=#{1,6}(?:\s|$)|>|```|~~~|=+\s*$|-+\s*$|\|)", re.MULTILINE)


def html_text(source: str) -> str:
    """Turn a page into Markdown; the first heading is its title if it has no `h1`."""
    from selectolax.lexbor import LexborHTMLParser

    page = LexborHTMLParser(source)
    title = page.css_first("title")
    name = _SPACE.sub(" ", title.text()).strip() if title else ""
    for node in page.css(UNSEEN):
        node.decompose()
    mains = page.css("main, [role=main]")
    root = mains[0] if len(mains) == 1 else page.body
    if root is None:
        return ""
    writer = _Writer()
    for node, entering in _walk(root):
        writer.visit(node, entering=entering)
    body = writer.text()
    has_top = re.search(r"^# ", body, re.MULTILINE)
    return f"# {name}\n\n{body}" if name and body and not has_top else body


def _walk(root: "LexborNode") -> "Iterator[tuple[LexborNode, bool]]":
    """Yield each node on the way in and, if it has children, on the way out.

    Without recursion, since pages nest deeper than the stack allows. `pre` and tables that
    hold data are handed over whole.
    """
    pending = [(root, True)]
    while pending:
        node, entering = pending.pop()
        yield node, entering
        if not entering or node.tag == "pre" or _is_data_table(node):
            continue
        pending.append((node, False))
        children: list[tuple[LexborNode, bool]] = []
        child = node.child
        while child is not None:
            children.append((child, True))
            child = child.next
        pending.extend(reversed(children))


def _is_data_table(node: "LexborNode") -> bool:
    """Whether its cells hold a line of text each; other tables are there for layout."""
    if node.tag != "table" or node.css_first("pre, ul, ol, h1, h2, h3, p + p"):
        return False
    return all(table == node for table in node.css("table"))


class _Writer:
    """Gathers inline text into paragraphs, and paragraphs into a page."""

    def __init__(self) -> None:
        self._page: list[str] = []
        self._line: list[str] = []
        self._indent: list[str] = []  # one for each open list item or quotation
        self._bullet = ""
        self._in_list = False  # whether the last paragraph is part of an item
        self._heading = 0

    def text(self) -> str:
        self._flush()
        return "".join(self._page).strip("\n") + "\n" if self._page else ""

    def visit(self, node: "LexborNode", *, entering: bool) -> None:
        tag = node.tag or ""
        if tag == "-text":
            if entering:
                self._line.append(_SPACE.sub(" ", node.text_content or ""))
        elif tag in HEADINGS:
            self._flush()
            self._heading = HEADINGS[tag] if entering else 0
        elif tag == "br":
            self._line.append("\n" if entering else "")
        elif tag == "code":
            self._line.append("`")
        elif tag == "img":
            self._line.append(node.attributes.get("alt") or "" if entering else "")
        elif tag in BLOCKS:
            self._block(node, tag, entering)

    def _block(self, node: "LexborNode", tag: str, entering: bool) -> None:
        self._flush()
        if tag == "pre":
            self._paragraph(_fenced(node.text()))
        elif _is_data_table(node):
            self._paragraph(_table(node))
        elif tag in ("li", "blockquote"):
            mark = "> " if tag == "blockquote" else "- "
            if entering:
                self._indent.append(mark if mark == "> " else "  ")
                self._bullet = "- " if mark == "- " else ""
            else:
                self._indent.pop()
                self._bullet = ""

    def _flush(self) -> None:
        lines = "".join(self._line).split("\n")
        self._line.clear()
        text = "\n".join(" ".join(line.split()) for line in lines).strip()
        if not text.strip("` \n"):
            return
        if self._heading:
            self._paragraph(f"{'#' * self._heading} {text}".replace("\n", " "))
        else:
            self._paragraph(_MARKUP.sub("\\\\", text))

    def _paragraph(self, text: str) -> None:
        if not text:
            return
        indent = "".join(self._indent)
        first = indent
        if self._bullet:
            first, self._bullet = indent[:-2] + self._bullet, ""
            if self._in_list:
                self._page.pop()  # items stand close together
        self._in_list = bool(self._indent)
        lines = text.split("\n")
        self._page.append(f"{first}{lines[0]}\n")
        self._page.extend(f"{indent}{line}".rstrip() + "\n" for line in lines[1:])
        self._page.append(f"{indent.rstrip()}\n")


def _fenced(code: str) -> str:
    code = code.replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    longest = max((len(run) for run in re.findall(r"`+", code)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{code}\n{fence}" if code.strip() else ""


def _table(table: "LexborNode") -> str:
    rows = [
        [_cell(cell) for cell in row.css("td, th")] for row in table.css("tr") if row.css("td, th")
    ]
    if not rows:
        return _SPACE.sub(" ", table.text()).strip()
    width = max(map(len, rows))
    lines = ["| " + " | ".join(row + [""] * (width - len(row))) + " |" for row in rows]
    lines.insert(1, "|" + " --- |" * width)
    caption = table.css_first("caption")
    return "\n".join([*([f"{_cell(caption)}\n"] if caption else []), *lines])


def _cell(node: "LexborNode") -> str:
    return " ".join(node.text(separator=" ").split()).replace("|", "\\|")
