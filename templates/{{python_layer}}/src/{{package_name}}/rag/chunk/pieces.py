"""Blocks -> pieces: the smallest stretches that a chunk is made of."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from .cutters import BLOCK, CODE, GLUE, HEADING, PART, PROSE, ROWS, Cutter, word_cuts
from .layout import Layout, Piece, Section, Sizes, Table
from .plain import paragraphs
from .structure import Block, Kind

WIDEST_INDENT = 40
WIDEST_GAP = 8
WHOLE: tuple[Kind, ...] = ("code", "table")


def lay_out(text: str, blocks: Iterable[Block], sizes: Sizes) -> Layout:
    """Cut blocks into pieces, each as large as may be, and note sections and cut tables."""
    return _Cutting(text, sizes).run(blocks)


class _Cutting:
    """One pass over the blocks of one text."""

    def __init__(self, text: str, sizes: Sizes) -> None:
        self._text = text
        self._sizes = sizes
        self._chunk, self._overlap = sizes.chunk, sizes.overlap
        self._layout = Layout([], [Section(0, ())], [])
        self._pieces = self._layout.pieces
        self._section = 0  # start of the section
        self._reached = 0  # end of the last piece
        self._lead: int | None = None  # start of the headings that the next block belongs to

    def run(self, blocks: Iterable[Block]) -> Layout:
        open_headings: list[Block] = []
        for block in blocks:
            if block.kind == "heading":
                self._heading(block, open_headings)
            elif block.kind == "paragraphs":
                self._add_paragraphs(block)
            else:
                # What is shown stays with what introduces it, where there is a choice.
                strength = PART if block.kind in WHOLE else BLOCK
                self._add(block, strength if self._lead is None else GLUE)
                self._lead = None
        return self._layout

    def _add_paragraphs(self, block: Block) -> None:
        """Append prose by its blank lines; most paragraphs need neither trimming nor cutting."""
        text, section = self._text, len(self._layout.sections) - 1
        for start, end in paragraphs(text, block.start, block.end):
            room = self._room(start)
            if end - start > room or text[start].isspace() or text[end - 1].isspace():
                self._add(Block(start, end, "prose"), BLOCK)
            else:
                self._pieces.append(Piece(start, end, BLOCK, room, "prose", False, section))
                self._reached = end

    def _heading(self, block: Block, open_headings: list[Block]) -> None:
        deeper = bool(open_headings) and block.level > open_headings[-1].level
        strength = GLUE if self._lead is not None and deeper else HEADING + 6 - block.level
        if strength != GLUE or block.end - (self._lead or 0) > self._sizes.chunk // 2:
            self._lead = block.start
        while open_headings and open_headings[-1].level >= block.level:
            open_headings.pop()
        open_headings.append(block)
        path = tuple(heading.title for heading in open_headings if heading.title)
        self._layout.sections.append(Section(block.start, path))
        self._section = block.start
        self._add(block, strength, first=self._sizes.chunk)
        if block.end - block.start > self._sizes.chunk // 2:
            self._lead = None

    def _add(self, block: Block, strength: int, first: int = 0) -> None:
        """Append the pieces of a block; `first` is the room for the first of them."""
        start, end = self._trim(block.start, block.end)
        if start >= end:
            return
        room = self._room(start)
        first = first or self._first_room(start, room)
        whole = block.kind in WHOLE
        fits = end - start <= (self._sizes.chunk if whole else first)
        if block.kind == "group" and not (fits and _is_prose(block)):
            child, *others = block.children
            self._add(child._replace(start=start), strength, first)  # with the group's marker
            for child in others:
                self._add(child, max(PART, strength - 1))
        elif fits:
            self._push(start, end, strength, room, block.kind, whole)
        elif block.kind == "table":
            self._add_rows(block, strength, first)
        else:
            cutters = CODE if block.kind == "code" else PROSE
            self._divide(start, end, strength, cutters, first, block.kind)

    def _add_rows(self, table: Block, strength: int, first: int) -> None:
        head, *rows = table.children
        starts = [self._line_start(row.start, table.start) for row in rows] or [table.end]
        start, end = self._trim(table.start, starts[0])
        if end - start <= self._sizes.chunk:
            header = self._text[head.start : head.end].strip()
            self._layout.tables.append(Table(start, table.end, header))
            self._append(start, end, strength, "table", whole=True)
        else:
            self._divide(start, end, strength, ROWS, first, "table")
        for begin, stop in pairwise([*starts, table.end]):
            bond = PART if begin > starts[0] else GLUE
            if stop - begin <= self._sizes.fresh:
                self._append(begin, stop, bond, "table", whole=True)
            else:
                self._divide(begin, stop, bond, ROWS, self._sizes.fresh, "table")

    def _line_start(self, position: int, floor: int) -> int:
        return max(self._text.rfind("\n", floor, position) + 1, floor)

    def _divide(
        self, start: int, end: int, strength: int, cutters: Sequence[Cutter], first: int, kind: Kind
    ) -> None:
        """Cut a stretch with the first cutter, and what is still too long with the others."""
        start, end = self._trim(start, end)
        fresh = self._sizes.fresh
        if cutters:
            cuts: Iterable[tuple[int, int]] = cutters[0](self._text, start, end)
        else:
            cuts = word_cuts(self._text, start, end, first, fresh, self._sizes.clusters)
        room = first
        for begin, stop, bond in self._spans(start, end, strength, cuts):
            if cutters and stop - begin > room:
                self._divide(begin, stop, bond, cutters[1:], room, kind)
            else:
                self._append(begin, stop, bond, kind, whole=False)
            room = fresh

    def _spans(
        self, start: int, end: int, strength: int, cuts: Iterable[tuple[int, int]]
    ) -> Iterator[tuple[int, int, int]]:
        for position, bond in cuts:
            position = self._sizes.clusters.floor(position)
            if position > start:
                yield start, position, strength
                start, strength = position, bond
        yield start, end, strength

    def _first_room(self, start: int, room: int) -> int:
        """Room for a block: what its headings leave, or else what the overlap leaves."""
        if self._lead is None:
            return room
        left = self._sizes.chunk - (start - self._lead)
        return left if left > self._sizes.chunk // 4 else room

    def _room(self, start: int) -> int:
        """Room for a run of pieces that starts here, after as much overlap as there is."""
        before, gap = start - self._section, start - self._reached
        if before <= 0 or not self._reached:
            return self._chunk
        shared = self._overlap if before > self._overlap else before
        room = self._chunk - shared - (gap if gap < WIDEST_GAP else WIDEST_GAP)
        return room if room > 1 else 1

    def _append(self, start: int, end: int, strength: int, kind: Kind, whole: bool) -> None:
        start, end = self._trim(start, end)
        if start < end:
            self._push(start, end, strength, self._room(start), kind, whole)

    def _push(
        self, start: int, end: int, strength: int, room: int, kind: Kind, whole: bool
    ) -> None:
        section = len(self._layout.sections) - 1
        self._pieces.append(Piece(start, end, strength, room, kind, whole, section))
        self._reached = end

    def _trim(self, start: int, end: int) -> tuple[int, int]:
        """Drop blank lines at both ends, and blanks at the end; keep the first line's indent."""
        text, clusters = self._text, self._sizes.clusters
        if start < end and not text[start].isspace():
            if not text[end - 1].isspace():
                return start, end
            return start, clusters.ceil(start + len(text[start:end].rstrip()))
        span = text[start:end]
        kept = len(span) - len(span.lstrip())
        stop = start + len(span.rstrip())
        indent = kept - (span.rfind("\n", 0, kept) + 1)
        at_line_start = indent < kept or start == 0 or text[start - 1] == "\n"
        if at_line_start and indent <= WIDEST_INDENT:
            kept -= indent
        return clusters.floor(start + kept), clusters.ceil(stop)


def _is_prose(block: Block) -> bool:
    return block.kind not in WHOLE and all(map(_is_prose, block.children))
