"""Static token vectors that ship inside the `wordllama` wheel, averaged: no network, no GPU.

The distribution is never imported, for that takes most of a second and sets up logging; its
two files are read where they lie. Equal to `WordLlama.load().embed(texts, norm=True)`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ..errors import ConfigError, EmbeddingError
from .encoder import Profile, Role

if TYPE_CHECKING:
    from tokenizers import Tokenizer

    from ..contracts import Matrix

MODEL = "l2_supercat_256"
DIMENSIONS = (64, 128, 256)
"""Trained so that the first 64 or 128 numbers of a vector are a smaller vector."""

_WEIGHTS = "weights/l2_supercat_256.safetensors"
_TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"


class WordLlamaEncoder:
    """Averages the vectors of a text's tokens.

    Raises:
        ConfigError: the model was not trained for so many dimensions.
        EmbeddingError: the distribution, or a file of it, is missing.
    """

    def __init__(self, dimensions: int = 256) -> None:
        if dimensions not in DIMENSIONS:
            raise ConfigError(f"wordllama has {DIMENSIONS} dimensions, not {dimensions}")
        self.profile = Profile("wordllama", MODEL, dimensions)
        self._folder = _distribution_folder()

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """An estimate: no text is too long for an average."""
        return [len(text) // 3 + 1 for text in texts]

    def encode(self, texts: Sequence[str], role: Role) -> Matrix:
        """Mean of the token vectors; a text without tokens gives zeros."""
        rows = np.zeros((len(texts), self.profile.dimensions), dtype=np.float32)
        for row, ids in zip(rows, self._token_ids(texts), strict=True):
            if ids:
                distinct, counts = np.unique(ids, return_counts=True)
                row[:] = (counts / len(ids)).astype(np.float32) @ self._rows(distinct)
        return rows

    def encode_tokens(self, texts: Sequence[str], role: Role) -> list[Matrix]:
        """Vectors of the distinct tokens of each text; rare tokens have the longer ones."""
        return [self._rows(np.unique(np.array(ids, int))) for ids in self._token_ids(texts)]

    def _token_ids(self, texts: Sequence[str]) -> list[list[int]]:
        encodings = self._tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)
        return [encoding.ids for encoding in encodings]

    def _rows(self, ids: np.ndarray) -> Matrix:
        return self._weights[ids, : self.profile.dimensions].astype(np.float32)

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        from tokenizers import Tokenizer

        return Tokenizer.from_file(str(self._folder / _TOKENIZER))

    @cached_property
    def _weights(self) -> np.ndarray:
        from safetensors import safe_open

        with cast("Any", safe_open(self._folder / _WEIGHTS, framework="np")) as tensors:
            return tensors.get_tensor("embedding.weight")


def _distribution_folder() -> Path:
    found = find_spec("wordllama")
    folder = Path(found.origin).parent if found and found.origin else None
    if folder is None or not all((folder / name).is_file() for name in (_WEIGHTS, _TOKENIZER)):
        raise EmbeddingError("the weights of wordllama are not installed", fix="Run `uv sync`.")
    return folder
