"""How sure a difference between two retrievers is, from their scores on the same queries."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from ..contracts import QueryId
from ..errors import EvaluationError
from .draws import draws_at


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean difference and where it lies in 95 of 100 resamples."""

    mean: float
    low: float
    high: float

    @property
    def is_gain(self) -> bool:
        """Whether the whole interval lies above 0."""
        return self.low > 0

    @property
    def is_loss(self) -> bool:
        """Whether the whole interval lies below 0."""
        return self.high < 0


@dataclass(frozen=True, slots=True)
class Difference:
    """nDCG@10 of `row` less that of `against`, on the same queries."""

    row: str
    against: str
    interval: Interval


def paired_bootstrap(
    differences: Sequence[float],
    groups: Sequence[int] | None = None,
    *,
    resamples: int = 2000,
    seed: int = 0,
) -> Interval:
    """Percentile interval of the mean of paired `differences`, one per query.

    Queries of one group, such as those about one document, are drawn together, since they
    succeed and fail together. Equal arguments give an equal interval, in every language.

    Raises:
        ValueError: there are no differences.

    Source: Sakai, Evaluating evaluation metrics based on the bootstrap, SIGIR 2006; Efron &
    Tibshirani, An introduction to the bootstrap, 1993.
    """
    if not differences:
        raise ValueError("no differences to resample")
    sums, counts = _by_group(differences, groups)
    first = np.arange(resamples) * len(sums)
    totals, sizes = np.zeros(resamples), np.zeros(resamples)
    # Added draw by draw, so that each sum has one order and every language gets the same.
    for draw in range(len(sums)):
        drawn = draws_at(seed, first + draw, len(sums))
        totals += sums[drawn]
        sizes += counts[drawn]
    means = np.sort(totals / sizes)
    return Interval(fmean(differences), _quantile(means, 0.025), _quantile(means, 0.975))


def compare_scores(
    row: str,
    scores: Mapping[QueryId, float],
    against: str,
    others: Mapping[QueryId, float],
) -> Difference:
    """How much better `row` did than `against`, and how sure that is.

    Raises:
        EvaluationError: they were not scored on the same queries.
    """
    if scores.keys() != others.keys():
        raise EvaluationError(f"{row} and {against} were scored on different queries")
    differences = [score - others[query_id] for query_id, score in scores.items()]
    return Difference(row, against, paired_bootstrap(differences))


def _by_group(
    differences: Sequence[float], groups: Sequence[int] | None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    values = np.asarray(differences, dtype=np.float64)
    if groups is None:
        return values, np.ones(len(values))
    _, index = np.unique(np.asarray(groups), return_inverse=True)
    sums = np.bincount(index, weights=values).astype(np.float64)
    return sums, np.bincount(index).astype(np.float64)


def _quantile(values: NDArray[np.float64], share: float) -> float:
    """The value at a share of sorted `values`, on the line between its neighbours."""
    place = share * (len(values) - 1)
    below = int(place)
    low, high = float(values[below]), float(values[min(below + 1, len(values) - 1)])
    return low + (high - low) * (place - below)
