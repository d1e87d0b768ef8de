"""Turns what SQLite reports into errors that say what to do; no engine's text is an answer."""

import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from ..errors import IndexCorruptError, IndexLockedError, StoreError

BUILD = "Run `index`."
REBUILD = "Run `index --rebuild`."

_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT}
_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_DENIED = {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH}


def damaged(path: Path, what: str) -> IndexCorruptError:
    """The error for an index that contradicts itself."""
    return IndexCorruptError(f"{path} is damaged: {what}", fix=REBUILD)


@contextmanager
def translated(path: Path) -> Generator[None]:
    """Raise StoreError or one of its kinds for whatever sqlite3 raises inside."""
    try:
        yield
    except sqlite3.Error as error:
        raise store_error(path, error) from error


def store_error(path: Path, error: sqlite3.Error) -> StoreError:
    """The error to show for `error`; its text names the file and the way out."""
    code = getattr(error, "sqlite_errorcode", None)
    primary = code & 0xFF if isinstance(code, int) else None
    if primary in _DAMAGED or _is_damage_by_text(primary, str(error)):
        return damaged(path, str(error))
    if primary in _BUSY:
        return IndexLockedError(f"{path} is in use by another process", fix="Try again later.")
    if primary in _DENIED:
        return StoreError(f"{path} can't be written: it or its folder is read-only")
    if primary == sqlite3.SQLITE_CANTOPEN:
        return StoreError(f"{path} can't be opened: check that its folder may be written")
    if primary == sqlite3.SQLITE_FULL:
        return StoreError(f"{path} can't grow: the disk is full", fix="Free some space.")
    if primary == sqlite3.SQLITE_IOERR:
        return StoreError(f"{path}: reading or writing failed; is the disk full or failing?")
    if primary == sqlite3.SQLITE_CONSTRAINT:
        return StoreError(f"{path}: two documents, or two chunks, have one id")
    return StoreError(f"{path}: {error}")


def _is_damage_by_text(primary: int | None, text: str) -> bool:
    """Damage that has no code of its own: a lost table, text that is not UTF-8."""
    return text.startswith("Could not decode") or (
        primary == sqlite3.SQLITE_ERROR and text.startswith("no such")
    )
