"""Puts documents into both indexes and takes them out, inside one write transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..contracts import Chunk, Document, DocumentId
from ..errors import StoreError
from .checksums import DIGEST_MODULUS, element
from .contents import Contents
from .faults import damaged, translated
from .fitting import require_fitting
from .inverted import InvertedIndex
from .lengths import Numbers
from .manifest import State, write_state
from .rows import (
    DocumentEntry,
    chunk_content,
    chunk_row,
    document_element,
    document_fields,
    uncovered,
)
from .vector_blocks import VectorBlocks

if TYPE_CHECKING:
    from ..contracts import Matrix, Vector

Analyze = Callable[[str], list[str]]


class IndexWriter:
    """One run; made by `open_writer`, which commits it whole or not at all.

    A chunk that an earlier run indexed is kept, with its vector, when its id and its
    representation are unchanged.
    """

    def __init__(
        self, connection: sqlite3.Connection, path: Path, state: State, analyze: Analyze
    ) -> None:
        self._connection = connection
        self._path = path
        self._state = state
        self._analyze = analyze
        self._contents = Contents(connection, path)
        self._numbers = Numbers(connection, path)
        self._inverted = InvertedIndex(connection, path, self._numbers)
        self._vectors = VectorBlocks(connection, path, state.dimensions, state.run + 1)
        self._tally = {"put": 0, "removed": 0, "chunks_added": 0, "chunks_removed": 0}

    def documents(self) -> dict[DocumentId, str]:
        """Digest of the source of each document in the index."""
        with translated(self._path):
            return self._contents.source_digests()

    def put(
        self, document: Document, chunks: Sequence[Chunk], vectors: Matrix, *, source_digest: str
    ) -> None:
        """Index a document, over what the index holds under its id.

        `vectors` has one row per chunk, shape (len(chunks), dimensions), in their order.

        Raises:
            StoreError: chunks or vectors do not fit the document, each other or the index.
        """
        require_fitting(document, chunks, vectors, self._state.dimensions)
        if chunks:
            self._state.dimensions = self._vectors.dimensions = vectors.shape[1]
        with translated(self._path):
            entry = self._contents.document(document.id)
            former = self._contents.chunks(entry.number) if entry else {}
            fields = document_fields(document, source_digest, uncovered(document.text, chunks))
            number = self._put_document(entry, fields)
            kept = {chunk.id for chunk in chunks}
            for id, (place, chunk) in former.items():
                if id not in kept:
                    self._drop(place, chunk)
            fresh: list[tuple[object, ...]] = []
            moved: list[tuple[object, ...]] = []
            for chunk, vector in zip(chunks, vectors, strict=True):
                if chunk.id not in former:
                    fresh.append(self._add(number, chunk, vector))
                elif former[chunk.id][1] != chunk:
                    moved.append(self._move(number, *former[chunk.id], chunk, vector))
            self._contents.insert_chunks(fresh)
            self._contents.update_chunks(moved)
        self._tally["put"] += 1

    def remove(self, id: DocumentId) -> None:
        """Take a document and its chunks out of both indexes."""
        with translated(self._path):
            entry = self._require_document(id)
            for place, chunk in self._contents.chunks(entry.number).values():
                self._drop(place, chunk)
            self._contents.delete_document(entry.number)
        self._state.documents -= 1
        self._state.corpus_digest -= document_element(id, entry.digest)
        self._tally["removed"] += 1

    def finish(self, *, now: float) -> None:
        """Write what is pending, and the state, before the commit; `now` in epoch seconds."""
        self._inverted.finish()
        self._numbers.save()
        self._vectors.save()
        if self._tally["put"] or self._tally["removed"]:
            self._state.run += 1
            self._state.updated = now
            self._state.last_run = self._tally
            self._state.corpus_digest %= DIGEST_MODULUS
            self._state.index_digest %= DIGEST_MODULUS
            write_state(self._connection, self._state)

    def _require_document(self, id: DocumentId) -> DocumentEntry:
        if (entry := self._contents.document(id)) is None:
            raise StoreError(f"there is no document {id!r} in the index")
        return entry

    def _put_document(self, entry: DocumentEntry | None, fields: tuple[str, ...]) -> int:
        self._state.corpus_digest += document_element(fields[0], fields[1])
        if entry is None:
            self._state.documents += 1
            return self._contents.insert_document(fields)
        self._state.corpus_digest -= document_element(entry.id, entry.digest)
        self._contents.update_document(entry.number, fields)
        return entry.number

    def _add(self, document: int, chunk: Chunk, vector: Vector) -> tuple[object, ...]:
        """Index a new chunk; returns its row."""
        terms = self._analyze(chunk.representation)
        number = self._numbers.take(len(terms))
        self._inverted.add(number, terms)
        self._vectors.set(number, vector)
        content = chunk_content(chunk)
        self._state.chunks += 1
        self._state.tokens += len(terms)
        self._state.index_digest += element(content) + vector_element(chunk, vector)
        self._tally["chunks_added"] += 1
        return chunk_row(number, document, chunk, content)

    def _move(
        self, document: int, number: int, former: Chunk, chunk: Chunk, vector: Vector
    ) -> tuple[object, ...]:
        """Put a chunk in another's place, or at another span; returns its row."""
        content = chunk_content(chunk)
        self._state.index_digest += element(content) - element(chunk_content(former))
        if chunk.representation != former.representation:
            terms = self._analyze(chunk.representation)
            self._forget(number, former)
            self._numbers.resize(number, len(terms))
            self._inverted.add(number, terms)
            self._vectors.set(number, vector)
            self._state.tokens += len(terms)
            self._state.index_digest += vector_element(chunk, vector)
        return chunk_row(number, document, chunk, content)

    def _drop(self, number: int, chunk: Chunk) -> None:
        self._forget(number, chunk)
        self._vectors.clear(number)
        self._numbers.release(number)
        self._contents.delete_chunk(number)
        self._state.chunks -= 1
        self._state.index_digest -= element(chunk_content(chunk))
        self._tally["chunks_removed"] += 1

    def _forget(self, number: int, chunk: Chunk) -> None:
        """Take the terms of a chunk out, and its vector out of the digest."""
        terms = self._analyze(chunk.representation)
        if len(terms) != self._numbers.length(number):
            raise damaged(self._path, f"chunk {chunk.id!r} has other terms than when it was put")
        self._inverted.remove(number, terms)
        self._state.tokens -= len(terms)
        self._state.index_digest -= vector_element(chunk, self._vectors.get(number))


def vector_element(chunk: Chunk, vector: Vector) -> int:
    """What a chunk's vector adds to the index digest."""
    return element(chunk.id.encode(), vector.astype("<f4").tobytes())
