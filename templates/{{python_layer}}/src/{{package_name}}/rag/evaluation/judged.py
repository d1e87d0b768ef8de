"""Retrieval together with the queries that judge it: the service's own, or a collection's."""

from __future__ import annotations

import hashlib
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from ..errors import IndexMismatchError
from ..indexing import IndexSummary, Progress, index_collection, index_sources
from ..retrieval import open_retrieval
from .collection import check_layout, is_beir, load_judged
from .golden import Golden, load_golden

if TYPE_CHECKING:
    from ..config import Settings
    from ..contracts import DocumentId
    from ..retrieval import Retrieval


@dataclass(frozen=True, slots=True)
class Judged:
    """What an evaluation needs: `documents` holds the digest of each, `index` that of the index."""

    retrieval: Retrieval
    golden: Golden
    documents: dict[DocumentId, str]
    index: str


@contextmanager
def open_judged(
    settings: Settings, collection: Path | None, progress: Progress
) -> Generator[Judged]:
    """Open the service's index with its golden queries, or index and open a collection.

    A collection has an index of its own below `index_dir`, brought up to date here.

    Raises:
        EvaluationError: the golden queries or the collection can't be used.
        StoreError: the index can't be opened.
    """
    if collection is not None:
        settings = _indexed(settings, collection, progress)
    with open_retrieval(settings) as retrieval, retrieval.store.snapshot():
        documents = {id: digest for id, (_, digest) in retrieval.store.documents().items()}
        golden = (
            load_golden(Path(settings.golden_path), documents)
            if collection is None
            else load_judged(collection, documents)
        )
        yield Judged(retrieval, golden, documents, retrieval.store.stats().index_digest)


def _indexed(settings: Settings, collection: Path, progress: Progress) -> Settings:
    check_layout(collection)
    mark = hashlib.sha256(str(collection.resolve()).encode()).hexdigest()[:8]
    folder = Path(settings.index_dir) / "collections" / f"{collection.resolve().name}-{mark}"
    settings = msgspec.structs.replace(settings, index_dir=str(folder))
    try:
        _index(settings, collection, progress, rebuild=False)
    except IndexMismatchError:
        # The collection's index is only ever made here, so that nothing is lost with it.
        _index(settings, collection, progress, rebuild=True)
    return settings


def _index(settings: Settings, collection: Path, progress: Progress, *, rebuild: bool) -> None:
    if is_beir(collection):
        index_collection(settings, collection, IndexSummary(), rebuild=rebuild, progress=progress)
    else:
        root = collection / "corpus"
        index_sources(settings, root, IndexSummary(), rebuild=rebuild, progress=progress)
