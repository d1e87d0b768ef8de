"""Markdown -> blocks, as CommonMark with tables defines them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, cast

from .structure import Block, Kind, fill_gaps, one_line

if TYPE_CHECKING:
    from pyromark.event import Event, Range

FRONT_MATTER = re.compile(
    r"(---|\+\+\+)[ \t]*\n[\w\"'.-]+[ \t]*[:=].*\n(?:.*\n)*?(?:\1|\.\.\.)[ \t]*(?:\n|\Z)"
)
VISIBLE = ("Text", "Code")
DEEPEST = 6  # of nested lists and quotations that are looked into
KINDS: dict[str, Kind] = {
    "Heading": "heading",
    "Paragraph": "prose",
    "CodeBlock": "code",
    "HtmlBlock": "prose",
    "Table": "table",
    "TableHead": "prose",
    "TableRow": "prose",
    "List": "group",
    "Item": "group",
    "BlockQuote": "group",
}


@dataclass(slots=True)
class _Node:
    """A block while it is open; offsets count UTF-8 bytes."""

    name: str
    start: int
    end: int
    title: list[str] = field(default_factory=list[str])
    children: list["_Node"] = field(default_factory=list["_Node"])


def markdown_blocks(text: str) -> list[Block]:
    """Parse `text`; the blocks are in order and hold everything that is not blank."""
    import pyromark

    front = FRONT_MATTER.match(text)
    skipped = front.end() if front else 0
    # Replacement keeps the count of code points; only a lone surrogate needs it.
    encoded = text[skipped:].encode("utf-8", "replace")
    events = pyromark.events_with_range(
        encoded.decode("utf-8"), options=pyromark.Options.ENABLE_TABLES
    )
    nodes = _read_tree(events)
    offsets = None if len(encoded) == len(text) - skipped else _code_points(encoded, nodes)
    blocks = [_block(text, node, offsets, skipped) for node in nodes]
    if front:
        blocks.insert(0, Block(0, skipped, "code"))
    return list(fill_gaps(text, blocks, 0, len(text)))


def _read_tree(events: "Iterator[tuple[Event, Range]]") -> list[_Node]:
    root = _Node("", 0, 0)
    stack = [root]
    heading: _Node | None = None
    for event, span in events:
        if isinstance(event, str):
            if heading:
                heading.title.append(" ")  # a line break
            continue
        if "Start" in event:
            name = _name(event["Start"])
            if name in KINDS:
                node = _Node(name, span["start"], span["end"])
                if len(stack) <= DEEPEST:
                    stack[-1].children.append(node)
                stack.append(node)
                heading = node if name == "Heading" else None
        elif "End" in event:
            if _name(event["End"]) in KINDS:
                stack.pop()
                heading = None
        elif heading:
            heading.title.extend(str(text) for what, text in event.items() if what in VISIBLE)
    return root.children


def _name(tag: object) -> str:
    return tag if isinstance(tag, str) else next(iter(cast("dict[str, object]", tag)))


def _heading_level(source: str) -> int:
    if source.startswith("#"):
        return len(source) - len(source.lstrip("#"))
    return 1 if source.rstrip().endswith("=") else 2


def _all_offsets(nodes: list[_Node]) -> Iterator[int]:
    for node in nodes:
        yield node.start
        yield node.end
        yield from _all_offsets(node.children)


def _code_points(encoded: bytes, nodes: list[_Node]) -> dict[int, int]:
    offsets = sorted({0, *_all_offsets(nodes)})
    counts = {0: 0}
    for before, after in pairwise(offsets):
        counts[after] = counts[before] + len(encoded[before:after].decode("utf-8"))
    return counts


def _content_end(text: str, start: int, end: int) -> int:
    """The end without lines that hold only blanks and the markers of quotations.

    Parsers differ in what of these they count as part of a block.
    """
    span = text[start:end]
    last_line = span.find("\n", len(span.rstrip("> \t\n")))
    return start + len(span[: last_line if last_line >= 0 else len(span)].rstrip())


def _block(text: str, node: _Node, offsets: dict[int, int] | None, shift: int) -> Block:
    start = shift + (offsets[node.start] if offsets else node.start)
    # The parser may count definitions of links after a list as part of it.
    last = node.children[-1].end if node.name == "List" and node.children else node.end
    end = _content_end(text, start, shift + (offsets[last] if offsets else last))
    children = (_block(text, child, offsets, shift) for child in node.children)
    match KINDS[node.name]:
        case "group" if node.children:
            return Block(start, end, "group", children=tuple(fill_gaps(text, children, start, end)))
        case "table" if node.children:
            return Block(start, end, "table", children=tuple(children))
        case "heading":
            level = _heading_level(text[start:end])
            return Block(start, end, "heading", level, one_line("".join(node.title)))
        case "code":
            return Block(start, end, "code")
        case _:
            return Block(start, end, "prose")
