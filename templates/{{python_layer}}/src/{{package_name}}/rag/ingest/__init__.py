"""Sources -> Document. What reads files, or calls for documents elsewhere, lives here alone."""

from .beir import load_collection
from .loading import load_document
from .records import Skipped, Source
from .scanning import scan_sources

__all__ = ["Skipped", "Source", "load_collection", "load_document", "scan_sources"]
