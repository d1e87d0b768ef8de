"""The reading side of the keyword index: exact BM25 over the postings of a query's terms."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .checksums import blob_is_intact
from .faults import damaged
from .inverted import posting_place
from .postings import (
    BLOCK,
    decode,
    inverse_document_frequency,
    length_norms,
    saturation,
)
from .vectors import candidates

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..contracts import Filter, Hit
    from .view import View


@dataclass(frozen=True, slots=True)
class TermPostings:
    """A term's chunk numbers, rising, and frequencies, each of shape (document frequency,)."""

    numbers: NDArray[np.int64]
    frequencies: NDArray[np.uint8]


class KeywordIndex:
    """Search by BM25, as Lucene scores it.

    Each occurrence of a term in the query counts, chunk lengths are exact, and sums are in
    float64 in the order in which terms first occur in the query.
    """

    def __init__(self, *, k1: float, b: float) -> None:
        self._k1, self._b = k1, b
        self._view: View | None = None
        self._terms: tuple[str, ...] = ()
        self._scores: NDArray[np.float64] = np.zeros(0)
        self._norms: NDArray[np.float64] = np.zeros(0)

    def search(
        self, view: View, terms: Sequence[str], depth: int, where: Filter | None
    ) -> list[Hit]:
        """The `depth` best chunks with at least one of the terms."""
        scores = self.scores(view, terms)
        if where is not None and (refused := view.refused(where)) is not None:
            scores = np.where(refused, 0.0, scores)
        numbers = candidates(scores, depth, above=0.0)
        return view.ranking(numbers, scores[numbers], depth)

    def scores(self, view: View, terms: Sequence[str]) -> NDArray[np.float64]:
        """Scores by chunk number, 0 where no term occurs; the last query's are kept."""
        wanted = tuple(terms)
        if self._view is view and self._terms == wanted:
            return self._scores
        scores = np.zeros(len(view.slots))
        norms = self._length_norms(view)
        counted = Counter(wanted)
        stored = read_postings(view, list(counted))
        for term, repeats in counted.items():
            if found := stored.get(term):
                weight = self._weight(view, found) * repeats
                scores[found.numbers] += weight * saturation(
                    found.frequencies, norms[found.numbers]
                )
        self._terms, self._scores = wanted, scores
        return scores

    def matches(
        self, view: View, numbers: NDArray[np.int64], terms: Sequence[str]
    ) -> list[dict[str, float]]:
        """For each chunk number, what each term that it holds adds to its score."""
        norms = self._length_norms(view)[numbers]
        counted = Counter(terms)
        stored = read_postings(view, list(counted))
        matched: list[dict[str, float]] = [{} for _ in range(len(numbers))]
        for term, repeats in counted.items():
            if (found := stored.get(term)) is None:
                continue
            at = np.minimum(np.searchsorted(found.numbers, numbers), len(found.numbers) - 1)
            weight = self._weight(view, found) * repeats
            parts = weight * saturation(found.frequencies[at], norms)
            for index in np.flatnonzero(found.numbers[at] == numbers).tolist():
                matched[index][term] = float(parts[index])
        return matched

    def _weight(self, view: View, found: TermPostings) -> float:
        return inverse_document_frequency(view.state.chunks, len(found.numbers))

    def _length_norms(self, view: View) -> NDArray[np.float64]:
        if self._view is not view:
            lengths = np.maximum(view.slots, 1) - 1
            average = view.state.tokens / max(view.state.chunks, 1)
            self._norms = length_norms(lengths, average, k1=self._k1, b=self._b)
            self._view, self._terms, self._scores = view, (), np.zeros(len(view.slots))
        return self._norms


def read_postings(view: View, terms: Sequence[str]) -> dict[str, TermPostings]:
    """Postings of those terms that the index holds.

    Raises:
        IndexCorruptError: postings were altered, or are fewer than the term's frequency.
    """
    blobs: defaultdict[str, list[tuple[int, bytes]]] = defaultdict(list)
    for term, block, blob, checksum in view.where(
        "SELECT term, block, postings, checksum FROM posting WHERE term", terms
    ):
        if not blob_is_intact(checksum, blob, posting_place(term, block)):
            raise damaged(view.path, f"postings of {term!r} do not match their checksum")
        blobs[term].append((block, blob))
    found = {term: _joined(sorted(parts)) for term, parts in blobs.items()}
    frequencies = dict(view.where("SELECT text, frequency FROM term WHERE text", terms))
    if frequencies != {term: len(postings.numbers) for term, postings in found.items()}:
        raise damaged(view.path, "postings are missing, or there are too many")
    last = len(view.slots) - 1
    if any(postings.numbers[-1] > last for postings in found.values()):
        raise damaged(view.path, "postings name a chunk that is not there")
    return found


def _joined(parts: Sequence[tuple[int, bytes]]) -> TermPostings:
    decoded = [decode(blob) for _, blob in parts]
    starts = [block * BLOCK for block, _ in parts]
    numbers = np.concatenate([offsets for offsets, _ in decoded]).astype(np.int64)
    numbers += np.repeat(starts, [len(offsets) for offsets, _ in decoded])
    return TermPostings(numbers, np.concatenate([frequencies for _, frequencies in decoded]))
