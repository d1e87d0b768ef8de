"""A text laid out for packing: its pieces, sections and tables."""

from dataclasses import dataclass
from typing import NamedTuple

from .graphemes import Clusters
from .structure import Kind


@dataclass(frozen=True, slots=True)
class Sizes:
    """Lengths in code points, and the clusters that no cut may enter."""

    chunk: int
    overlap: int
    clusters: Clusters

    @property
    def fresh(self) -> int:
        """Room for new text in a chunk that starts with a full overlap."""
        return self.chunk - self.overlap


class Piece(NamedTuple):
    """A stretch that is not cut again; it neither starts nor ends with blank lines.

    `strength` is that of the break before it: weaker breaks are closed first. `room` is how
    long a run of pieces may be that starts here. No overlap starts inside a `whole` piece.
    `section` is the index of its section.
    """

    start: int
    end: int
    strength: int
    room: int
    kind: Kind
    whole: bool
    section: int


class Section(NamedTuple):
    """A heading with all up to the next one; the first has what stands before any heading."""

    start: int
    path: tuple[str, ...]


class Table(NamedTuple):
    """A table that was cut: a chunk that starts in it, past its start, is given its header."""

    start: int
    end: int
    header: str


@dataclass(slots=True)
class Layout:
    """A text laid out for packing."""

    pieces: list[Piece]
    sections: list[Section]
    tables: list[Table]
