"""One write transaction for a whole run: committed at its end, or nothing of it."""

import os
import sqlite3
import time
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from ..errors import IndexCorruptError, StoreError
from .faults import translated
from .lock import writer_lock
from .manifest import (
    Manifest,
    State,
    read_identity,
    read_state,
    require_identity,
    write_identity,
    write_state,
)
from .schema import (
    connect,
    create_tables,
    drop_tables,
    has_tables,
    prepare_writer,
    require_index,
    require_version,
)
from .writer import Analyze, IndexWriter

Clock = Callable[[], float]


@contextmanager
def open_writer(
    path: Path,
    manifest: Manifest,
    *,
    analyze: Analyze,
    wait_s: float = 0.0,
    rebuild: bool = False,
    clock: Clock = time.time,
) -> Generator[IndexWriter]:
    """Write the index at `path`, making it if there is none; readers see nothing until the end.

    With `rebuild` the run starts from nothing, under any manifest, and also over a damaged file.

    Raises:
        IndexLockedError: another process is writing, and still was after `wait_s` seconds.
        IndexMismatchError: the index was built with other settings.
        IndexCorruptError: the index is damaged.
        StoreError: the folder can't be written, or the disk is full.
    """
    with writer_lock(path.with_name(f"{path.name}.lock"), wait_s=wait_s):
        if rebuild and is_damaged(path):
            fresh = path.with_name(f"{path.name}.new")
            _delete(fresh)
            with _run(fresh, manifest, analyze, clock, rebuild=False) as writer:
                yield writer
            _replace(fresh, path)
        else:
            with _run(path, manifest, analyze, clock, rebuild=rebuild) as writer:
                yield writer


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


@contextmanager
def _run(
    path: Path, manifest: Manifest, analyze: Analyze, clock: Clock, *, rebuild: bool
) -> Generator[IndexWriter]:
    with translated(path):
        connection = connect(path, "mode=rwc")
    with closing(connection):
        with translated(path):
            prepare_writer(connection, path)
            connection.execute("BEGIN IMMEDIATE")
        try:
            with translated(path):
                state = _prepared(connection, path, manifest, now=clock(), rebuild=rebuild)
                writer = IndexWriter(connection, path, state, analyze)
            yield writer
            with translated(path):
                writer.finish(now=clock())
                connection.execute("COMMIT")
        except BaseException:
            # A disk that is full can fail the rollback too; closing rolls back as well.
            with suppress(sqlite3.Error):
                connection.rollback()
            raise
        _checkpoint(connection)


def _prepared(
    connection: sqlite3.Connection, path: Path, manifest: Manifest, *, now: float, rebuild: bool
) -> State:
    """The state to go on from, once identity and schema are right."""
    if not has_tables(connection):
        return _created(connection, manifest, State(created=now, updated=now))
    require_index(connection, path)
    if rebuild:
        run = _last_run(connection, path, now)
        drop_tables(connection)
        return _created(connection, manifest, State(run=run + 1, created=now, updated=now))
    require_version(connection)
    stored = read_identity(connection, path)
    require_identity(stored, manifest)
    if stored.probe is None and manifest.probe is not None:
        write_identity(connection, manifest)
    return read_state(connection, path)


def _created(connection: sqlite3.Connection, manifest: Manifest, state: State) -> State:
    create_tables(connection)
    write_identity(connection, manifest)
    write_state(connection, state)
    return state


def _last_run(connection: sqlite3.Connection, path: Path, now: float) -> int:
    """Runs go on counting over a rebuild, so that readers notice it.

    Where the count is lost, the time in milliseconds is higher than any.
    """
    try:
        require_version(connection)
        return read_state(connection, path).run
    except (StoreError, sqlite3.Error):
        return int(now * 1000)


def _checkpoint(connection: sqlite3.Connection) -> None:
    """Move the log into the file, as far as readers allow; the run is safe in either."""
    connection.execute("PRAGMA busy_timeout=0")
    with suppress(sqlite3.Error):
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()


def _replace(fresh: Path, path: Path) -> None:
    """Put a finished file in the place of a damaged one.

    The damaged file's log goes first: it must never be played into the new file.
    """
    try:
        for suffix in ("-wal", "-shm"):
            path.with_name(path.name + suffix).unlink(missing_ok=True)
        fresh.replace(path)
        if os.name == "posix":
            folder = os.open(path.parent, os.O_RDONLY)
            os.fsync(folder)
            os.close(folder)
    except OSError as error:
        raise StoreError(f"{path} can't be replaced: {error.strerror}") from error


def _delete(path: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
