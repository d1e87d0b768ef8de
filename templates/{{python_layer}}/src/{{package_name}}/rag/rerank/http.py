"""The `/rerank` shape that Cohere, Jina, vLLM and Text Embeddings Inference share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import msgspec

from ..contracts import Passage
from ..errors import RerankError
from ..transport import JsonClient


class _Score(msgspec.Struct):
    index: int
    relevance_score: float | None = None
    score: float | None = None


class _Scores(msgspec.Struct):
    results: list[_Score]


class HttpReranker:
    """Posts the query and the passages, and puts the scores back in the order given."""

    def __init__(self, client: JsonClient, *, model: str = "") -> None:
        self._client = client
        self._model = model

    def score(self, query: str, passages: Sequence[Passage]) -> list[float]:
        """One score per passage.

        Raises:
            RerankError: the call failed, or a score is missing, repeated or for no passage.
        """
        if not passages:
            return []
        texts = [passage.chunk.representation for passage in passages]
        payload: dict[str, object] = {"query": query, "documents": texts, "top_n": len(texts)}
        # Text Embeddings Inference serves one model, and calls the documents `texts`.
        payload |= {"model": self._model} if self._model else {"texts": texts}
        shapes = cast("type[_Scores | list[_Score]]", _Scores | list[_Score])
        reply = self._client.post("", payload, shapes)
        return _in_order(reply.results if isinstance(reply, _Scores) else reply, len(texts))


def _in_order(given: Sequence[_Score], expected: int) -> list[float]:
    scores: dict[int, float] = {}
    for one in given:
        score = one.score if one.relevance_score is None else one.relevance_score
        if score is None or not 0 <= one.index < expected or one.index in scores:
            raise RerankError(f"the reranker's result for index {one.index} makes no sense")
        scores[one.index] = score
    if len(scores) != expected:
        raise RerankError(f"the reranker gave {len(scores)} scores for {expected} passages")
    return [scores[index] for index in range(expected)]
