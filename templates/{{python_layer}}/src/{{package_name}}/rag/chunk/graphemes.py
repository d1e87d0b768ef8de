r"""Where a cut would fall inside a grapheme cluster (what a reader takes for one character).

Source: Unicode Standard Annex 29, as implemented by `\X` of the `regex` package.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

# No character of these ranges joins a neighbour; all others may. Most text is in them, and
# is passed over at the speed of a character class.
LONERS = (
    "\\x00-\\x0c\\x0e-\\u02ff\\u0370-\\u0482\\u048a-\\u0590\\u1e00-\\u200a\\u2010-\\u2027"
    "\\u2030-\\u205f\\u2070-\\u20cf\\u2100-\\u2cee\\u2d30-\\u2d7e\\u2e00-\\u3029"
    "\\u3030-\\u3098\\u309b-\\ua66e\\uac00-\\ud7a3\\uf900-\\ufb1d\\uff01-\\uff9d"
)
SLICE = 256
_JOINERS = re.compile(f"[^{LONERS}](?:[{LONERS}]?[^{LONERS}])*")


@dataclass(frozen=True, slots=True)
class Clusters:
    """Spans of the clusters of two or more code points, in order."""

    starts: list[int]
    ends: list[int]

    def floor(self, position: int) -> int:
        """The last place at or before `position` where a cut is allowed."""
        index = bisect_left(self.starts, position) - 1
        inside = index >= 0 and position < self.ends[index]
        return self.starts[index] if inside else position

    def ceil(self, position: int) -> int:
        """The first place at or after `position` where a cut is allowed."""
        index = bisect_left(self.starts, position) - 1
        inside = index >= 0 and position < self.ends[index]
        return self.ends[index] if inside else position


def find_clusters(text: str, longest: int) -> Clusters:
    """Find the clusters of `text`; one longer than `longest` counts as several."""
    clusters = Clusters([], [])
    if text.isascii() and "\r" not in text:
        return clusters
    for joined in _JOINERS.finditer(text):
        # Two loners never join, so a run of joiners and one loner on each side stands alone.
        for start, end in _graphemes(text, max(joined.start() - 1, 0), joined.end() + 1):
            if end - start > 1:
                pieces = range(start, end, longest)
                clusters.starts.extend(pieces)
                clusters.ends.extend(min(piece + longest, end) for piece in pieces)
    return clusters


def _graphemes(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Spans of all clusters between two places where one ends.

    In slices, since the pattern looks back over a whole run of flags at each step.
    """
    import regex

    end, width = min(end, len(text)), SLICE
    while start < end:
        part, reached = text[start : min(start + width, end)], 0
        for cluster in regex.finditer(r"\X", part):
            if cluster.end() == len(part) and start + len(part) < end:
                break  # it may go on in the next slice
            yield start + cluster.start(), start + cluster.end()
            reached = cluster.end()
        start, width = start + reached, SLICE if reached else width * 2
