"""One committed state of the index, as both legs read it."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..contracts import ChunkId, Filter, Hit
from ..errors import StoreError
from .checksums import is_text, row_is_intact
from .faults import damaged
from .lengths import read_lengths
from .manifest import State
from .rows import Row

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

_MOST_VARIABLES = 500


class View:
    """What can be read at `state`; loads nothing before it is asked."""

    def __init__(self, connection: sqlite3.Connection, path: Path, state: State) -> None:
        self.connection = connection
        self.path = path
        self.state = state
        self._masks: dict[str, NDArray[np.bool_]] = {}

    @cached_property
    def slots(self) -> NDArray[np.uint32]:
        """By chunk number: 0 where it is free, else the chunk's length plus 1."""
        return read_lengths(
            self.connection, self.path, chunks=self.state.chunks, tokens=self.state.tokens
        )

    @cached_property
    def free(self) -> NDArray[np.bool_] | None:
        """Chunk numbers not in use; None if all are."""
        return None if self.state.chunks == len(self.slots) else self.slots == 0

    def refused(self, where: Filter | None) -> NDArray[np.bool_] | None:
        """Chunk numbers that a search must not return; None if it may return all."""
        if where is None or not where.prefix:
            return self.free
        if (mask := self._masks.get(where.prefix)) is None:
            mask = np.ones(len(self.slots), dtype=bool)
            mask[self._numbers_below(where.prefix)] = False
            self._masks[where.prefix] = mask
        return mask

    def ids(self, numbers: Sequence[int]) -> list[ChunkId]:
        """Public ids of chunk numbers, in their order.

        Raises:
            IndexCorruptError: a number has no chunk, or its row was altered.
        """
        found: dict[int, ChunkId] = {}
        for number, id, checksum in self.where(
            "SELECT number, id, id_checksum FROM chunk WHERE number", numbers
        ):
            if not row_is_intact(checksum, number, id):
                raise damaged(self.path, f"the id of chunk {number} does not match its checksum")
            found[number] = ChunkId(id)
        if len(found) != len(numbers):
            raise damaged(self.path, "an index names a chunk that is not there")
        return [found[number] for number in numbers]

    def numbers(self, ids: Sequence[ChunkId]) -> NDArray[np.int64]:
        """Chunk numbers of public ids, in their order.

        Raises:
            StoreError: there is no such chunk.
        """
        found = dict(self.where("SELECT id, number FROM chunk WHERE id", ids))
        for id in ids:
            if id not in found:
                raise StoreError(f"there is no chunk {id!r} in the index")
        return np.array([found[id] for id in ids], dtype=np.int64)

    def ranking(
        self, numbers: NDArray[np.int64], scores: NDArray[np.float64], depth: int
    ) -> list[Hit]:
        """The `depth` best by falling score, ties by rising public id."""
        if len(numbers) > depth:
            kth = np.partition(scores, len(scores) - depth)[len(scores) - depth]
            numbers, scores = numbers[scores >= kth], scores[scores >= kth]
        hits = map(Hit, self.ids(numbers.tolist()), scores.tolist())
        return sorted(hits, key=lambda hit: (-hit.score, hit.chunk_id))[:depth]

    def where(self, query: str, values: Sequence[object]) -> Iterator[Row]:
        """Rows of `query`, which ends in the name of a column that must be one of `values`."""
        values = [value for value in values if not isinstance(value, str) or is_text(value)]
        for at in range(0, len(values), _MOST_VARIABLES):
            part = values[at : at + _MOST_VARIABLES]
            marks = ",".join("?" * len(part))
            # Not `yield from`: a caller that stops early would close a cursor that is gone.
            for row in self.connection.execute(f"{query} IN ({marks})", tuple(part)):  # noqa: UP028
                yield row

    def _numbers_below(self, prefix: str) -> list[int]:
        if not is_text(prefix):
            return []
        end = _after(prefix)
        within = "document.id >= ?" if end is None else "document.id >= ? AND document.id < ?"
        numbers: Iterable[tuple[int]] = self.connection.execute(
            "SELECT chunk.number FROM document JOIN chunk ON chunk.document = document.number "
            f"WHERE {within}",
            (prefix,) if end is None else (prefix, end),
        )
        return [number for (number,) in numbers]


def _after(prefix: str) -> str | None:
    """The first text, in code point order, behind all that start with `prefix`; None: none."""
    kept = prefix.rstrip("\U0010ffff")
    if not kept:
        return None
    following = ord(kept[-1]) + 1
    # UTF-8 holds no surrogates: U+E000 comes right after U+D7FF.
    return kept[:-1] + chr(0xE000 if 0xD800 <= following < 0xE000 else following)
