"""Every character that Unicode 14 has: how its case folds, and what counts as what.

That is the version of the oldest Python that a service runs on, and what is assigned stays as
it is: later versions add to it. `assigned.json` lists the characters.
"""

import json
import re
import unicodedata
from collections.abc import Callable, Iterable
from itertools import pairwise
from pathlib import Path

from acme_search.rag.analysis import fold

WORD, DIGIT, BLANK = re.compile(r"\w"), re.compile(r"\d"), re.compile(r"\s")


def vectors() -> dict[str, object]:
    listed = json.loads(Path(__file__).with_name("assigned.json").read_text("utf-8"))
    bounds = list(pairwise(listed["ranges"]))[::2]
    assigned = [chr(point) for start, end in bounds for point in range(start, end)]
    return {
        "unicode": listed["unicode"],
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
