"""Chroma: an approximate index of vectors. It ranks no words locally, so it has one leg."""

from itertools import islice
from pathlib import Path

import chromadb
import numpy as np
from chromadb.config import Settings

from . import DEPTH, Documents

ROWS = 5000


class _Engine:
    def __init__(self, folder: Path) -> None:
        settings = Settings(anonymized_telemetry=False)
        self.client = chromadb.PersistentClient(str(folder), settings=settings)

    def build(self, documents: Documents) -> None:
        made = self.client.create_collection("chunks", configuration={"hnsw": {"space": "ip"}})
        numbered = enumerate(
            pair for _, texts, rows in documents for pair in zip(texts, rows, strict=True)
        )
        while rows := list(islice(numbered, ROWS)):
            made.add(
                ids=[str(number) for number, _ in rows],
                documents=[text for _, (text, _) in rows],
                embeddings=np.stack([vector for _, (_, vector) in rows]),
            )

    def open(self) -> None:
        self.collection = self.client.get_collection("chunks")

    def dense(self, vector: np.ndarray) -> list[int]:
        found = self.collection.query(query_embeddings=[vector], n_results=DEPTH, include=[])
        return [int(id) for id in found["ids"][0]]


make = _Engine
