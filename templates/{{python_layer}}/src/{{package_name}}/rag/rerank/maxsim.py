"""Late interaction over the token vectors of the model that embeds the chunks."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np

from ..contracts import Passage
from ..errors import RerankError

if TYPE_CHECKING:
    from ..contracts import Matrix

_PASSAGES_PER_CALL = 8


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

    def score(self, query: str, passages: Sequence[Passage]) -> list[float]:
        """One score per passage, -1 to 1.

        Raises:
            EmbeddingError: the model failed.
            RerankError: it took longer than `timeout_s`.
        """
        deadline = self._clock() + self._timeout_s
        tokens = self._embedder.embed_query_tokens(query)
        scores: list[float] = []
        for start in range(0, len(passages), _PASSAGES_PER_CALL):
            if self._clock() > deadline:
                raise RerankError(
                    f"maxsim scored {start} of {len(passages)} passages in {self._timeout_s:g} s"
                )
            part = passages[start : start + _PASSAGES_PER_CALL]
            texts = [passage.chunk.representation for passage in part]
            scores += (
                max_sim(tokens, rows) for rows in self._embedder.embed_document_tokens(texts)
            )
        return scores


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
