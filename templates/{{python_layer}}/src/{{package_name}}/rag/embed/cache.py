"""Vectors that were paid for, in a file of their own, so that no text is paid for twice."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, Self

import msgspec
import numpy as np

from ..contracts import EmbedderIdentity
from .vector_file import VectorFile

if TYPE_CHECKING:
    from ..contracts import Matrix, Vector


class BatchEmbedder(Protocol):
    """An embedder that hands out each batch as it is done, as `TextEmbedder` does."""

    @property
    def identity(self) -> EmbedderIdentity:
        """Part of what vectors are kept under."""
        ...

    def embed_batches(self, texts: Sequence[str]) -> Iterator[Matrix]:
        """Matrices for consecutive groups of the texts, in order."""
        ...

    def embed_query(self, text: str) -> Vector:
        """Embed one query, shape (dimensions,)."""
        ...


class CachedEmbedder:
    """An embedder that looks into a file first, and keeps each batch as soon as it is had.

    Only documents are cached. `reused` and `embedded` count distinct texts. Processes may
    share the file.
    """

    def __init__(self, embedder: BatchEmbedder, path: Path) -> None:
        self.reused = 0
        self.embedded = 0
        self._embedder = embedder
        self._path = path

    @property
    def identity(self) -> EmbedderIdentity:
        """The identity of the embedder within."""
        return self._embedder.identity

    def embed_query(self, text: str) -> Vector:
        """Embed one query, shape (dimensions,)."""
        return self._embedder.embed_query(text)

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        """Embed texts, shape (len(texts), dimensions), rows in the order given.

        Raises:
            EmbeddingError: as the embedder within; the batches before the failure are kept.
        """
        keys = [hashlib.sha256(text.encode()).digest() for text in texts]
        wanted = dict(zip(keys, texts, strict=True))
        vectors = self._file.load(list(wanted))
        self.reused += len(vectors)
        missing = iter([key for key in wanted if key not in vectors])
        absent = [text for key, text in wanted.items() if key not in vectors]
        for batch in self._embedder.embed_batches(absent):
            fresh = {next(missing): vector for vector in batch}
            self._file.store(fresh)
            self.embedded += len(fresh)
            vectors |= fresh
        rows = [vectors[key] for key in keys]
        return np.array(rows, np.float32).reshape(len(keys), self.identity.dimensions)

    def close(self) -> None:
        """Close the file."""
        if "_file" in self.__dict__:
            self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @cached_property
    def _file(self) -> VectorFile:
        # A query's prefix has no part in a document's vector: changing it costs nothing.
        comparable = dataclasses.replace(self.identity, query_prefix="")
        space = hashlib.sha256(msgspec.json.encode(comparable)).digest()
        return VectorFile(self._path, space, self.identity.dimensions)
