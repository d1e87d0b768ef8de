"""Where a chunk starts that repeats the end of the one before it."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from operator import attrgetter

from .cutters import line_cuts, sentence_cuts
from .graphemes import Clusters
from .layout import Piece

_BLANK = re.compile(r"\s+")


def overlap_start(
    text: str, pieces: Sequence[Piece], index: int, earliest: int, clusters: Clusters
) -> int:
    """The first good start at or after `earliest`, in the pieces before `pieces[index]`.

    A good start is that of a piece, of a sentence, or of a line of code. Where the last
    sentence is longer than the overlap, it is that of a word, and failing that of a
    grapheme. A piece that is whole is repeated as a whole or not at all; then, and where
    nothing is left to repeat, it is the start of `pieces[index]` itself.
    """
    own_start, end = pieces[index].start, pieces[index - 1].end
    if earliest >= end:
        return own_start
    holder = max(bisect_right(pieces, earliest, 0, index, key=attrgetter("start")) - 1, 0)
    piece = pieces[holder]
    if piece.start >= earliest:
        return piece.start
    if earliest < piece.end and not piece.whole:
        cutter = sentence_cuts if piece.kind == "prose" else line_cuts
        for position, _ in cutter(text, max(earliest - 8, piece.start), piece.end):
            position = clusters.ceil(position)
            if earliest <= position < piece.end:
                return position
    if holder + 1 < index:
        return pieces[holder + 1].start
    return own_start if piece.whole else _word_start(text, earliest, end, clusters) or own_start


def _word_start(text: str, earliest: int, end: int, clusters: Clusters) -> int | None:
    blank = _BLANK.search(text, earliest - 1, end)
    position = clusters.ceil(blank.end() if blank else earliest)
    return position if earliest <= position < end else None
