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
    count = len(pieces)
    first = list(range(-1, count))  # first[j]: where the run that ends before j starts
    last = list(range(1, count + 2))  # last[i]: where the run that starts at i ends
    keys = _orders(text, pieces)
    for index in sorted(range(1, count), key=keys.__getitem__):
        place = index
        # A run that grew at its front may have more room: ask again about the break at its end.
        while place < count and keys[place] <= keys[index]:
            start, end = first[place], last[place]
            room = longest if pieces[place].strength == GLUE else pieces[start].room
            if pieces[end - 1].end - pieces[start].start > room:
                break
            first[end], last[start] = start, end
            place = end
    runs: list[tuple[int, int]] = []
    index = 0
    while index < count:
        runs.append((index, last[index]))
        index = last[index]
    return runs


def _orders(text: str, pieces: Sequence[Piece]) -> list[int]:
    """A key for the break before each piece; breaks are closed by rising keys."""
    keys: list[int] = []
    # In ASCII a place in the bytes is the same place in the text, and one encoding serves all.
    raw = text.encode() if text.isascii() else None
    for index, piece in enumerate(pieces):
        start, strength = piece.start, piece.strength
        if strength == GLUE:
            keys.append(-index)  # a heading goes to what is under it before what is above it
            continue
        begin, end = start - BEFORE if start > BEFORE else 0, start + AFTER
        around = raw[begin:end] if raw else text[begin:end].encode("utf-8", "surrogatepass")
        keys.append(strength << 32 | crc32(around))
    return keys
