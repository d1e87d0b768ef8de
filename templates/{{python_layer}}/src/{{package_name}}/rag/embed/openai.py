"""Any endpoint that speaks OpenAI's `/embeddings`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from ..errors import EmbeddingError
from ..transport import JsonClient
from .encoder import Profile, Role

if TYPE_CHECKING:
    from ..contracts import Matrix

DEFAULT_MODEL = "text-embedding-3-small"
MAX_TOKENS = 8191
"""What OpenAI's models take; set `embedding_max_tokens` for a model that takes less."""

KNOWN_DIMENSIONS = {
    "text-embedding-3-small": 1536,
    "text-embedding-3-large": 3072,
    "text-embedding-ada-002": 1536,
}


class _Row(msgspec.Struct):
    index: int
    embedding: list[float]


class _Rows(msgspec.Struct):
    data: list[_Row]


class OpenAiEncoder:
    """One POST for each batch. With `dimensions` 0 the model's own number is found by a call."""

    def __init__(self, client: JsonClient, *, model: str = "", dimensions: int = 0) -> None:
        self._client = client
        self._model = model or DEFAULT_MODEL
        self._asked_dimensions = dimensions

    @property
    def profile(self) -> Profile:
        """Facts of the model; an unknown model is asked for one vector, once."""
        return Profile("openai", self._model, self._dimensions, MAX_TOKENS)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """An estimate that errs upwards: three bytes a token."""
        return [len(text.encode()) // 3 + 1 for text in texts]

    def encode(self, texts: Sequence[str], role: Role) -> Matrix:
        """Vectors as the endpoint gives them.

        Raises:
            EmbeddingError: the call failed, or rows are missing, repeated or of unlike sizes.
        """
        rows = self._request(texts)
        expected = self.profile.dimensions
        for number, row in enumerate(rows):
            if len(row) != expected:
                raise EmbeddingError(
                    f"openai {self._model}: vector {number} of {len(rows)} has {len(row)} "
                    f"dimensions, expected {expected}"
                )
        with np.errstate(over="ignore"):
            return np.array(rows, dtype=np.float32).reshape(len(rows), expected)

    @cached_property
    def _dimensions(self) -> int:
        known = self._asked_dimensions or KNOWN_DIMENSIONS.get(self._model, 0)
        return known or len(self._request(["dimensions"])[0])

    def _request(self, texts: Sequence[str]) -> list[list[float]]:
        payload: dict[str, object] = {"model": self._model, "input": list(texts)}
        if self._asked_dimensions:
            payload["dimensions"] = self._asked_dimensions
        data = self._client.post("/embeddings", payload, _Rows).data
        by_index = {row.index: row.embedding for row in data}
        if len(data) != len(texts) or by_index.keys() != set(range(len(texts))):
            raise EmbeddingError(
                f"openai {self._model} returned {len(data)} rows, numbered "
                f"{sorted(row.index for row in data)[:10]}, for {len(texts)} texts",
                fix="What was embedded before is kept. Check the endpoint, then run it again.",
            )
        return [by_index[index] for index in range(len(texts))]
