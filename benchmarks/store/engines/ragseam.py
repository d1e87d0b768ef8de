"""The store of a rendered service, as it is; its package lies on the path as `benched`."""

from hashlib import sha256
from pathlib import Path

import numpy as np
from benched.rag.analysis import Analyzer
from benched.rag.contracts import Chunk, ChunkId, Document, DocumentId
from benched.rag.store import Manifest, open_store, open_writer

from . import DEPTH, Documents, fused

MANIFEST = Manifest({"analysis": "1"})


def _hexed(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def _made(name: str, texts: list[str], first: int) -> tuple[Document, list[Chunk]]:
    """A document and its chunks; a chunk's id is its place in the corpus."""
    chunks: list[Chunk] = []
    start = 0
    for ordinal, text in enumerate(texts):
        id = ChunkId(f"{first + ordinal:08d}")
        chunks.append(
            Chunk(id, DocumentId(name), ordinal, start, start + len(text), text, (), _hexed(text))
        )
        start += len(text)
    text = "".join(texts)
    return Document(DocumentId(name), text, _hexed(text), name), chunks


class _Engine:
    def __init__(self, folder: Path) -> None:
        self.path = folder / "index.sqlite"
        self.analyzer = Analyzer("english")

    def build(self, documents: Documents) -> None:
        first = 0
        with open_writer(self.path, MANIFEST, analyze=self.analyzer.terms) as writer:
            for name, texts, vectors in documents:
                document, chunks = _made(name, texts, first)
                writer.put(document, chunks, vectors, source_digest=document.digest)
                first += len(chunks)

    def open(self) -> None:
        self.store = open_store(self.path, MANIFEST)

    def dense(self, vector: np.ndarray) -> list[int]:
        return [int(hit.chunk_id) for hit in self.store.search_dense(vector, DEPTH)]

    def keyword(self, text: str) -> list[int]:
        terms = self.analyzer.terms(text)
        return [int(hit.chunk_id) for hit in self.store.search_keyword(terms, DEPTH)]

    def hybrid(self, text: str, vector: np.ndarray) -> list[str]:
        with self.store.snapshot():
            best = fused(self.dense(vector), self.keyword(text))
            chunks = self.store.load_chunks([ChunkId(f"{number:08d}") for number in best])
        return [chunk.text for chunk in chunks]

    def change_one(self, name: str, texts: list[str], vectors: np.ndarray, first: int) -> None:
        """Index one document anew, with another text in each of its chunks."""
        document, chunks = _made(name, [f"changed {text}" for text in texts], first)
        with open_writer(self.path, MANIFEST, analyze=self.analyzer.terms) as writer:
            writer.put(document, chunks, vectors, source_digest=document.digest)


make = _Engine
