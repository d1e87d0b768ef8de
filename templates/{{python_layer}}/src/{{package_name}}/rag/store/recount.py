"""Counts terms, lengths, postings and vectors anew, one block of chunks after another."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from typing import TYPE_CHECKING

import numpy as np

from ..contracts import ChunkId
from .checksums import DIGEST_MODULUS, blob_is_intact, element, row_is_intact
from .dense import decoded_blocks
from .inverted import posting_place
from .postings import BLOCK, Occurrences
from .rows import CHUNK_QUERY, chunk_content, chunk_from_row
from .vectors import BLOCK as VECTORS
from .writer import Analyze, vector_element

if TYPE_CHECKING:
    from ..contracts import Matrix
    from .view import View

Progress = Callable[[int, int], None]


def recounted(view: View, analyze: Analyze, progress: Progress) -> Iterator[str]:
    """Findings, by rising block."""
    digest = rows = done = 0
    for block in range(-(-len(view.slots) // BLOCK)):
        occurrences = Occurrences()
        vectors = _vectors(view, block)
        live = np.zeros(BLOCK, dtype=bool)
        for row in view.connection.execute(
            f"{CHUNK_QUERY} WHERE chunk.number BETWEEN ? AND ? ORDER BY chunk.number",
            (block * BLOCK, (block + 1) * BLOCK - 1),
        ):
            number, chunk = row[0], chunk_from_row(row, view.path)
            terms = analyze(chunk.representation)
            occurrences.append(number, terms)
            vector = vectors[number % BLOCK]
            live[number % BLOCK] = True
            digest += element(chunk_content(chunk)) + vector_element(chunk, vector)
            if number >= len(view.slots) or view.slots[number] != len(terms) + 1:
                yield f"chunk {chunk.id!r}: its length is not the number of its terms"
            done += 1
        if np.any(vectors[~live]) or not np.all(vectors[live].any(axis=1)):
            yield f"block {block}: chunks and vectors do not pair"
        rows += yield from _postings(view, block, occurrences)
        progress(done, view.state.chunks)
    yield from _totals(view, done, rows, digest)


def _totals(view: View, chunks: int, rows: int, digest: int) -> Iterator[str]:
    if chunks != view.state.chunks or _count(view, "chunk") != chunks:
        yield f"there are {chunks} chunks, and the index was left with {view.state.chunks}"
    if _count(view, "posting") != rows:
        yield "there are postings of terms that no chunk holds"
    if digest % DIGEST_MODULUS != view.state.index_digest:
        yield "chunks and vectors do not have the index digest"
    for number, id, checksum in view.connection.execute(
        "SELECT number, id, id_checksum FROM chunk"
    ):
        if not row_is_intact(checksum, number, ChunkId(id)):
            yield f"chunk {id!r}: its id does not match its checksum"


def _vectors(view: View, block: int) -> Matrix:
    """Vectors of a block of postings, shape (BLOCK, dimensions); zeros where there are none."""
    vectors = np.zeros((BLOCK, view.state.dimensions), dtype=np.float32)
    first = block * BLOCK // VECTORS
    stored = view.connection.execute(
        "SELECT block, run, vectors, checksum FROM vectors WHERE block BETWEEN ? AND ?",
        (first, first + BLOCK // VECTORS - 1),
    )
    for place, values in decoded_blocks(view, stored):
        at = (place - first) * VECTORS
        vectors[at : at + VECTORS] = values
    return vectors


def _postings(view: View, block: int, occurrences: Occurrences) -> Generator[str, None, int]:
    """Compare a block's postings; returns how many rows it should have."""
    rows = 0
    for term, _, expected in occurrences.grouped():
        stored = view.connection.execute(
            "SELECT postings, checksum FROM posting WHERE term = ? AND block = ?", (term, block)
        ).fetchone()
        if stored is None:
            yield f"term {term!r}: its postings in block {block} are missing"
        elif not blob_is_intact(stored[1], stored[0], posting_place(term, block)):
            yield f"term {term!r}: its postings in block {block} do not match their checksum"
        elif stored[0] != expected:
            yield f"term {term!r}: its postings in block {block} are not what its chunks hold"
        rows += 1
    return rows


def _count(view: View, table: str) -> int:
    return view.connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
