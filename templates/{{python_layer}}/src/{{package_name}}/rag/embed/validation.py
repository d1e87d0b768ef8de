"""No vector that would poison an index or a query gets past this."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..errors import EmbeddingError

if TYPE_CHECKING:
    from ..contracts import Matrix, Vector


def validated(vectors: Matrix, *, rows: Sequence[int], dimensions: int, origin: str) -> Matrix:
    """Return `vectors` scaled to length 1, shape (len(rows), dimensions), float32.

    `rows` are the numbers of the texts, and `origin` names the model, both for messages.

    Raises:
        EmbeddingError: there are not as many rows as texts, or a row has another size, NaN,
            an infinity, or only zeros; the message holds the row and the reason.
    """
    if vectors.ndim != 2 or len(vectors) != len(rows):
        raise EmbeddingError(f"{origin} returned {len(vectors)} vectors for {len(rows)} texts")
    if not rows:
        return np.zeros((0, dimensions), dtype=np.float32)
    if vectors.shape[1] != dimensions:
        raise EmbeddingError(
            f"{origin}: the vector of text {rows[0]} has {vectors.shape[1]} dimensions, "
            f"expected {dimensions}"
        )
    with np.errstate(over="ignore", invalid="ignore"):
        squares = np.square(vectors.astype(np.float64, copy=False))
        # Added from left to right, as any language can, so that all get the same bits.
        lengths = np.sqrt(np.add.accumulate(squares, axis=1)[:, -1])
    usable = np.isfinite(lengths) & (lengths > 0)
    if not usable.all():
        row = int(np.argmin(usable))
        raise EmbeddingError(
            f"{origin}: the vector of text {rows[row]} {_fault(vectors[row])}",
            fix="It was not kept. Check the model, and that the text is not blank.",
        )
    return (vectors / lengths[:, None]).astype(np.float32)


def _fault(vector: Vector) -> str:
    if np.isnan(vector).any():
        return "holds NaN"
    return "holds only zeros" if np.isfinite(vector).all() else "holds an infinity"
