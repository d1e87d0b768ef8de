"""Checks on what a run puts into the index."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..errors import StoreError
from .checksums import is_text

if TYPE_CHECKING:
    from ..contracts import Chunk, Document, Matrix


def require_fitting(
    document: Document, chunks: Sequence[Chunk], vectors: Matrix, dimensions: int
) -> None:
    """Refuse chunks and vectors that do not belong to the document, or to each other.

    `dimensions` is the size of the vectors in the index; 0 while it has none.

    Raises:
        StoreError: names the document, and the chunk or row at fault.
    """
    place = f"document {document.id!r}"
    if not all(map(is_text, (document.id, document.source, document.title, document.text))):
        raise StoreError(f"{place}: it holds a lone surrogate, which no file can")
    for chunk in chunks:
        if chunk.document_id != document.id:
            raise StoreError(f"{place}: chunk {chunk.id!r} is of {chunk.document_id!r}")
        if document.text[chunk.start : chunk.end] != chunk.text:
            raise StoreError(f"{place}: chunk {chunk.id!r} is not the text at its span")
    if len({chunk.id for chunk in chunks}) != len(chunks):
        raise StoreError(f"{place}: two chunks have one id")
    if len(vectors) != len(chunks):
        raise StoreError(f"{place}: {len(vectors)} vectors for {len(chunks)} chunks")
    if len(chunks):
        _require_vectors(place, vectors, dimensions)


def _require_vectors(place: str, vectors: Matrix, dimensions: int) -> None:
    if vectors.ndim != 2 or (dimensions and vectors.shape[1] != dimensions):
        expected = f"{dimensions} dimensions" if dimensions else "one row per chunk"
        raise StoreError(f"{place}: vectors have shape {vectors.shape}, expected {expected}")
    if vectors.dtype != np.float32:
        raise StoreError(f"{place}: vectors are {vectors.dtype}, expected float32")
    squares = np.vecdot(vectors, vectors)
    # A NaN fails the comparison too; the bound keeps every inner product finite.
    faulty = np.flatnonzero(~((squares > 0) & (squares < 1e18)))
    if len(faulty):
        raise StoreError(f"{place}: vector {faulty[0]} is zero, not finite or too long")
