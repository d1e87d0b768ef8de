"""Both indexes over the same chunks, in one SQLite file, written in one transaction."""

from .manifest import Manifest
from .reader import SqliteStore, open_store
from .session import read_manifest
from .stats import IndexStats
from .transaction import open_writer
from .verify import verify_index
from .writer import IndexWriter

__all__ = [
    "IndexStats",
    "IndexWriter",
    "Manifest",
    "SqliteStore",
    "open_store",
    "open_writer",
    "read_manifest",
    "verify_index",
]
