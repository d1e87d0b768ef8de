"""Late interaction over the token vectors of the model that embeds the chunks."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np

from ..contracts import Passage
from ..errors import RerankError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..contracts import Matrix

KEPT = 1024
"""Passages whose token vectors stay in memory, as 16-bit floats: some 200 kB each at most."""


@runtime_checkable
class TokenEmbedder(Protocol):
    """An embedder whose model gives a vector for each token."""

    @property
    def has_token_vectors(self) -> bool:
        """False when the model at hand gives none."""
        ...

    def embed_query_tokens(self, text: str) -> Matrix:
        """Shape (tokens, dimensions), rows as long as the model made them."""
        ...

    def embed_document_tokens(self, texts: Sequence[str]) -> list[Matrix]:
        """One matrix for each text, likewise."""
        ...


class MaxSimReranker:
    """Scores a passage by how well its best token matches each token of the query.

    The score is a mean over the query's tokens, each weighed by the square of its vector's
    length: models make the vectors of common words short. Needs no model of its own.

    Source: Khattab & Zaharia, SIGIR 2020 (ColBERT), without its training.
    """

    def __init__(
        self,
        embedder: TokenEmbedder,
        *,
        timeout_s: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._embedder = embedder
        self._timeout_s = timeout_s
        self._clock = clock
        self._kept_rows = lru_cache(maxsize=KEPT)(self._rows)

    def score(self, query: str, passages: Sequence[Passage]) -> list[float]:
        """One score per passage, -1 to 1.

        Raises:
            EmbeddingError: the model failed.
            RerankError: it took longer than `timeout_s`.
        """
        deadline = self._clock() + self._timeout_s
        tokens = self._embedder.embed_query_tokens(query)
        scores: list[float] = []
        for passage in passages:
            if self._clock() > deadline:
                done = f"{len(scores)} of {len(passages)} passages"
                raise RerankError(f"maxsim scored {done} in {self._timeout_s:g} s")
            rows = self._kept_rows(passage.chunk.representation)
            scores.append(max_sim(tokens, rows.astype(np.float32)))
        return scores

    def _rows(self, text: str) -> NDArray[np.float16]:
        (rows,) = self._embedder.embed_document_tokens([text])
        return _unit(rows).astype(np.float16)


def max_sim(query: Matrix, passage: Matrix) -> float:
    """Mean over query tokens of the highest cosine with a passage token, -1 to 1.

    Each query token weighs as the square of its vector's length. Without tokens it is 0.
    """
    if not len(query) or not len(passage):
        return 0.0
    lengths = np.linalg.norm(query, axis=1)
    best = (_unit(query) @ _unit(passage).T).max(axis=1)
    return float(np.average(best, weights=lengths**2)) if lengths.any() else 0.0


def _unit(rows: Matrix) -> Matrix:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True).astype(np.float32)
    return rows / np.maximum(lengths, np.float32(1e-12))
