"""How sure a difference between two retrievers is, from their scores on the same queries."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean difference and where it lies in 95 of 100 resamples."""

    mean: float
    low: float
    high: float

    @property
    def is_gain(self) -> bool:
        return self.low > 0

    @property
    def is_loss(self) -> bool:
        return self.high < 0


def paired_bootstrap(
    differences: Sequence[float],
    groups: Sequence[int] | None = None,
    *,
    resamples: int = 5000,
    seed: int = 0,
) -> Interval:
    """Percentile interval of the mean of paired `differences`, one per query.

    Queries of one group, such as those about one document, are drawn together, since they
    succeed and fail together. Equal arguments give an equal interval.

    Raises:
        ValueError: there are no differences.

    Source: Sakai, Evaluating evaluation metrics based on the bootstrap, SIGIR 2006; Efron &
    Tibshirani, An introduction to the bootstrap, 1993.
    """
    if not differences:
        raise ValueError("no differences to resample")
    sums, counts = _by_group(differences, groups)
    drawn = np.random.default_rng(seed).multinomial(
        len(sums), np.full(len(sums), 1 / len(sums)), size=resamples
    )
    means = (drawn @ sums) / (drawn @ counts)
    low, high = np.quantile(means, [0.025, 0.975])
    return Interval(float(sums.sum() / counts.sum()), float(low), float(high))


def randomisation_test(
    differences: Sequence[float], *, permutations: int = 10_000, seed: int = 0
) -> float:
    """Two-sided p-value that paired `differences` have mean 0, by random changes of sign.

    Source: Smucker, Allan & Carterette, CIKM 2007.
    """
    values = np.asarray(differences, dtype=np.float64)
    values = values[values != 0]
    rng = np.random.default_rng(seed)
    signs = rng.integers(0, 2, size=(permutations, len(values)), dtype=np.int8) * 2 - 1
    # A sum that differs by rounding alone is as extreme as the one that was seen.
    seen = abs(values.sum()) - 1e-12
    as_extreme = int(np.count_nonzero(np.abs(signs @ values) >= seen))
    return (as_extreme + 1) / (permutations + 1)


def _by_group(
    differences: Sequence[float], groups: Sequence[int] | None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    values = np.asarray(differences, dtype=np.float64)
    if groups is None:
        return values, np.ones(len(values))
    _, index = np.unique(np.asarray(groups), return_inverse=True)
    return np.bincount(index, weights=values), np.bincount(index).astype(np.float64)
