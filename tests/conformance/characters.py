"""Every character that Unicode has assigned: how its case folds, and what counts as what.

Versions of Unicode assign more. The vectors hold the characters of the version that the Python
of the reference has, and name it; what was assigned stays as it is.
"""

import re
import sys
import unicodedata
from collections.abc import Callable, Iterable

from acme_search.rag.analysis import fold

WORD, DIGIT, BLANK = re.compile(r"\w"), re.compile(r"\d"), re.compile(r"\s")


def vectors() -> dict[str, object]:
    assigned = [chr(point) for point in range(sys.maxunicode + 1) if _is_assigned(point)]
    return {
        "unicode": unicodedata.unidata_version,
        "assigned": _ranges(assigned),
        "classes": {
            "letter": _ranges(filter(str.isalpha, assigned)),
            "word": _ranges(_matching(WORD.match, assigned)),
            "digit": _ranges(_matching(DIGIT.match, assigned)),
            "blank": _ranges(_matching(BLANK.match, assigned)),
        },
        "foldedCase": {char: char.casefold() for char in assigned if char.casefold() != char},
        "withoutMarks": {char: fold(char) for char in assigned if _is_told(char)},
    }


def _is_assigned(point: int) -> bool:
    return unicodedata.category(chr(point)) not in ("Cn", "Cs", "Co")


def _is_told(char: str) -> bool:
    """Whether NFKC alone would leave something else: these show what counts as a mark."""
    return fold(char) != unicodedata.normalize("NFKC", char)


def _matching(match: Callable[[str], object], characters: Iterable[str]) -> Iterable[str]:
    return (char for char in characters if match(char))


def _ranges(characters: Iterable[str]) -> list[int]:
    """Code points that start a range and that end one (the first after it), in turn."""
    bounds: list[int] = []
    for point in map(ord, characters):
        if bounds and bounds[-1] == point:
            bounds[-1] = point + 1
        else:
            bounds += [point, point + 1]
    return bounds
