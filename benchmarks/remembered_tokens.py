"""`eval --collection DIR --json` of a rendered service, with each chunk's token vectors made once.

Run by the service's own Python. MaxSim scores every candidate of every query; made anew each
time, the token vectors of a collection would cost hours.
"""

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
    """Token vectors by text, kept as float16."""

    has_token_vectors = True

    def __init__(self, embedder: TokenEmbedder) -> None:
        self._embedder = embedder
        self._kept: dict[str, np.ndarray] = {}

    def embed_query_tokens(self, text: str) -> np.ndarray:
        """As the embedder makes them."""
        return self._embedder.embed_query_tokens(text)

    def embed_document_tokens(self, texts: Sequence[str]) -> list[np.ndarray]:
        """As the embedder made them the first time, rounded to float16."""
        for text in texts:
            if text not in self._kept:
                (made,) = self._embedder.embed_document_tokens([text])
                self._kept[text] = made.astype(np.float16)
        return [self._kept[text].astype(np.float32) for text in texts]


def quiet(stage: str, done: int, total: int | None) -> None:
    """Show no progress."""


if __name__ == "__main__":
    collection = Path(sys.argv[sys.argv.index("--collection") + 1])
    settings = load_settings()
    with open_judged(settings, collection, quiet) as judged:
        tokens = RememberedTokens(judged.retrieval.embedder)
        reranker = build_reranker(
            settings.rerank, embedder=tokens, timeout_s=settings.rerank_timeout_s
        )
        report = evaluate(
            replace(judged.retrieval, reranker=reranker),
            judged.golden,
            judged.documents,
            index=judged.index,
        )
    print_report(report, None, json=True)
