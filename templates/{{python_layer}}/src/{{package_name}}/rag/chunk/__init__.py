"""Document -> Chunk: pure functions, cut along structure."""

from .chunker import CHUNKER_VERSION, chunk_document

__all__ = ["CHUNKER_VERSION", "chunk_document"]
