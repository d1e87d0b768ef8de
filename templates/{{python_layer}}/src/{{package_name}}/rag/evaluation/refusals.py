"""What the similarity threshold refuses, among queries with an answer and without."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .golden import GoldenQuery
from .report import Refusals, Refused


def refusals_of(
    queries: Sequence[GoldenQuery], nearest: Sequence[float | None], threshold: float
) -> Refusals:
    """Shares of queries whose nearest served passage is below `threshold`, or that have none.

    `nearest` holds the similarity of that passage for each of `queries`.
    """
    pairs = list(zip(queries, nearest, strict=True))
    answerable = [near for query, near in pairs if query.answerable]
    unanswerable = [near for query, near in pairs if not query.answerable]
    slices: dict[str, list[float | None]] = {}
    for query, near in pairs:
        if not query.answerable and query.slice:
            slices.setdefault(query.slice, []).append(near)
    return Refusals(
        threshold=threshold,
        answerable=_refused(answerable, threshold),
        unanswerable=_refused(unanswerable, threshold),
        slices={name: _refused(near, threshold) for name, near in sorted(slices.items())},
        separation=_separation(answerable, unanswerable),
    )


def _refused(nearest: Sequence[float | None], threshold: float) -> Refused:
    refused = sum(near is None or near < threshold for near in nearest)
    return Refused(len(nearest), refused / len(nearest) if nearest else 0.0)


def _separation(
    answerable: Sequence[float | None], unanswerable: Sequence[float | None]
) -> float | None:
    """Area under the ROC curve: the share of pairs in the right order, a tie being half one."""
    if not answerable or not unanswerable:
        return None
    yes, no = _similarities(answerable)[:, None], _similarities(unanswerable)[None, :]
    won = np.count_nonzero(yes > no) + np.count_nonzero(yes == no) / 2
    return float(won / (len(answerable) * len(unanswerable)))


def _similarities(nearest: Sequence[float | None]) -> NDArray[np.float64]:
    return np.array([-np.inf if near is None else near for near in nearest])
