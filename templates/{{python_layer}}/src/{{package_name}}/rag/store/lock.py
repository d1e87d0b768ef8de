"""One writer at a time, by a lock on a file, and a file beside it that says who holds it.

The lock is SQLite's, on an empty database: Python and Node both know it, and the operating
system frees it when its holder dies, so that a killed run blocks nobody. The file itself stays:
removing it would let two writers lock two files of one name.
"""

import json
import os
import socket
import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from ..errors import IndexLockedError, StoreError


@contextmanager
def writer_lock(path: Path, *, wait_s: float) -> Generator[None]:
    """Hold the lock file at `path`, waiting up to `wait_s` seconds for it.

    Raises:
        IndexLockedError: another process holds it; the message names it.
        StoreError: the file cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Not opened and closed by hand: that would free the lock of another thread.
        path.touch()
    except OSError as error:
        raise _unwritable(path, str(error.strerror)) from error
    holder = path.with_suffix(".holder")
    with closing(sqlite3.connect(path, timeout=wait_s, isolation_level=None)) as connection:
        if not _try_lock(connection, path):
            raise IndexLockedError(
                f"another run is writing the index: {_holder(holder)}",
                fix="Wait for it to end, or stop it.",
            )
        _name_holder(holder)
        yield


def _try_lock(connection: sqlite3.Connection, path: Path) -> bool:
    """Begin a transaction that writes nothing, and lasts as long as the connection."""
    try:
        connection.execute("PRAGMA journal_mode=MEMORY")
        connection.execute("BEGIN IMMEDIATE")
    except sqlite3.Error as error:
        if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY:
            return False
        raise _unwritable(path, str(error)) from error
    return True


def _unwritable(path: Path, reason: str) -> StoreError:
    return StoreError(
        f"{path.parent} can't be written: {reason}",
        fix="Make the index folder writable, or choose another.",
    )


def _name_holder(path: Path) -> None:
    since = datetime.now(UTC).isoformat(timespec="seconds")
    holder = {"pid": os.getpid(), "host": socket.gethostname(), "since": since}
    try:
        path.write_text(json.dumps(holder), encoding="utf-8")
    except OSError:
        # The lock is held all the same; only its name is missing, as on a full disk.
        return


def _holder(path: Path) -> str:
    try:
        holder = json.loads(path.read_bytes())
        return f"process {holder['pid']} on {holder['host']}, since {holder['since']}"
    except (OSError, ValueError, KeyError, TypeError):
        return "a process that did not give its name"
