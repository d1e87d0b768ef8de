"""Composition root of indexing: sources -> documents -> chunks -> vectors -> one transaction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from .changes import Candidates, collection_candidates, source_candidates
from .chunk import chunk_document
from .config import Settings
from .contracts import Chunk, Document, DocumentId, Embedder
from .embed import CachedEmbedder
from .errors import IngestError
from .ingest import Skipped, Source, load_collection, scan_sources
from .store import open_writer, read_manifest
from .wiring import (
    PROBE_TEXT,
    analyzer_for,
    embedder_from,
    language_for_new_index,
    language_of_index,
    manifest_of,
)

if TYPE_CHECKING:
    from .store import IndexWriter

_LANGUAGE_SAMPLE = 200
_FLUSH_CHUNKS = 512

Progress = Callable[[str, int, int | None], None]
"""Called with a stage's name, how much is done, and how much there is if that is known."""


@dataclass(slots=True)
class IndexSummary:
    """What a run did; `seen == indexed + unchanged + sum(skipped.values())` when it is done.

    A run that stops early leaves the index as it was: `indexed` and `removed` stay 0 then.
    `embedded` texts are kept for the next run, which counts them as `reused`.
    """

    seen: int = 0
    indexed: int = 0
    unchanged: int = 0
    removed: int = 0
    chunks: int = 0
    embedded: int = 0
    reused: int = 0
    oversized: int = 0
    skipped: Counter[str] = field(default_factory=Counter[str])
    reasons: list[Skipped] = field(default_factory=list[Skipped])

    def skip(self, skipped: Skipped) -> None:
        """Count a source that holds nothing to index, and keep the reason."""
        self.skipped[skipped.reason] += 1
        self.reasons.append(skipped)


def index_sources(
    settings: Settings,
    root: Path,
    summary: IndexSummary,
    *,
    rebuild: bool = False,
    progress: Progress = lambda stage, done, total: None,
) -> None:
    """Bring the index up to the files below `root`; `summary` is filled while it runs.

    Raises:
        IngestError: `root` can't be read, or holds nothing while the index holds documents.
        EmbeddingError: vectors could not be had; the index keeps its former state.
        StoreError: the index can't be written.
    """
    sources: list[Source] = []
    for found in scan_sources(root, max_file_bytes=settings.max_file_bytes):
        summary.seen += 1
        progress("scan", summary.seen, None)
        if isinstance(found, Skipped):
            summary.skip(found)
        else:
            sources.append(found)
    candidates = source_candidates(sources, settings)
    _index(settings, candidates, summary, rebuild=rebuild, progress=progress)


def index_collection(
    settings: Settings,
    folder: Path,
    summary: IndexSummary,
    *,
    rebuild: bool = False,
    progress: Progress = lambda stage, done, total: None,
) -> None:
    """Bring the index up to a BEIR collection's `corpus.jsonl`; errors as `index_sources`."""
    candidates = collection_candidates(load_collection(folder))
    summary.seen = len(candidates.digests)
    _index(settings, candidates, summary, rebuild=rebuild, progress=progress)


def _index(
    settings: Settings,
    candidates: Candidates,
    summary: IndexSummary,
    *,
    rebuild: bool,
    progress: Progress,
) -> None:
    embedder = embedder_from(settings)
    language = _language(settings, candidates, rebuild)
    settings.index_path.parent.mkdir(parents=True, exist_ok=True)
    with (
        CachedEmbedder(embedder, settings.cache_path) as cached,
        open_writer(
            settings.index_path,
            manifest_of(
                settings, embedder.identity, language, probe=embedder.embed_query(PROBE_TEXT)
            ),
            analyze=analyzer_for(language).terms,
            rebuild=rebuild,
        ) as writer,
    ):
        run = _Run(settings, candidates, writer, writer.documents(), cached, summary, progress)
        try:
            run.put_changed()
            run.remove_gone()
            progress("commit", len(candidates.digests), len(candidates.digests))
        finally:
            summary.embedded, summary.reused = cached.embedded, cached.reused
            summary.oversized = embedder.oversized
    summary.indexed, summary.removed, summary.chunks = run.indexed, run.removed, run.chunks


@dataclass(slots=True)
class _Run:
    """One run inside its transaction; its counts are true only once that is committed."""

    settings: Settings
    candidates: Candidates
    writer: IndexWriter
    known: Mapping[DocumentId, str]
    embedder: Embedder
    summary: IndexSummary
    progress: Progress
    kept: set[DocumentId] = field(default_factory=set[DocumentId])
    indexed: int = 0
    removed: int = 0
    chunks: int = 0

    def put_changed(self) -> None:
        """Chunk and embed what changed, a few hundred chunks at a time."""
        batch: list[tuple[Document, str, list[Chunk]]] = []
        waiting = 0
        for document, source_digest in self._changed():
            parts = chunk_document(
                document,
                chunk_chars=self.settings.chunk_chars,
                overlap_chars=self.settings.chunk_overlap_chars,
            )
            batch.append((document, source_digest, parts))
            waiting += len(parts)
            if waiting >= _FLUSH_CHUNKS:
                self._put(batch)
                batch, waiting = [], 0
        self._put(batch)

    def remove_gone(self) -> None:
        """Remove the documents that no source holds any more."""
        for document_id in sorted(self.known.keys() - self.kept):
            self.writer.remove(document_id)
            self.removed += 1

    def _changed(self) -> Iterator[tuple[Document, str]]:
        """Documents whose source is not the indexed one, each with its source's digest."""
        known, (digests, load) = self.known, self.candidates
        if known and not digests:
            raise IngestError(
                f"no documents were found, and the index holds {len(known)}",
                fix="Check the source folder; to start over, delete the index folder.",
            )
        changed = [id for id, digest in digests.items() if known.get(id) != digest]
        self.kept = digests.keys() - changed
        self.summary.unchanged = len(self.kept)
        self.progress("index", len(self.kept), len(digests))
        for done, id in enumerate(changed, start=len(self.kept) + 1):
            self.progress("index", done, len(digests))
            document = load(id)
            if isinstance(document, Skipped):
                self.summary.skip(document)
            else:
                self.kept.add(id)
                yield document, digests[id]

    def _put(self, batch: Sequence[tuple[Document, str, list[Chunk]]]) -> None:
        texts = [chunk.representation for _, _, parts in batch for chunk in parts]
        vectors = self.embedder.embed_documents(texts)
        at = 0
        for document, source_digest, parts in batch:
            rows = vectors[at : at + len(parts)]
            self.writer.put(document, parts, rows, source_digest=source_digest)
            at += len(parts)
        self.indexed += len(batch)
        self.chunks += len(texts)


def _language(settings: Settings, candidates: Candidates, rebuild: bool) -> str:
    if not rebuild and read_manifest(settings.index_path) is not None:
        return language_of_index(settings)
    step = max(1, len(candidates.digests) // _LANGUAGE_SAMPLE)
    documents = map(candidates.load, islice(candidates.digests, 0, None, step))
    texts = (found.text for found in documents if isinstance(found, Document))
    return language_for_new_index(settings, texts)
