"""The engines that are measured, each behind the same four methods."""

from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Protocol

import numpy as np

DEPTH = 50
"""Results per leg, before fusion."""
SHOWN = 10
"""Fused results whose texts are loaded."""
RANK_CONSTANT = 60

Documents = Iterable[tuple[str, list[str], np.ndarray]]
"""Document id, texts of its chunks, and their vectors."""


class Engine(Protocol):
    """An index on disk. A chunk is named by its place in the corpus, counted from 0."""

    def build(self, documents: Documents) -> None:
        """Make the index from nothing, complete and on the disk."""
        ...

    def open(self) -> None:
        """Open what `build` made."""
        ...

    def dense(self, vector: np.ndarray) -> list[int]:
        """The DEPTH nearest chunks."""
        ...

    def keyword(self, text: str) -> list[int]:
        """The DEPTH best chunks for a query of words."""
        ...

    def hybrid(self, text: str, vector: np.ndarray) -> list[str]:
        """Texts of the SHOWN best chunks of both legs, fused by rank."""
        ...


OURS, CHROMA = "this store", "Chroma"
ENGINES = {
    OURS: "ragseam",
    "LanceDB": "lance",
    "FTS5 + sqlite-vec": "fts5_vec",
    CHROMA: "chroma",
    "bm25s + NumPy": "bm25s_numpy",
}
"""Modules of this package by the name that is printed; `make(folder)` makes an engine."""


def engine(name: str, folder: Path) -> Engine:
    """The engine of that name over an index in `folder`; imports its library now."""
    return import_module(f"{__name__}.{ENGINES[name]}").make(folder)


def fused(*rankings: list[int]) -> list[int]:
    """The SHOWN best by reciprocal rank fusion."""
    scores: dict[int, float] = {}
    for ranking in rankings:
        for rank, number in enumerate(ranking, start=1):
            scores[number] = scores.get(number, 0.0) + 1 / (RANK_CONSTANT + rank)
    return sorted(scores, key=lambda number: (-scores[number], number))[:SHOWN]
