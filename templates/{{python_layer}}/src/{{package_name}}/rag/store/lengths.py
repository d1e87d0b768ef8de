"""Which chunk numbers are in use, and how many terms each chunk has.

One blob holds a block of `postings.BLOCK` numbers as uint32: 0 for a free number, else the
chunk's length plus 1. The lowest free number is used first, so that deletions leave no holes
that stay.
"""

from __future__ import annotations

import heapq
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from .checksums import blob_checksum, blob_is_intact
from .faults import damaged
from .postings import BLOCK

if TYPE_CHECKING:
    from numpy.typing import NDArray


def decode(block: int, blob: object, checksum: object, path: Path) -> NDArray[np.uint32]:
    """One block, shape (BLOCK,).

    Raises:
        IndexCorruptError: the blob is not what was written.
    """
    if not isinstance(blob, bytes) or not blob_is_intact(checksum, blob, f"lengths {block}"):
        raise damaged(path, f"lengths of block {block} do not match their checksum")
    return np.frombuffer(blob, dtype="<u4", count=BLOCK)


def read_blocks(connection: sqlite3.Connection, path: Path) -> dict[int, NDArray[np.uint32]]:
    """All blocks, by number; errors as `decode`."""
    rows = connection.execute("SELECT block, lengths, checksum FROM lengths")
    return {block: decode(block, blob, checksum, path) for block, blob, checksum in rows}


def read_lengths(
    connection: sqlite3.Connection, path: Path, *, chunks: int, tokens: int
) -> NDArray[np.uint32]:
    """All blocks, up to the last number in use.

    Raises:
        IndexCorruptError: they do not add up to `chunks` numbers in use and `tokens` terms.
    """
    stored = read_blocks(connection, path)
    lengths = np.zeros((max(stored, default=-1) + 1) * BLOCK, dtype=np.uint32)
    for block, values in stored.items():
        lengths[block * BLOCK : (block + 1) * BLOCK] = values
    live = np.flatnonzero(lengths)
    if len(live) != chunks or int(lengths.sum(dtype=np.int64)) - chunks != tokens:
        raise damaged(path, "its chunks are not as many, or not as long, as were written")
    return lengths[: int(live[-1]) + 1 if chunks else 0]


class Numbers:
    """Hands out chunk numbers inside a write transaction."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self._blocks = read_blocks(connection, path)
        self._live = {block: int(np.count_nonzero(taken)) for block, taken in self._blocks.items()}
        self._changed: set[int] = set()
        self._current = -1
        self._free: list[int] = []

    def take(self, length: int) -> int:
        """A free number, now in use for a chunk of `length` terms."""
        if not self._free:
            self._current = self._lowest_with_room()
            self._free = np.flatnonzero(self._writable(self._current) == 0).tolist()
        number = self._current * BLOCK + heapq.heappop(self._free)
        self._live[self._current] += 1
        self.resize(number, length)
        return number

    def length(self, number: int) -> int:
        """Length of the chunk at `number`."""
        return int(self._blocks[number // BLOCK][number % BLOCK]) - 1

    def resize(self, number: int, length: int) -> None:
        """Set the length of the chunk at `number`."""
        self._writable(number // BLOCK)[number % BLOCK] = length + 1

    def release(self, number: int) -> None:
        """Make `number` free."""
        block = number // BLOCK
        self._writable(block)[number % BLOCK] = 0
        self._live[block] -= 1
        if block == self._current:
            heapq.heappush(self._free, number % BLOCK)

    def is_full(self, number: int) -> bool:
        """Whether the block of `number` has no free number left."""
        return self._live[number // BLOCK] == BLOCK

    def live(self) -> dict[int, int]:
        """How many numbers are in use, by block."""
        return dict(self._live)

    def save(self) -> None:
        """Write what changed; a block with nothing in use is dropped."""
        for block in self._changed:
            if self._live[block] == 0:
                self._connection.execute("DELETE FROM lengths WHERE block = ?", (block,))
                continue
            blob = self._blocks[block].astype("<u4").tobytes()
            self._connection.execute(
                "INSERT OR REPLACE INTO lengths VALUES (?, ?, ?)",
                (block, blob, blob_checksum(blob, f"lengths {block}")),
            )

    def _lowest_with_room(self) -> int:
        block = 0
        while self._live.setdefault(block, 0) == BLOCK:
            block += 1
        return block

    def _writable(self, block: int) -> NDArray[np.uint32]:
        if block not in self._changed:
            self._changed.add(block)
            stored = self._blocks.get(block)
            self._blocks[block] = (
                np.zeros(BLOCK, dtype=np.uint32) if stored is None else stored.copy()
            )
        return self._blocks[block]
