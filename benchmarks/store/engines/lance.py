"""LanceDB: one table, its native full-text index, an exact scan of the vectors."""

from collections.abc import Iterator
from pathlib import Path

import lancedb
import numpy as np
import pyarrow as pa
from lancedb.query import LanceQueryBuilder

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
        return _numbers(self._nearest(vector).select(["number", "_distance"]))

    def keyword(self, text: str) -> list[int]:
        return _numbers(self._best(text).select(["number", "_score"]))

    def hybrid(self, text: str, vector: np.ndarray) -> list[str]:
        """Fused here: its own reranker took longer."""
        dense = self._nearest(vector).select(["number", "text", "_distance"]).to_arrow()
        keyword = self._best(text).select(["number", "text", "_score"]).to_arrow()
        legs = [found["number"].to_pylist() for found in (dense, keyword)]
        texts = dict(
            pair
            for numbers, found in zip(legs, (dense, keyword), strict=True)
            for pair in zip(numbers, found["text"].to_pylist(), strict=True)
        )
        return [texts[number] for number in fused(*legs)]

    def _nearest(self, vector: np.ndarray) -> LanceQueryBuilder:
        return self.table.search(vector).distance_type("dot").limit(DEPTH)

    def _best(self, text: str) -> LanceQueryBuilder:
        return self.table.search(text, query_type="fts").limit(DEPTH)


def _numbers(query: LanceQueryBuilder) -> list[int]:
    return query.to_arrow()["number"].to_pylist()


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
