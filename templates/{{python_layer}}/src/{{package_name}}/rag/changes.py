"""What may have changed at the sources since they were indexed."""

from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from .config import Settings
from .contracts import Document, DocumentId
from .ingest import INGEST_VERSION, Skipped, Source, load_document, scan_sources


class Candidate(NamedTuple):
    """A document that may have changed: cheap to compare, loaded only when it did.

    `digest` covers the bytes of the source and how they are read.
    """

    id: DocumentId
    digest: str
    load: Callable[[], Document | Skipped]


def source_candidate(source: Source, settings: Settings) -> Candidate:
    """A file, known by its bytes and by how they are read."""
    return Candidate(
        source.id,
        f"{INGEST_VERSION}:{source.digest}",
        lambda: load_document(source, fallback_encoding=settings.fallback_encoding),
    )


def collection_candidate(document: Document) -> Candidate:
    """A document of a collection, known by its title and text."""
    content = f"{document.title}\n{document.digest}"
    return Candidate(document.id, sha256(content.encode()).hexdigest(), lambda: document)


def drift(
    settings: Settings, root: Path, indexed: Mapping[DocumentId, str]
) -> dict[str, list[DocumentId]]:
    """Sources that are `new`, `changed` or `deleted` since `indexed` (id -> source digest).

    Costs a hash of each source, and reading those that are not indexed, which may hold
    nothing to index; nothing is embedded.
    """
    now = {
        found.id: source_candidate(found, settings)
        for found in scan_sources(root, max_file_bytes=settings.max_file_bytes)
        if isinstance(found, Source)
    }
    unknown = sorted(now.keys() - indexed.keys())
    return {
        "new": [id for id in unknown if isinstance(now[id].load(), Document)],
        "changed": sorted(id for id in indexed.keys() & now if indexed[id] != now[id].digest),
        "deleted": sorted(indexed.keys() - now.keys()),
    }
