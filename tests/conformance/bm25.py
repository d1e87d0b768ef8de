"""Inverse document frequencies and BM25 scores, to the last bit, and orders with ties."""

import random
import tempfile
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import numpy as np
from acme_search.rag.contracts import Chunk, ChunkId, Document, DocumentId
from acme_search.rag.store import Manifest, open_store, open_writer
from acme_search.rag.store.postings import inverse_document_frequency

WORDS = ["pump", "valve", "tank", "steam", "gauge", "水泵", "müll", "e-502"]
QUERIES = [["pump"], ["steam", "pump", "steam", "absent"], ["水泵", "müll", "e-502"], WORDS, []]
PARAMETERS = [(1.2, 0.75), (0.9, 0.4), (0.0, 1.0), (2.0, 0.0)]


def vectors() -> dict[str, object]:
    draw = random.Random(502)
    texts = [" ".join(draw.choices(WORDS, k=draw.randint(1, 7))) for _ in range(90)]
    texts += ["pump " * 300, texts[0], texts[0]]
    pairs = [(draw.randint(1, 300_000), draw.random()) for _ in range(60)]
    frequencies = [(chunks, max(1, int(chunks * share**4))) for chunks, share in pairs]
    return {
        "idf": [
            {"chunks": n, "frequency": df, "idf": inverse_document_frequency(n, df)}
            for n, df in [(1, 1), (2, 1), (300_000, 1), (300_000, 300_000), *frequencies]
        ],
        "texts": texts,
        "searches": _searches(texts),
    }


def write(path: Path, texts: Sequence[str]) -> None:
    """One document for each text, whole."""
    with open_writer(path, Manifest({}), analyze=str.split) as writer:
        for number, text in enumerate(texts):
            digest = sha256(text.encode()).hexdigest()
            id = DocumentId(f"d{number:03}")
            chunk = Chunk(ChunkId(f"c{number:03}"), id, 0, 0, len(text), text, (), digest)
            document = Document(id, text, digest, id)
            writer.put(document, [chunk], np.ones((1, 1), np.float32), source_digest=digest)


def _searches(texts: Sequence[str]) -> list[object]:
    found: list[object] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "index.sqlite"
        write(path, texts)
        for k1, b in PARAMETERS:
            with open_store(path, None, bm25_k1=k1, bm25_b=b) as store:
                for query in QUERIES:
                    hits = store.search_keyword(query, 12)
                    pairs = [[hit.chunk_id, hit.score] for hit in hits]
                    found.append({"k1": k1, "b": b, "query": query, "hits": pairs})
    return found
