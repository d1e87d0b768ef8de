"""The index as a file with companions: its log and the log's shared memory."""

import os
from contextlib import closing
from pathlib import Path

from ..errors import IndexCorruptError, StoreError
from .faults import translated
from .schema import connect, has_tables, require_index

_COMPANIONS = ("-wal", "-shm")


def is_absent(path: Path) -> bool:
    """Whether there is no file, or an empty one."""
    return not path.exists() or path.stat().st_size == 0


def is_damaged(path: Path) -> bool:
    """Whether the file is there, and SQLite finds fault with it.

    Raises:
        StoreError: it is a file of another program.
    """
    if not path.exists():
        return False
    try:
        with translated(path), closing(connect(path, "mode=rw")) as connection:
            if has_tables(connection):
                require_index(connection, path)
            return connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok"
    except IndexCorruptError:
        return True


def replace_file(fresh: Path, path: Path) -> None:
    """Put a finished file in the place of none, or of a damaged one.

    The log that a damaged file left goes first: it must never be played into the new file.
    """
    try:
        for suffix in _COMPANIONS:
            path.with_name(path.name + suffix).unlink(missing_ok=True)
        fresh.replace(path)
        if os.name == "posix":
            folder = os.open(path.parent, os.O_RDONLY)
            os.fsync(folder)
            os.close(folder)
    except OSError as error:
        raise StoreError(f"{path} can't be replaced: {error.strerror}") from error


def delete_file(path: Path) -> None:
    """Delete an index and what lies beside it, as far as it is there."""
    for suffix in ("", *_COMPANIONS):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
