"""The store that searches read: both legs, and the chunks themselves, at one committed state."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from ..contracts import Chunk, ChunkId, Document, DocumentId, Hit
from ..errors import StoreError
from .contents import Contents
from .dense import DenseIndex, comparable
from .keyword import KeywordIndex
from .manifest import Manifest
from .rows import CHUNK_QUERY, DocumentEntry, chunk_from_row, document_of
from .session import Session
from .stats import IndexStats, read_stats
from .vectors import inner_products

if TYPE_CHECKING:
    from ..contracts import Filter, Vector
    from .view import View


class SqliteStore:
    """Reads the index; made by `open_store`. Every call sees the newest committed state."""

    def __init__(self, session: Session, path: Path, *, bm25_k1: float, bm25_b: float) -> None:
        self._session = session
        self._path = path
        self._dense = DenseIndex()
        self._keyword = KeywordIndex(k1=bm25_k1, b=bm25_b)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._session.close()

    @contextmanager
    def snapshot(self) -> Generator[None]:
        """Hold one committed state over several calls, whatever is written meanwhile."""
        with self._session.view():
            yield

    def search_dense(self, vector: Vector, depth: int, where: Filter | None = None) -> list[Hit]:
        """Top `depth` chunks by exact inner product, ties by ascending chunk id.

        Raises:
            StoreError: the vector does not fit the index.
        """
        with self._session.view() as view:
            return self._dense.search(view, vector, depth, where) if depth > 0 else []

    def search_keyword(
        self, terms: Sequence[str], depth: int, where: Filter | None = None
    ) -> list[Hit]:
        """Top `depth` chunks by BM25, ties by ascending chunk id; none with a score of 0.

        A term that the query repeats counts as often. A chunk's frequency of a term counts up
        to 255.
        """
        with self._session.view() as view:
            return self._keyword.search(view, terms, depth, where) if depth > 0 and terms else []

    def similarities(self, ids: Sequence[ChunkId], vector: Vector) -> list[float]:
        """Exact inner product of each chunk's vector with `vector`, in the order asked."""
        with self._session.view() as view:
            vector = comparable(view, vector)
            if not ids:
                return []
            return inner_products(self._dense.rows(view, view.numbers(ids)), vector).tolist()

    def keyword_scores(self, ids: Sequence[ChunkId], terms: Sequence[str]) -> list[float]:
        """BM25 of each chunk, in the order asked; 0 where none of the terms occurs."""
        with self._session.view() as view:
            return self._keyword.scores(view, terms)[view.numbers(ids)].tolist() if ids else []

    def matched_terms(self, ids: Sequence[ChunkId], terms: Sequence[str]) -> list[dict[str, float]]:
        """For each chunk, the terms that it holds and what each adds to its BM25."""
        with self._session.view() as view:
            return self._keyword.matches(view, view.numbers(ids), terms) if ids else []

    def load_chunks(self, ids: Sequence[ChunkId]) -> list[Chunk]:
        """Chunks in the order asked.

        Raises:
            StoreError: there is no such chunk.
            IndexCorruptError: a chunk is not what was written.
        """
        with self._session.view() as view:
            rows = view.where(f"{CHUNK_QUERY} WHERE chunk.id", ids)
            found = {chunk.id: chunk for chunk in (chunk_from_row(row, self._path) for row in rows)}
        for id in ids:
            if id not in found:
                raise StoreError(f"there is no chunk {id!r} in the index")
        return [found[id] for id in ids]

    def chunk(self, id: ChunkId) -> Chunk:
        """One chunk; errors as `load_chunks`."""
        return self.load_chunks([id])[0]

    def chunks(self, id: DocumentId) -> list[Chunk]:
        """The chunks of a document, by rising ordinal; errors as `document`."""
        with self._session.view() as view:
            return _chunks(view, _entry(view, id))

    def document(self, id: DocumentId) -> Document:
        """A document with the text that was indexed.

        Raises:
            StoreError: there is no such document.
            IndexCorruptError: it is not what was written.
        """
        with self._session.view() as view:
            entry = _entry(view, id)
            return document_of(entry, _chunks(view, entry))

    def documents(self) -> dict[DocumentId, tuple[str, str]]:
        """Digests of source and text of each document."""
        with self._session.view() as view:
            return Contents(view.connection, view.path).digests()

    def neighbours(self, id: ChunkId, k: int) -> list[Hit]:
        """The `k` chunks nearest to a chunk, itself left out, with their inner products."""
        with self._session.view() as view:
            vector = self._dense.rows(view, view.numbers([id]))[0]
            hits = self._dense.search(view, vector, k + 1, None)
        return [hit for hit in hits if hit.chunk_id != id][:k]

    def stats(self) -> IndexStats:
        """Sizes, times and digests of the index."""
        with self._session.view() as view:
            return read_stats(view)


def open_store(
    path: Path, manifest: Manifest | None, *, bm25_k1: float = 1.2, bm25_b: float = 0.75
) -> SqliteStore:
    """Open the index for searches; loads nothing that the first search does not need.

    With `manifest` None any index of this schema is opened, to look at it.

    Raises:
        IndexMissingError: there is no index.
        IndexMismatchError: it was built with other settings than `manifest`.
        IndexCorruptError: it is damaged.
        StoreError: it can't be opened.
    """
    session = Session(path, manifest)
    try:
        with session.view():
            return SqliteStore(session, path, bm25_k1=bm25_k1, bm25_b=bm25_b)
    except BaseException:
        session.close()
        raise


def _entry(view: View, id: DocumentId) -> DocumentEntry:
    if (entry := Contents(view.connection, view.path).document(id)) is None:
        raise StoreError(f"there is no document {id!r} in the index")
    return entry


def _chunks(view: View, entry: DocumentEntry) -> list[Chunk]:
    found = Contents(view.connection, view.path).chunks(entry.number).values()
    return sorted((chunk for _, chunk in found), key=lambda chunk: chunk.ordinal)
