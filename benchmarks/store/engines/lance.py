"""LanceDB: one table, its native full-text index, an exact scan of the vectors."""

from collections.abc import Iterator
from pathlib import Path

import lancedb
import numpy as np
import pyarrow as pa

from ..corpus import DIMENSIONS
from . import DEPTH, Documents, fused

SCHEMA = pa.schema(
    [("number", pa.int64()), ("text", pa.string()), ("vector", pa.list_(pa.float32(), DIMENSIONS))]
)
ROWS = 5000


class _Engine:
    def __init__(self, folder: Path) -> None:
        self.database = lancedb.connect(folder)

    def build(self, documents: Documents) -> None:
        table = self.database.create_table("chunks", _batches(documents), schema=SCHEMA)
        table.create_fts_index("text", use_tantivy=False, language="English", stem=True)

    def open(self) -> None:
        self.table = self.database.open_table("chunks")

    def dense(self, vector: np.ndarray) -> list[int]:
        return self._numbers(self.table.search(vector).distance_type("dot"))

    def keyword(self, text: str) -> list[int]:
        return self._numbers(self.table.search(text, query_type="fts"))

    def hybrid(self, text: str, vector: np.ndarray) -> list[str]:
        """Fused here: its own reranker took longer."""
        dense, keyword = (
            query.select(["number", "text"]).limit(DEPTH).to_arrow()
            for query in (
                self.table.search(vector).distance_type("dot"),
                self.table.search(text, query_type="fts"),
            )
        )
        legs = [found["number"].to_pylist() for found in (dense, keyword)]
        texts = dict(
            pair
            for numbers, found in zip(legs, (dense, keyword), strict=True)
            for pair in zip(numbers, found["text"].to_pylist(), strict=True)
        )
        return [texts[number] for number in fused(*legs)]

    def _numbers(self, query: object) -> list[int]:
        return query.select(["number"]).limit(DEPTH).to_arrow()["number"].to_pylist()


def _batches(documents: Documents) -> Iterator[pa.RecordBatch]:
    texts: list[str] = []
    vectors: list[np.ndarray] = []
    first = 0
    for _, parts, rows in documents:
        texts += parts
        vectors.append(rows)
        if len(texts) >= ROWS:
            yield _batch(first, texts, vectors)
            first, texts, vectors = first + len(texts), [], []
    if texts:
        yield _batch(first, texts, vectors)


def _batch(first: int, texts: list[str], vectors: list[np.ndarray]) -> pa.RecordBatch:
    flat = pa.array(np.concatenate(vectors).reshape(-1))
    return pa.RecordBatch.from_arrays(
        [
            pa.array(range(first, first + len(texts)), pa.int64()),
            pa.array(texts, pa.string()),
            pa.FixedSizeListArray.from_arrays(flat, DIMENSIONS),
        ],
        schema=SCHEMA,
    )


make = _Engine
