"""The reading side of the dense index: a scan for the first query, a matrix for all others."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from ..contracts import Hit
from ..errors import StoreError
from .faults import damaged
from .rows import Row
from .vector_blocks import decode
from .vectors import BLOCK, candidates, inner_products, scan_error

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..contracts import Filter, Matrix, Vector
    from .view import View

_SPARE = 1.125


class DenseIndex:
    """Exact search by inner product.

    The first search of a process streams the vectors and keeps none, so that a one-shot search
    needs little memory. The second loads the matrix; from then on, only blocks that a later run
    wrote are read again.
    """

    def __init__(self) -> None:
        self._searches = 0
        self._forget()

    def search(self, view: View, vector: Vector, depth: int, where: Filter | None) -> list[Hit]:
        """The `depth` best chunks that `where` allows."""
        vector = comparable(view, vector)
        if not view.state.chunks:
            return []
        self._searches += 1
        if self._searches > 1:
            self._refresh(view)
        scores, longest = self._scan(view, vector)
        if (refused := view.refused(where)) is not None:
            scores[refused] = -np.inf
        error = scan_error(len(vector), longest, vector)
        numbers = candidates(scores, depth, error=error)
        return view.ranking(numbers, inner_products(self.rows(view, numbers), vector), depth)

    def rows(self, view: View, numbers: NDArray[np.int64]) -> Matrix:
        """Vectors of chunk numbers, shape (len(numbers), dimensions), in their order."""
        if self._connection is view.connection and self._run == view.state.run:
            return self._matrix[numbers]
        wanted = sorted(set((numbers // BLOCK).tolist()))
        rows = np.empty((len(numbers), view.state.dimensions), dtype=np.float32)
        found = 0
        query = "SELECT block, run, vectors, checksum FROM vectors WHERE block"
        for block, vectors in decoded_blocks(view, view.where(query, wanted)):
            here = numbers // BLOCK == block
            rows[here] = vectors[numbers[here] % BLOCK]
            found += 1
        if found != len(wanted):
            raise damaged(view.path, "a chunk has no vector")
        return rows

    def _scan(self, view: View, vector: Vector) -> tuple[NDArray[np.float32], float]:
        """Inexact scores by chunk number, and the length of the longest vector."""
        count = len(view.slots)
        if self._connection is view.connection and self._run == view.state.run:
            scores: NDArray[np.float32] = np.vecdot(self._matrix[:count], vector)
            return scores, float(self._norms.max())
        scores = np.full(-(-count // BLOCK) * BLOCK, -np.inf, dtype=np.float32)
        present = np.zeros(len(scores) // BLOCK, dtype=bool)
        longest = 0.0
        stored = view.connection.execute("SELECT block, run, vectors, checksum FROM vectors")
        for block, vectors in decoded_blocks(view, stored):
            scores[block * BLOCK : (block + 1) * BLOCK] = np.vecdot(vectors, vector)
            present[block] = True
            longest = max(longest, float(np.vecdot(vectors, vectors).max()))
        _require_all(view, present)
        return scores[:count], longest**0.5

    def _refresh(self, view: View) -> None:
        """Bring the matrix to the view's state."""
        if self._connection is not view.connection or len(self._present) == 0:
            self._forget()
        if self._connection is view.connection and self._run == view.state.run:
            return
        try:
            self._read(view)
        except BaseException:
            self._forget()
            raise

    def _read(self, view: View) -> None:
        blocks = -(-len(view.slots) // BLOCK)
        if self._matrix.shape[1] != view.state.dimensions:
            self._forget()
        self._grow(blocks, view.state.dimensions)
        stored = view.connection.execute(
            "SELECT block, run, vectors, checksum FROM vectors WHERE run > ?", (self._run,)
        )
        for block, vectors in decoded_blocks(view, stored):
            self._matrix[block * BLOCK : (block + 1) * BLOCK] = vectors
            self._norms[block] = np.vecdot(vectors, vectors).max() ** 0.5
            self._present[block] = True
        _require_all(view, self._present)
        self._connection, self._run = view.connection, view.state.run

    def _grow(self, blocks: int, dimensions: int) -> None:
        have = len(self._present)
        if blocks <= have:
            return
        room = blocks if not have else int(blocks * _SPARE)
        matrix = np.zeros((room * BLOCK, dimensions), dtype=np.float32)
        if have:
            matrix[: have * BLOCK] = self._matrix
        self._matrix = matrix
        self._norms = np.concatenate([self._norms, np.zeros(room - have)])
        self._present = np.concatenate([self._present, np.zeros(room - have, dtype=bool)])

    def _forget(self) -> None:
        self._connection: sqlite3.Connection | None = None
        self._run = 0
        self._matrix: Matrix = np.zeros((0, 0), dtype=np.float32)
        self._norms: NDArray[np.float64] = np.zeros(0)
        self._present: NDArray[np.bool_] = np.zeros(0, dtype=bool)


def comparable(view: View, vector: Vector) -> Vector:
    """The vector in the type of the stored ones, shape (dimensions,), float32.

    Raises:
        StoreError: it has another size, or holds NaN or infinity.
    """
    if view.state.chunks and vector.shape != (view.state.dimensions,):
        raise StoreError(
            f"the query vector has shape {vector.shape}, "
            f"the index has vectors of {view.state.dimensions} dimensions"
        )
    if not np.isfinite(vector).all():
        raise StoreError("the query vector holds NaN or infinity")
    return np.ascontiguousarray(vector, dtype=np.float32)


def decoded_blocks(view: View, rows: Iterable[Row]) -> Iterator[tuple[int, Matrix]]:
    """Blocks of vectors; one that starts behind the last chunk is damage."""
    for block, run, blob, checksum in rows:
        vectors = decode(block, run, blob, checksum, view.state.dimensions, view.path)
        if not 0 <= block * BLOCK < len(view.slots):
            raise damaged(view.path, f"vectors of block {block} belong to no chunk")
        yield block, vectors


def _require_all(view: View, present: NDArray[np.bool_]) -> None:
    """Every chunk in use has its block of vectors."""
    if not present[np.flatnonzero(view.slots) // BLOCK].all():
        raise damaged(view.path, "a chunk has no vector")
