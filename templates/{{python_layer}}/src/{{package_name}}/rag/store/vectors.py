"""Exact inner products and the top of a list of scores; pure functions over arrays.

A scan is done in float32 by `numpy.vecdot`, which stays on one thread and at the speed of
memory. Its sums depend on the order that the processor prefers, so they only choose
candidates, by a margin no error can exceed; the score that is returned is summed in float64 from
the first dimension to the last, and is the same on every machine and for every layout.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..contracts import Matrix, Vector

BLOCK = 64
"""Chunks whose vectors are stored in one blob."""

_GROUP = 64
_ROWS_AT_ONCE = 1024
_FLOAT32_UNIT = 2.0**-24


def inner_products(rows: Matrix, vector: Vector) -> NDArray[np.float64]:
    """Inner product of each row with `vector`, added up from left to right in float64.

    Products of float32 are exact in float64.
    """
    products = np.empty(len(rows), dtype=np.float64)
    wide = vector.astype(np.float64)
    for at in range(0, len(rows), _ROWS_AT_ONCE):
        part = rows[at : at + _ROWS_AT_ONCE].astype(np.float64) * wide
        products[at : at + _ROWS_AT_ONCE] = np.cumsum(part, axis=1)[:, -1]
    return products


def scan_error(dimensions: int, longest_row: float, vector: Vector) -> float:
    """How far a float32 inner product can be from the exact one, whatever the order of sums.

    Source: Higham, Accuracy and Stability of Numerical Algorithms, 2002, section 3.1.
    """
    growth = (dimensions + 8) * _FLOAT32_UNIT
    length = float(np.linalg.norm(vector.astype(np.float64)))
    return growth / (1 - growth) * longest_row * length * (1 + 1e-6)


def candidates(
    scores: NDArray[np.floating], depth: int, *, above: float = -np.inf, error: float = 0.0
) -> NDArray[np.int64]:
    """Indices, rising, of every score that may be among the `depth` highest, ties included.

    Scores up to `above` are no candidates. `error` bounds how far each score may be from the true
    one.
    """
    floor = _floor(scores, depth)
    if floor > above:
        chosen = np.flatnonzero(scores >= floor - 2 * error)
    else:
        chosen = np.flatnonzero(scores > above)
    if len(chosen) > depth:
        kept = scores[chosen]
        kth = np.partition(kept, len(kept) - depth)[len(kept) - depth]
        chosen = chosen[kept >= kth - 2 * error]
    return chosen


def _floor(scores: NDArray[np.floating], depth: int) -> float:
    """A lower bound of the `depth`-th highest score, from the maxima of groups."""
    groups = len(scores) // _GROUP
    if groups < depth:
        return -np.inf
    maxima = scores[: groups * _GROUP].reshape(groups, _GROUP).max(axis=1)
    return float(np.partition(maxima, groups - depth)[groups - depth])
