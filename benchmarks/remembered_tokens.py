"""`eval --collection DIR --json` of a rendered service, with each chunk's token vectors made once.

Run by the service's own Python. MaxSim scores every candidate of every query; made anew each
time, the token vectors of a collection would cost hours. They are kept beside the collections'
indexes, so that a run that was interrupted goes on where it stopped.
"""

import hashlib
import sqlite3
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from acme_search.quality import print_report
from acme_search.rag.config import load_settings
from acme_search.rag.evaluation import evaluate, open_judged
from acme_search.rag.rerank import build_reranker
from acme_search.rag.rerank.maxsim import TokenEmbedder


class RememberedTokens:
    """Token vectors by model and text, kept in a file as float16."""

    has_token_vectors = True

    def __init__(self, embedder: TokenEmbedder, model: str, path: Path) -> None:
        self._embedder = embedder
        self._model = model
        self._kept = sqlite3.connect(path, timeout=60, isolation_level=None)
        self._kept.execute("PRAGMA journal_mode = WAL")
        self._kept.execute(
            "CREATE TABLE IF NOT EXISTS tokens (text BLOB PRIMARY KEY, width INT, rows BLOB)"
        )

    def embed_query_tokens(self, text: str) -> np.ndarray:
        """As the embedder makes them."""
        return self._embedder.embed_query_tokens(text)

    def embed_document_tokens(self, texts: Sequence[str]) -> list[np.ndarray]:
        """As the embedder made them the first time, rounded to float16."""
        return [self._rows(text) for text in texts]

    def _rows(self, text: str) -> np.ndarray:
        key = hashlib.sha256(f"{self._model}\0{text}".encode()).digest()
        query = "SELECT width, rows FROM tokens WHERE text = ?"
        found = self._kept.execute(query, (key,)).fetchone()
        if found is None:
            (made,) = self._embedder.embed_document_tokens([text])
            found = made.shape[1], made.astype(np.float16).tobytes()
            self._kept.execute("INSERT OR IGNORE INTO tokens VALUES (?, ?, ?)", (key, *found))
        width, rows = found
        return np.frombuffer(rows, np.float16).reshape(-1, width).astype(np.float32)


def quiet(stage: str, done: int, total: int | None) -> None:
    """Show no progress."""


if __name__ == "__main__":
    collection = Path(sys.argv[sys.argv.index("--collection") + 1])
    settings = load_settings()
    with open_judged(settings, collection, quiet) as judged:
        retrieval = judged.retrieval
        model = retrieval.embedder.identity.model
        tokens = RememberedTokens(
            retrieval.embedder, model, Path(settings.index_dir) / "tokens.sqlite"
        )
        reranker = build_reranker(
            settings.rerank, embedder=tokens, timeout_s=settings.rerank_timeout_s
        )
        report = evaluate(
            replace(retrieval, reranker=reranker),
            judged.golden,
            judged.documents,
            index=judged.index,
        )
    print_report(report, None, json=True)
