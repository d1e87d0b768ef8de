"""One write transaction for a whole run: committed at its end, or nothing of it."""

import sqlite3
import time
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from ..errors import StoreError
from .faults import translated
from .files import delete_file, is_absent, is_damaged, replace_file
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
    use_log,
    use_no_journal,
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
        if is_absent(path) or (rebuild and is_damaged(path)):
            run = _fresh_run(path, manifest, analyze, clock)
        else:
            run = _run(path, manifest, analyze, clock, rebuild=rebuild)
        with run as writer:
            yield writer


@contextmanager
def _fresh_run(
    path: Path, manifest: Manifest, analyze: Analyze, clock: Clock
) -> Generator[IndexWriter]:
    """A run into a new file, which takes the place of `path` when it is complete.

    Until then nobody reads the file and a failed run deletes it, so it needs no log.
    """
    fresh = path.with_name(f"{path.name}.new")
    delete_file(fresh)
    try:
        with _run(fresh, manifest, analyze, clock, logged=False) as writer:
            yield writer
        replace_file(fresh, path)
    finally:
        delete_file(fresh)


@contextmanager
def _run(
    path: Path,
    manifest: Manifest,
    analyze: Analyze,
    clock: Clock,
    *,
    rebuild: bool = False,
    logged: bool = True,
) -> Generator[IndexWriter]:
    with translated(path):
        connection = connect(path, "mode=rwc")
    with closing(connection):
        with translated(path):
            prepare_writer(connection)
            use_log(connection, path)
            if not logged:
                use_no_journal(connection)
            connection.execute("BEGIN IMMEDIATE")
        try:
            with translated(path):
                state = _prepared(connection, path, manifest, now=clock(), rebuild=rebuild)
                writer = IndexWriter(connection, path, state, analyze)
            yield writer
            with translated(path):
                writer.finish(now=clock())
                connection.execute("COMMIT")
                use_log(connection, path)
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
