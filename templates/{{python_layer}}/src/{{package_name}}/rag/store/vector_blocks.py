"""The writing side of the dense index: vectors of `vectors.BLOCK` chunks in one blob.

A blob carries the run that wrote it last, so that a reader which keeps the matrix fetches
what changed since its own run, and nothing grows with the number of runs.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from .checksums import blob_checksum, blob_is_intact
from .faults import damaged
from .vectors import BLOCK

if TYPE_CHECKING:
    from ..contracts import Matrix, Vector

_MOST_PENDING = 64


def decode(
    block: int, run: int, blob: object, checksum: object, dimensions: int, path: Path
) -> Matrix:
    """One block, shape (BLOCK, dimensions), not writable.

    Raises:
        IndexCorruptError: the blob is not what was written.
    """
    if (
        not isinstance(blob, bytes)
        or len(blob) != 4 * BLOCK * dimensions
        or not blob_is_intact(checksum, blob, _place(block, run))
    ):
        raise damaged(path, f"vectors of block {block} do not match their checksum")
    return np.frombuffer(blob, dtype="<f4").reshape(BLOCK, dimensions)


class VectorBlocks:
    """Sets and clears vectors by chunk number, inside a write transaction."""

    def __init__(
        self, connection: sqlite3.Connection, path: Path, dimensions: int, run: int
    ) -> None:
        self.dimensions = dimensions
        self._connection = connection
        self._path = path
        self._run = run
        self._pending: dict[int, Matrix] = {}

    def get(self, number: int) -> Vector:
        """The vector at `number`, as it was set."""
        return self._block(number // BLOCK)[number % BLOCK].copy()

    def set(self, number: int, vector: Vector) -> None:
        """Put a vector at `number`."""
        self._block(number // BLOCK)[number % BLOCK] = vector

    def clear(self, number: int) -> None:
        """Leave no vector at `number`: zeros."""
        self._block(number // BLOCK)[number % BLOCK] = 0

    def save(self) -> None:
        """Write what is pending; a block without vectors is dropped."""
        for block, vectors in self._pending.items():
            if not vectors.any():
                self._connection.execute("DELETE FROM vectors WHERE block = ?", (block,))
                continue
            blob = vectors.astype("<f4").tobytes()
            self._connection.execute(
                "INSERT OR REPLACE INTO vectors VALUES (?, ?, ?, ?)",
                (block, self._run, blob, blob_checksum(blob, _place(block, self._run))),
            )
        self._pending.clear()

    def _block(self, block: int) -> Matrix:
        if (vectors := self._pending.get(block)) is None:
            if len(self._pending) >= _MOST_PENDING:
                self.save()
            row = self._connection.execute(
                "SELECT run, vectors, checksum FROM vectors WHERE block = ?", (block,)
            ).fetchone()
            vectors = np.zeros((BLOCK, self.dimensions), dtype=np.float32)
            if row:
                run, blob, checksum = row
                vectors[:] = decode(block, run, blob, checksum, self.dimensions, self._path)
            self._pending[block] = vectors
        return vectors


def _place(block: int, run: int) -> str:
    return f"vectors {block} {run}"
