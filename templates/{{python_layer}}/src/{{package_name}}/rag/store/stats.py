"""Sizes of an index, for its owner to look at."""

from dataclasses import dataclass
from pathlib import Path

from .manifest import digest_text
from .view import View


@dataclass(frozen=True, slots=True)
class IndexStats:
    """Sizes of an index; times in seconds since the epoch, digests as hexadecimal text.

    `tokens` counts the terms of all chunks, repeats included; `terms` the different ones.
    `last_run` tells what the last run that changed anything did.
    """

    documents: int
    chunks: int
    terms: int
    tokens: int
    dimensions: int
    size_bytes: int
    runs: int
    created: float
    updated: float
    corpus_digest: str
    index_digest: str
    last_run: dict[str, int]


def read_stats(view: View) -> IndexStats:
    """Sizes, times and digests of the index at the view's state."""
    state = view.state
    return IndexStats(
        documents=state.documents,
        chunks=state.chunks,
        terms=view.connection.execute("SELECT count(*) FROM term").fetchone()[0],
        tokens=state.tokens,
        dimensions=state.dimensions,
        size_bytes=_size_bytes(view.path),
        runs=state.run,
        created=state.created,
        updated=state.updated,
        corpus_digest=digest_text(state.corpus_digest),
        index_digest=digest_text(state.index_digest),
        last_run=state.last_run,
    )


def _size_bytes(path: Path) -> int:
    log = path.with_name(f"{path.name}-wal")
    return path.stat().st_size + (log.stat().st_size if log.exists() else 0)
