"""Vectors by feature hashing: a stand-in that knows spelling and no meaning.

Deterministic and the same in every language, for tests and for parity. Do not judge retrieval
by it: fused with BM25 it ranks worse than BM25 alone.
"""

from __future__ import annotations

import unicodedata
import zlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
import regex

from .encoder import Profile, Role

if TYPE_CHECKING:
    from ..contracts import Matrix

_WORD = regex.compile(r"[\p{L}\p{N}]+")
_SIGN_BIT = 1 << 31


class HashEncoder:
    """Counts words and their character trigrams into signed buckets.

    A feature is a word, or a trigram of the word with a space on each side, after NFKC and
    lower-casing; its CRC-32 modulo the dimensions is the bucket, and its highest bit the sign.
    A text without letters or digits counts its characters instead.
    """

    def __init__(self, dimensions: int = 256) -> None:
        self.profile = Profile("hash", "crc32-words-trigrams", dimensions)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Words cost nothing here; characters stand for tokens."""
        return [len(text) for text in texts]

    def encode(self, texts: Sequence[str], role: Role) -> Matrix:
        """Counts per bucket, whole numbers; a blank text gives zeros."""
        rows = np.zeros((len(texts), self.profile.dimensions), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for feature in _features(text):
                code = zlib.crc32(feature.encode())
                row[code % len(row)] += -1.0 if code & _SIGN_BIT else 1.0
        return rows


def _features(text: str) -> Iterator[str]:
    folded = unicodedata.normalize("NFKC", text).lower()
    words = _WORD.findall(folded) or folded.split()
    for word in words:
        yield word
        spaced = f" {word} "
        yield from (spaced[at : at + 3] for at in range(len(spaced) - 2))
