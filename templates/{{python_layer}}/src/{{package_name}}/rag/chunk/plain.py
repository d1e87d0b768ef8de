"""Plain text, source code and reStructuredText -> blocks."""

import re
from collections.abc import Iterator

from .structure import Block, one_line

BLANK_LINES = re.compile(r"\n(?:[ \t]*+\n)++")
NO_TITLE = re.compile(r"(?:[*+-]|\.\.|\|)(?:\s|$)|:[^:\s][^:]*:(?:\s|$)")
UNDERLINE = re.compile(r"^([!-/:-@\[-`{-~])\1++[ \t]*$", re.MULTILINE)


def text_blocks(text: str) -> list[Block]:
    """The whole file, as paragraphs."""
    return [Block(0, len(text), "paragraphs")]


def code_blocks(text: str) -> list[Block]:
    """The whole file; it is cut at blank lines and line ends where it must be."""
    return [Block(0, len(text), "code")] if text.strip() else []


def rst_blocks(text: str) -> list[Block]:
    """Titles, paragraphs, and indented stretches (literals, bodies of directives)."""
    titles = _rst_titles(text)
    blocks: list[Block] = []
    reached = 0
    for title in titles:
        blocks.extend(_rst_body(text, reached, title.start))
        blocks.append(title)
        reached = title.end
    blocks.extend(_rst_body(text, reached, len(text)))
    return blocks


def paragraphs(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Spans between blank lines, without the blank lines; leading indentation stays."""
    for gap in BLANK_LINES.finditer(text, start, end):
        stop, after = gap.span()
        if stop > start and not (text[start].isspace() and text[start:stop].isspace()):
            yield start, stop
        start = after
    if start < end and not text[start:end].isspace():
        yield start, end


def _rst_titles(text: str) -> list[Block]:
    styles: list[tuple[str, bool]] = []
    titles: list[Block] = []
    for rule in UNDERLINE.finditer(text):
        end = rule.start() - 1
        start = text.rfind("\n", 0, max(end, 0)) + 1
        title = text[start : max(end, start)]
        over = text.rfind("\n", 0, max(start - 1, 0)) + 1
        above = text[over : max(start - 1, over)].rstrip()
        if titles and over < titles[-1].end:
            above = ""
        overlined = bool(above) and above == rule[0].rstrip()
        if not _is_title(title, rule[0].rstrip(), above, overlined):
            continue
        style = (rule[1], overlined)
        if style not in styles:
            styles.append(style)
        level = min(styles.index(style) + 1, 6)
        begin = over if overlined else start
        if not titles or titles[-1].end <= begin:
            titles.append(Block(begin, rule.end(), "heading", level, one_line(title)))
    return titles


def _is_title(title: str, rule: str, above: str, overlined: bool) -> bool:
    if not title.strip() or (above and not overlined):
        return False
    if title[0].isspace() and not overlined:
        return False
    if rule in ("::", "..") or UNDERLINE.fullmatch(title) or NO_TITLE.match(title):
        return False
    return len(rule) >= min(len(title.strip()), 4)


def _rst_body(text: str, start: int, end: int) -> Iterator[Block]:
    indented: tuple[int, int] | None = None
    for begin, stop in paragraphs(text, start, end):
        if text[begin] in " \t":
            indented = (indented[0] if indented else begin, stop)
            continue
        if indented:
            yield Block(*indented, "code")
            indented = None
        yield Block(begin, stop, "prose")
    if indented:
        yield Block(*indented, "code")
