"""Where a stretch that is too long may be cut: places, each with how strong a break it is.

Each cutter yields (position, strength) in rising order, strictly inside the stretch.
"""

import re
from collections.abc import Callable, Iterator
from typing import TypeAlias

from .graphemes import Clusters
from .plain import BLANK_LINES

Cut: TypeAlias = tuple[int, int]
Cutter: TypeAlias = Callable[[str, int, int], Iterator[Cut]]

GLUE, WORD, LINE, SENTENCE, INNER_GAP, OUTER_GAP, PART, BLOCK, HEADING = range(0, 90, 10)

WIDE_STOPS = "。！？｡"
_STOPS = re.compile(f"[.!?…{WIDE_STOPS}]++[\"'”’»)\\]」』）】]*+\\s*+")
_TOKEN_BREAK = re.compile(r"\s")


def sentence_cuts(text: str, start: int, end: int) -> Iterator[Cut]:
    """Starts of sentences, by a simple rule: a stop, a space, and no small letter."""
    for stop in _STOPS.finditer(text, start, end):
        position = stop.end()
        if position >= end:
            return
        is_spaced = text[position - 1].isspace()
        if (is_spaced and not text[position].islower()) or text[stop.start()] in WIDE_STOPS:
            yield position, SENTENCE


def line_cuts(text: str, start: int, end: int) -> Iterator[Cut]:
    """Starts of lines."""
    position = text.find("\n", start, end - 1) + 1
    while position:
        yield position, LINE
        position = text.find("\n", position, end - 1) + 1


def gap_cuts(text: str, start: int, end: int) -> Iterator[Cut]:
    """Lines after blank ones; the ones that are not indented are the stronger breaks."""
    for gap in BLANK_LINES.finditer(text, start, end):
        if start < gap.end() < end:
            yield gap.end(), INNER_GAP if text[gap.end()] in " \t" else OUTER_GAP


def word_cuts(
    text: str, start: int, end: int, first: int, rest: int, clusters: Clusters
) -> Iterator[Cut]:
    """Cuts that leave `first` and then at most `rest` code points, at a space where one is near.

    A cluster is never cut; one that is longer than `rest` stands alone.
    """
    room = first
    while end - start > room:
        position = _last_space(text, start + room // 4, start + room)
        position = clusters.floor(position)
        if position <= start:
            position = clusters.ceil(start + 1)
        if position >= end:
            return
        yield position, WORD
        start, room = position, rest


def _last_space(text: str, start: int, end: int) -> int:
    if text[end].isspace():
        return end
    position = max(text.rfind(" ", start, end), text.rfind("\n", start, end))
    return position + 1 if position >= start else end


PROSE: tuple[Cutter, ...] = (sentence_cuts, line_cuts)
CODE: tuple[Cutter, ...] = (gap_cuts, line_cuts)
ROWS: tuple[Cutter, ...] = (line_cuts,)
