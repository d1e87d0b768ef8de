"""Tables of the index file, and how a connection to it is set up."""

import sqlite3
from pathlib import Path

from ..errors import IndexMismatchError, StoreError
from .faults import REBUILD

SCHEMA_VERSION = 1
APPLICATION_ID = 0x52414758
PAGE_BYTES = 8192
OLDEST_SQLITE = (3, 37, 0)

TABLES = (
    """CREATE TABLE manifest(
        key TEXT PRIMARY KEY, value TEXT NOT NULL, checksum INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE document(
        number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, digest TEXT NOT NULL,
        source_digest TEXT NOT NULL, source TEXT NOT NULL, title TEXT NOT NULL,
        metadata TEXT NOT NULL, gaps TEXT NOT NULL, checksum INTEGER NOT NULL
    ) STRICT""",
    """CREATE TABLE chunk(
        number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, id_checksum INTEGER NOT NULL,
        document INTEGER NOT NULL REFERENCES document(number), ordinal INTEGER NOT NULL,
        start_char INTEGER NOT NULL, end_char INTEGER NOT NULL, text TEXT NOT NULL,
        heading_path TEXT NOT NULL, preamble TEXT NOT NULL, digest TEXT NOT NULL,
        checksum INTEGER NOT NULL
    ) STRICT""",
    "CREATE INDEX chunk_document ON chunk(document, ordinal)",
    """CREATE TABLE lengths(
        block INTEGER PRIMARY KEY, lengths BLOB NOT NULL, checksum INTEGER NOT NULL
    ) STRICT""",
    """CREATE TABLE vectors(
        block INTEGER PRIMARY KEY, run INTEGER NOT NULL, vectors BLOB NOT NULL,
        checksum INTEGER NOT NULL
    ) STRICT""",
    "CREATE INDEX vectors_run ON vectors(run)",
    """CREATE TABLE term(
        text TEXT PRIMARY KEY, frequency INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE posting(
        term TEXT NOT NULL, block INTEGER NOT NULL, postings BLOB NOT NULL,
        checksum INTEGER NOT NULL, PRIMARY KEY(term, block)
    ) STRICT, WITHOUT ROWID""",
)


def connect(path: Path, options: str) -> sqlite3.Connection:
    """Open the file; transactions are begun and ended by the caller alone.

    `options` are URI parameters: `mode=ro`, `mode=rwc`, `mode=ro&immutable=1`.

    Raises:
        StoreError: SQLite is too old.
        sqlite3.Error: the file cannot be opened.
    """
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        raise StoreError(
            f"SQLite {sqlite3.sqlite_version} is too old for the index",
            fix="Use a Python whose SQLite is 3.37 or newer.",
        )
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?{options}",
        uri=True,
        isolation_level=None,
        check_same_thread=False,
    )
    connection.execute("PRAGMA busy_timeout=10000")
    connection.execute("PRAGMA foreign_keys=ON")
    connection.execute("PRAGMA temp_store=MEMORY")
    return connection


def prepare_writer(connection: sqlite3.Connection) -> None:
    """Have a commit wait for the disk.

    Checkpoints happen after a commit and never inside one, so that a run which committed
    cannot fail in its checkpoint.
    """
    connection.execute(f"PRAGMA page_size={PAGE_BYTES}")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA wal_autocheckpoint=0")
    connection.execute("PRAGMA cache_size=-65536")


def use_log(connection: sqlite3.Connection, path: Path) -> None:
    """Write ahead to a log, so that readers and a writer don't wait for each other.

    Raises:
        StoreError: the file system does not allow it.
    """
    if connection.execute("PRAGMA journal_mode=WAL").fetchone()[0] != "wal":
        raise StoreError(f"{path}: its file system has no shared memory, which the index needs")


def use_no_journal(connection: sqlite3.Connection) -> None:
    """For a file that nobody reads yet, and that is thrown away when its run fails."""
    connection.execute("PRAGMA journal_mode=OFF")


def has_tables(connection: sqlite3.Connection) -> bool:
    """Whether anything was ever committed to the file."""
    return connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone() is not None


def require_index(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse a file of another program.

    Raises:
        StoreError: the file has tables, and they are not ours.
    """
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise StoreError(
            f"{path} is an SQLite file, but not an index",
            fix="Move it away, or choose another index folder.",
        )


def require_version(connection: sqlite3.Connection) -> None:
    """Refuse tables of an older or newer layout.

    Raises:
        IndexMismatchError: the schema version differs from `SCHEMA_VERSION`.
    """
    stored = connection.execute("PRAGMA user_version").fetchone()[0]
    if stored != SCHEMA_VERSION:
        raise IndexMismatchError(
            f"schema: the index has {stored}, this program writes {SCHEMA_VERSION}", fix=REBUILD
        )


def create_tables(connection: sqlite3.Connection) -> None:
    """Create the tables inside the caller's transaction."""
    connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version={SCHEMA_VERSION}")
    for statement in TABLES:
        connection.execute(statement)


def drop_tables(connection: sqlite3.Connection) -> None:
    """Drop whatever tables there are, the referring ones first."""
    names = connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' "
        "ORDER BY rowid DESC"
    ).fetchall()
    for (name,) in names:
        quoted = name.replace('"', '""')
        connection.execute(f'DROP TABLE "{quoted}"')
