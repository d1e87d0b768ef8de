"""Pieces -> runs of pieces that make one chunk each."""

from collections.abc import Sequence
from zlib import crc32

from .cutters import GLUE
from .layout import Piece

BEFORE, AFTER = 24, 40


def pack(text: str, pieces: Sequence[Piece], longest: int) -> list[tuple[int, int]]:
    """Join neighbours where they fit, over the weakest breaks first.

    Breaks of one strength are taken in the order of a checksum of the text around them, so
    that what is decided at one place depends on its surroundings alone, and an edit leaves
    the chunks elsewhere as they were. No two neighbours that fit together stay apart.

    Returns:
        Half-open ranges of piece indices, in order.
    """
    keys = [_order(text, index, piece) for index, piece in enumerate(pieces)]
    runs = _Runs(pieces, longest)
    for index in sorted(range(1, len(pieces)), key=keys.__getitem__):
        after = runs.close(index)
        # The run may now start where there is more room: ask again at its end.
        while after and keys[after] < keys[index]:
            after = runs.close(after)
    return runs.ranges()


class _Runs:
    """A partition of the pieces; at first each stands alone."""

    def __init__(self, pieces: Sequence[Piece], longest: int) -> None:
        self._pieces = pieces
        self._longest = longest
        self._first = list(range(-1, len(pieces)))  # [j]: where the run that ends at j starts
        self._last = list(range(1, len(pieces) + 2))  # [i]: where the run that starts at i ends

    def close(self, index: int) -> int:
        """Join the runs on both sides of a break if they fit; return the next break, or 0."""
        start, end = self._first[index], self._last[index]
        first, glued = self._pieces[start], self._pieces[index].strength == GLUE
        if self._pieces[end - 1].end - first.start > (self._longest if glued else first.room):
            return 0
        self._first[end], self._last[start] = start, end
        return end if end < len(self._pieces) else 0

    def ranges(self) -> list[tuple[int, int]]:
        ranges: list[tuple[int, int]] = []
        index = 0
        while index < len(self._pieces):
            ranges.append((index, self._last[index]))
            index = self._last[index]
        return ranges


def _order(text: str, index: int, piece: Piece) -> int:
    if piece.strength == GLUE:
        return -index  # a heading goes to what is under it before what is above it
    around = text[max(piece.start - BEFORE, 0) : piece.start + AFTER]
    return piece.strength << 32 | crc32(around.encode("utf-8", "surrogatepass"))
