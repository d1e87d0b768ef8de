"""What may have changed at the sources since they were indexed."""

from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from .config import Settings
from .contracts import Document, DocumentId
from .ingest import INGEST_VERSION, Skipped, Source, load_document, scan_sources


class Candidates(NamedTuple):
    """Documents that may have changed: cheap to compare, and loaded one by one if they did.

    A digest covers the bytes of the source and how they are read. The order is that of the
    sources.
    """

    digests: Mapping[DocumentId, str]
    load: Callable[[DocumentId], Document | Skipped]


def source_candidates(sources: Iterable[Source], settings: Settings) -> Candidates:
    """Files, known by their bytes and by how they are read."""
    found = {source.id: source for source in sources}

    def load(id: DocumentId) -> Document | Skipped:
        return load_document(found[id], fallback_encoding=settings.fallback_encoding)

    digests = {id: f"{INGEST_VERSION}:{source.digest}" for id, source in found.items()}
    return Candidates(digests, load)


def collection_candidates(documents: Iterable[Document]) -> Candidates:
    """Documents of a collection, known by title and text."""
    found = {document.id: document for document in documents}
    return Candidates({id: _digest(document) for id, document in found.items()}, found.__getitem__)


def drift(
    settings: Settings, root: Path, indexed: Mapping[DocumentId, str]
) -> dict[str, list[DocumentId]]:
    """Sources that are `new`, `changed` or `deleted` since `indexed` (id -> source digest).

    Costs a hash of each source, and reading those that are not indexed, which may hold
    nothing to index; nothing is embedded.
    """
    scanned = scan_sources(root, max_file_bytes=settings.max_file_bytes)
    sources = (found for found in scanned if isinstance(found, Source))
    now, load = source_candidates(sources, settings)
    unknown = sorted(now.keys() - indexed.keys())
    return {
        "new": [id for id in unknown if isinstance(load(id), Document)],
        "changed": sorted(id for id in indexed.keys() & now if indexed[id] != now[id]),
        "deleted": sorted(indexed.keys() - now.keys()),
    }


def _digest(document: Document) -> str:
    return sha256(f"{document.title}\n{document.digest}".encode()).hexdigest()
