"""What the similarity threshold refuses, among queries with an answer and without."""

from collections.abc import Sequence

import numpy as np

from .golden import GoldenQuery
from .report import Refusals, Refused


def refusals_of(
    queries: Sequence[GoldenQuery], nearest: Sequence[float | None], threshold: float
) -> Refusals:
    """Shares of queries whose nearest served passage is below `threshold`.

    `nearest` holds the similarity of that passage for each of `queries`: minus infinity where
    there is none, None where it is not known.
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
    refused = sum(near is not None and near < threshold for near in nearest)
    return Refused(len(nearest), refused / len(nearest) if nearest else 0.0)


def _separation(
    answerable: Sequence[float | None], unanswerable: Sequence[float | None]
) -> float | None:
    """Area under the ROC curve: the share of pairs in the right order, a tie being half one."""
    yes = np.array([near for near in answerable if near is not None])
    no = np.array([near for near in unanswerable if near is not None])
    if not len(yes) or not len(no):
        return None
    won = np.count_nonzero(yes[:, None] > no) + np.count_nonzero(yes[:, None] == no) / 2
    return float(won / (len(yes) * len(no)))
