"""Documents and chunks as table rows, and back; each row is checked against its checksum.

The text of a document is stored once: as the texts of its chunks, and the gaps that no chunk
covers.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from ..contracts import Chunk, ChunkId, Document, DocumentId
from .checksums import blob_checksum, canonical, element, row_checksum, row_is_intact
from .faults import damaged

# A row as sqlite3 returns it: typed by the table, not by Python.
Row: TypeAlias = tuple[Any, ...]
Gap: TypeAlias = tuple[int, str]

CHUNK_QUERY = """SELECT chunk.number, chunk.id, document.id, chunk.ordinal, chunk.start_char,
    chunk.end_char, chunk.text, chunk.heading_path, chunk.preamble, chunk.digest, chunk.checksum
    FROM chunk LEFT JOIN document ON document.number = chunk.document"""
DOCUMENT_QUERY = """SELECT number, id, digest, source_digest, source, title, metadata, gaps,
    checksum FROM document"""


@dataclass(frozen=True, slots=True)
class DocumentEntry:
    """A document without its text: `number` in the index, digests of source and text."""

    number: int
    id: DocumentId
    digest: str
    source_digest: str
    source: str
    title: str
    metadata: dict[str, str]
    gaps: tuple[Gap, ...]


def chunk_content(chunk: Chunk) -> bytes:
    """Everything about a chunk that answers can show, as canonical bytes."""
    return canonical(
        chunk.id,
        chunk.document_id,
        chunk.ordinal,
        chunk.start,
        chunk.end,
        chunk.text,
        _json(chunk.heading_path),
        chunk.preamble,
        chunk.digest,
    )


def chunk_row(number: int, document: int, chunk: Chunk, content: bytes) -> Row:
    """Values of the table `chunk`, in its order."""
    return (
        number,
        chunk.id,
        row_checksum(number, chunk.id),
        document,
        chunk.ordinal,
        chunk.start,
        chunk.end,
        chunk.text,
        _json(chunk.heading_path),
        chunk.preamble,
        chunk.digest,
        blob_checksum(content, f"chunk {number}"),
    )


def chunk_from_row(row: Row, path: Path) -> Chunk:
    """The chunk of a row of `CHUNK_QUERY`.

    Raises:
        IndexCorruptError: the row is not what was written.
    """
    number, *fields, checksum = row
    try:
        intact = blob_checksum(canonical(*fields), f"chunk {number}") == checksum
    except (TypeError, ValueError):
        intact = False
    if not intact:
        raise damaged(path, f"chunk {fields[0]!r} does not match its checksum")
    id, document_id, ordinal, start, end, text, heading_path, preamble, digest = fields
    return Chunk(
        id=ChunkId(id),
        document_id=DocumentId(document_id),
        ordinal=ordinal,
        start=start,
        end=end,
        text=text,
        heading_path=tuple(json.loads(heading_path)),
        digest=digest,
        preamble=preamble,
    )


def document_fields(document: Document, source_digest: str, gaps: Sequence[Gap]) -> Row:
    """Values of the table `document` without its number, in its order."""
    fields = (
        document.id,
        document.digest,
        source_digest,
        document.source,
        document.title,
        _json(dict(sorted(document.metadata.items()))),
        _json(gaps),
    )
    return (*fields, row_checksum(*fields))


def document_from_row(row: Row, path: Path) -> DocumentEntry:
    """The document of a row of `DOCUMENT_QUERY`.

    Raises:
        IndexCorruptError: the row is not what was written.
    """
    number, *fields, checksum = row
    if not row_is_intact(checksum, *fields):
        raise damaged(path, f"document {fields[0]!r} does not match its checksum")
    id, digest, source_digest, source, title, metadata, gaps = fields
    pieces = tuple((start, text) for start, text in json.loads(gaps))
    return DocumentEntry(
        number, DocumentId(id), digest, source_digest, source, title, json.loads(metadata), pieces
    )


def _json(value: object) -> str:
    return canonical(value)[1:-1].decode()


def document_of(entry: DocumentEntry, chunks: Iterable[Chunk]) -> Document:
    """The document that a run put; its text may have been lost in part, its digest not."""
    return Document(
        id=entry.id,
        text=assemble(chunks, entry.gaps),
        digest=entry.digest,
        source=entry.source,
        title=entry.title,
        metadata=entry.metadata,
    )


def document_element(id: str, digest: str) -> int:
    """What a document adds to the corpus digest."""
    return element(id.encode(), digest.encode())


def uncovered(text: str, chunks: Iterable[Chunk]) -> list[Gap]:
    """Stretches of `text` that no chunk covers, as start and text, by rising start."""
    gaps: list[Gap] = []
    reached = 0
    for start, end in sorted((chunk.start, chunk.end) for chunk in chunks):
        if start > reached:
            gaps.append((reached, text[reached:start]))
        reached = max(reached, end)
    if reached < len(text):
        gaps.append((reached, text[reached:]))
    return gaps


def assemble(chunks: Iterable[Chunk], gaps: Iterable[Gap]) -> str:
    """The document's text, from what its chunks and gaps hold.

    A stretch that neither holds is left out, so that the text's digest shows the loss.
    """
    pieces: list[str] = []
    reached = 0
    for start, text in sorted([*gaps, *((chunk.start, chunk.text) for chunk in chunks)]):
        if start + len(text) > reached:
            pieces.append(text[max(0, reached - start) :])
            reached = start + len(text)
    return "".join(pieces)
