"""Sources -> Document: connectors live here and nowhere else."""

from .beir import load_collection
from .documents import INGEST_VERSION, load_document
from .records import Skipped, Source
from .sources import scan_sources

__all__ = [
    "INGEST_VERSION",
    "Skipped",
    "Source",
    "load_collection",
    "load_document",
    "scan_sources",
]
