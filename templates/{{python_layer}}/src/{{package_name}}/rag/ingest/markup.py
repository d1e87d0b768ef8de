"""Blocks written as Markdown: headings, lists, code, tables, paragraphs."""

import re
from collections.abc import Iterator, Sequence

BREAK = "\0"
"""A line break that was asked for; any other run of blanks becomes one space."""

BLANKS = re.compile(r"[ \t\n\r\f\v]+")
FENCES = re.compile(r"^ {0,3}(`{3,})", re.MULTILINE)
# What would start a heading, a fence or an HTML block, or underline the line before.
MARKS = re.compile(r"(?=#{1,6}(?:[ \t]|$)|```|~~~|<|=+$|-+$)")
IN_HEADING = re.compile(r"(`[^`]*`)|[*<\\]|(?<!\w)_|_(?!\w)|&(?=#?\w+;)|#$")
WIDEST_INDENT = 24


class Writer:
    """Collects inline text, and closes it into a block at each border."""

    def __init__(self) -> None:
        self.title = ""
        self._inline: list[str] = []
        self._blocks: list[tuple[str, bool]] = []
        self._indents = [""]
        self._counters: list[int | None] = []
        self._marker = ""

    def add(self, text: str) -> None:
        """Append inline text, or `BREAK`."""
        self._inline.append(text)

    def take(self) -> str:
        """Empty the inline text and return it as one line."""
        text = BLANKS.sub(" ", "".join(self._inline).replace(BREAK, " ")).strip()
        self._inline.clear()
        return text

    def close(self) -> None:
        """End a paragraph."""
        parts = "".join(self._inline).split(BREAK) if self._inline else []
        self._inline.clear()
        lines = [BLANKS.sub(" ", part).strip() for part in parts]
        self._emit([f"\\{line}" if MARKS.match(line) else line for line in lines if line])

    def close_heading(self, level: int) -> None:
        """End a heading; the first of level 1 is the title."""
        text = self.take()
        if text:
            self.title = self.title or (text.replace("`", "") if level == 1 else "")
            self._marker, indents, self._indents = "", self._indents, [""]
            escaped = IN_HEADING.sub(lambda found: found[1] or f"\\{found[0]}", text)
            self._emit([f"{'#' * level} {escaped}"])
            self._indents = indents

    def code(self, text: str, language: str) -> None:
        """Write a code block, with a fence longer than any inside it."""
        self.close()
        longest = max((len(found[1]) for found in FENCES.finditer(text)), default=2)
        fence = "`" * (longest + 1)
        if text.strip():
            self._emit([fence + language, *text.strip("\n").split("\n"), fence])

    def table(self, rows: Sequence[Sequence[str]]) -> None:
        """Write a table whose first row is its header."""
        width = max(map(len, rows), default=0)
        lines = [_row(row, width) for row in rows if any(row)]
        if lines:
            self._emit([lines[0], _row(["---"] * width, width), *lines[1:]])

    def open_list(self, first: int | None) -> None:
        """Start a list, numbered from `first` if that is given."""
        self.close()
        self._counters.append(first)

    def close_list(self) -> None:
        """End a list."""
        self.close()
        if self._counters:
            self._counters.pop()

    def open_item(self) -> None:
        """Start an item of the innermost list."""
        self.close()
        number = self._counters[-1] if self._counters else None
        marker = "- " if number is None else f"{number}. "
        if number is not None:
            self._counters[-1] = number + 1
        indent = self._indents[-1]
        fits = len(indent) < WIDEST_INDENT
        self._marker = indent + marker
        self._indents.append(indent + " " * len(marker) if fits else indent)

    def close_item(self) -> None:
        """End an item."""
        self.close()
        self._marker = ""
        if len(self._indents) > 1:
            self._indents.pop()

    def finish(self) -> str:
        """All blocks, parted by blank lines; items of a list stand close."""
        self.close()
        return "".join(self._joined())

    def _emit(self, lines: Sequence[str]) -> None:
        if not lines:
            return
        indent, marker = self._indents[-1], self._marker
        self._marker = ""
        rest = (indent + line if line else "" for line in lines[1:])
        text = "\n".join([(marker or indent) + lines[0], *rest])
        self._blocks.append((text, bool(marker)))

    def _joined(self) -> Iterator[str]:
        was_item = False
        for index, (text, is_item) in enumerate(self._blocks):
            if index:
                yield "\n" if was_item and is_item else "\n\n"
            yield text
            was_item = is_item


def _row(cells: Sequence[str], width: int) -> str:
    padded = [*cells, *[""] * (width - len(cells))]
    escaped = (cell.replace("|", "\\|") for cell in padded)
    return f"| {' | '.join(escaped)} |"
