"""The tables of documents and chunks, inside a write transaction."""

import sqlite3
from collections.abc import Iterable
from pathlib import Path

from ..contracts import Chunk, ChunkId, DocumentId
from .checksums import is_text
from .rows import (
    CHUNK_QUERY,
    DOCUMENT_QUERY,
    DocumentEntry,
    Row,
    chunk_from_row,
    document_from_row,
)

_INSERT_DOCUMENT = "INSERT INTO document VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING number"
_UPDATE_DOCUMENT = """UPDATE document SET (
    id, digest, source_digest, source, title, metadata, gaps, checksum
    ) = (?, ?, ?, ?, ?, ?, ?, ?) WHERE number = ?"""
_INSERT_CHUNK = "INSERT INTO chunk VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_UPDATE_CHUNK = """UPDATE chunk SET (
    id, id_checksum, document, ordinal, start_char, end_char, text, heading_path, preamble,
    digest, checksum
    ) = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) WHERE number = ?"""


class Contents:
    """Reads and writes rows; knows nothing of the two indexes."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path

    def source_digests(self) -> dict[DocumentId, str]:
        """Digest of the source of each document."""
        return dict(self._connection.execute("SELECT id, source_digest FROM document"))

    def digests(self) -> dict[DocumentId, tuple[str, str]]:
        """Digests of source and text of each document."""
        rows = self._connection.execute("SELECT id, source_digest, digest FROM document")
        return {DocumentId(id): (source_digest, digest) for id, source_digest, digest in rows}

    def document(self, id: DocumentId) -> DocumentEntry | None:
        """The document, if there is one."""
        if not is_text(id):
            return None
        row = self._connection.execute(f"{DOCUMENT_QUERY} WHERE id = ?", (id,)).fetchone()
        return document_from_row(row, self._path) if row else None

    def chunks(self, document: int) -> dict[ChunkId, tuple[int, Chunk]]:
        """Numbers and chunks of a document, by id."""
        rows = self._connection.execute(f"{CHUNK_QUERY} WHERE chunk.document = ?", (document,))
        chunks = [(row[0], chunk_from_row(row, self._path)) for row in rows]
        return {chunk.id: (number, chunk) for number, chunk in chunks}

    def insert_document(self, fields: Row) -> int:
        """Add a document; returns its number."""
        return self._connection.execute(_INSERT_DOCUMENT, fields).fetchone()[0]

    def update_document(self, number: int, fields: Row) -> None:
        """Write over a document's row."""
        self._connection.execute(_UPDATE_DOCUMENT, (*fields, number))

    def delete_document(self, number: int) -> None:
        """Delete a document that has no chunks any more."""
        self._connection.execute("DELETE FROM document WHERE number = ?", (number,))

    def insert_chunks(self, rows: Iterable[Row]) -> None:
        """Add chunks, as `rows.chunk_row` makes them."""
        self._connection.executemany(_INSERT_CHUNK, rows)

    def update_chunks(self, rows: Iterable[Row]) -> None:
        """Write over the rows of chunks."""
        self._connection.executemany(_UPDATE_CHUNK, ((*row[1:], row[0]) for row in rows))

    def delete_chunk(self, number: int) -> None:
        """Delete a chunk."""
        self._connection.execute("DELETE FROM chunk WHERE number = ?", (number,))
