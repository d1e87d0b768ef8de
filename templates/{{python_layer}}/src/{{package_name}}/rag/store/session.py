"""A reader's connection: one read transaction at a time, always on the newest state."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from ..errors import IndexMissingError
from .faults import BUILD, damaged, translated
from .manifest import Manifest, read_identity, read_state, require_identity
from .schema import connect, has_tables, require_index, require_version
from .view import View


class Session:
    """Opens the file and checks it whenever another run has written it.

    Threads may share a session; they take turns.
    """

    def __init__(self, path: Path, manifest: Manifest | None) -> None:
        self._path = path
        self._manifest = manifest
        self._turn = threading.RLock()
        self._depth = 0
        self._connection: sqlite3.Connection | None = None
        self._frozen = False
        self._file: tuple[int, ...] = ()
        self._view: View | None = None

    @contextmanager
    def view(self) -> Generator[View]:
        """Hold one committed state; inside, the same state is held on.

        Raises:
            IndexMissingError: there is no index.
            IndexMismatchError: it was built with other settings.
            IndexCorruptError: it is damaged.
        """
        with self._turn, translated(self._path):
            if self._view is None or self._depth == 0:
                self._view = self._begin()
            self._depth += 1
            try:
                yield self._view
            finally:
                self._depth -= 1
                if self._depth == 0 and self._connection is not None:
                    self._connection.rollback()

    def close(self) -> None:
        """Close the file; the session may be used again."""
        with self._turn:
            if self._connection is not None:
                self._connection.close()
            self._connection = self._view = None

    def _begin(self) -> View:
        connection = self._reopened()
        connection.execute("BEGIN")
        try:
            if self._view is not None:
                state = read_state(connection, self._path)
                if state.run == self._view.state.run:
                    return self._view
            return self._checked(connection)
        except BaseException:
            connection.rollback()
            self._view = None
            raise

    def _checked(self, connection: sqlite3.Connection) -> View:
        if not has_tables(connection):
            raise missing(self._path)
        require_index(connection, self._path)
        require_version(connection)
        if self._manifest is not None:
            require_identity(read_identity(connection, self._path), self._manifest)
        return View(connection, self._path, read_state(connection, self._path))

    def _reopened(self) -> sqlite3.Connection:
        """The connection, opened anew if another file has taken the path."""
        file = file_identity(self._path)
        if self._frozen:
            file = (*file, self._path.stat().st_mtime_ns)
        if self._connection is None or file != self._file:
            self.close()
            self._connection, self._frozen = open_read_only(self._path)
            self._file = file
        return self._connection


def file_identity(path: Path) -> tuple[int, ...]:
    """What tells a file from another of the same name.

    Raises:
        IndexMissingError: there is no file.
    """
    try:
        found = path.stat()
    except FileNotFoundError:
        raise missing(path) from None
    except OSError as error:
        raise damaged(path, str(error.strerror)) from error
    return found.st_dev, found.st_ino


def open_read_only(path: Path) -> tuple[sqlite3.Connection, bool]:
    """Open for reading, also from a folder that may not be written.

    There SQLite cannot make the shared memory that its log needs. Without a log the file is
    complete in itself, and is read as frozen: the second value. It must be opened again when
    it was written to.
    """
    connection = connect(path, "mode=ro")
    try:
        connection.execute("PRAGMA user_version").fetchone()
    except sqlite3.OperationalError as error:
        connection.close()
        log = path.with_name(f"{path.name}-wal")
        code = error.sqlite_errorcode & 0xFF
        if code not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY) or log.exists():
            raise
        return connect(path, "mode=ro&immutable=1"), True
    return connection, False


def missing(path: Path) -> IndexMissingError:
    """The error for a path without an index."""
    return IndexMissingError(f"there is no index at {path}", fix=BUILD)


def read_manifest(path: Path) -> Manifest | None:
    """The identity of the index at `path`; None if there is no index.

    Raises:
        IndexMismatchError: its schema is older or newer.
        IndexCorruptError: it is damaged.
    """
    session = Session(path, None)
    try:
        with session.view() as view:
            return read_identity(view.connection, path)
    except IndexMissingError:
        return None
    finally:
        session.close()
