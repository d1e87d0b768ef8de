"""A file of vectors by key, that may be shared, damaged or unwritable without harm."""

from __future__ import annotations

import logging
import sqlite3
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ..contracts import Vector

log = logging.getLogger(__name__)

SCHEMA_VERSION = 1
_TABLE = """
CREATE TABLE IF NOT EXISTS vectors (
    space BLOB NOT NULL, key BLOB NOT NULL, vector BLOB NOT NULL, checksum INTEGER NOT NULL,
    PRIMARY KEY (space, key)
)
"""
_WAIT_S = 30
_KEYS_PER_QUERY = 500
# Primary codes of a file that may be whole, but can't be used now. Any other one is damage.
_BLOCKED = frozenset(
    {
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_INTERRUPT,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
    }
)


class VectorFile:
    """Vectors of one `space`, the digest of what makes vectors comparable.

    Each `store` is one transaction. A damaged file is set aside as `*.damaged` and begun anew;
    one that can't be opened, read or written is done without. Either is logged, neither raised.
    """

    def __init__(self, path: Path, space: bytes, dimensions: int) -> None:
        self._path = path
        self._space = space
        self._dimensions = dimensions
        self._connection: sqlite3.Connection | None = None
        try:
            self._connection = self._open()
        except (OSError, sqlite3.Error) as error:
            self._give_up(error)

    def load(self, keys: Sequence[bytes]) -> dict[bytes, Vector]:
        """The vectors that are there and whole; each float32, shape (dimensions,)."""
        found: dict[bytes, Vector] = {}
        for start in range(0, len(keys), _KEYS_PER_QUERY):
            if self._connection is None:
                break
            part = keys[start : start + _KEYS_PER_QUERY]
            marks = ",".join("?" * len(part))
            query = f"SELECT * FROM vectors WHERE space = ? AND key IN ({marks})"
            try:
                rows = self._connection.execute(query, (self._space, *part)).fetchall()
            except sqlite3.Error as error:
                self._give_up(error)
                continue
            for _, key, vector, checksum in rows:
                if checksum == _checksum(key, vector) and len(vector) == 4 * self._dimensions:
                    found[key] = np.frombuffer(vector, dtype=np.float32)
        return found

    def store(self, vectors: Mapping[bytes, Vector]) -> None:
        """Keep vectors, durable when it returns."""
        if self._connection is None:
            return
        blobs = ((key, vector.astype(np.float32).tobytes()) for key, vector in vectors.items())
        rows = [(self._space, key, blob, _checksum(key, blob)) for key, blob in blobs]
        try:
            with self._connection:
                self._connection.executemany(
                    "INSERT OR REPLACE INTO vectors VALUES (?, ?, ?, ?)", rows
                )
        except sqlite3.Error as error:
            self._give_up(error)

    def close(self) -> None:
        """Close the file; afterwards nothing is found and nothing kept."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _open(self) -> sqlite3.Connection:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(self._path, timeout=_WAIT_S)
        try:
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if version not in (0, SCHEMA_VERSION):
                raise sqlite3.DatabaseError(f"schema version {version}, not {SCHEMA_VERSION}")
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute(_TABLE)
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    def _give_up(self, error: Exception) -> None:
        self.close()
        if not _is_damage(error):
            log.warning("embed.cache unusable, going on without it: %s: %s", self._path, error)
            return
        aside = self._path.with_name(self._path.name + ".damaged")
        log.warning("embed.cache damaged, set aside as %s: %s", aside, error)
        try:
            self._path.replace(aside)
            self._connection = self._open()
        except (OSError, sqlite3.Error) as again:
            log.warning("embed.cache unusable, going on without it: %s: %s", self._path, again)


def _is_damage(error: Exception) -> bool:
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
    return isinstance(error, sqlite3.DatabaseError) and code not in _BLOCKED


def _checksum(key: bytes, vector: bytes) -> int:
    return zlib.crc32(vector, zlib.crc32(key))
