"""The configurations whose quality is measured: the default, a stronger model, the stand-ins."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Setup:
    """Settings of a run, and which of its rows are printed under which name."""

    name: str
    settings: Mapping[str, Any]
    rows: Mapping[str, str]
    tuned: bool = False


DEFAULT = Setup(
    "default",
    {"rerank": "maxsim"},
    {
        "keyword-only": "keyword-only",
        "dense-only": "WordLlama, dense-only",
        "fused-convex": "**WordLlama, fused: the default**",
        "fused-convex+rerank": "WordLlama, fused, MaxSim",
    },
    tuned=True,
)
STAND_INS = (
    Setup(
        "rrf",
        {"fusion": "rrf", "dense_weight": 0.5},
        {"fused-rrf": "stand-in: WordLlama, plain RRF"},
    ),
    Setup(
        "overlap",
        {"rerank": "lexical", "rerank_weight": 1},
        {"keyword-only+rerank": "stand-in: keyword, reranked by word overlap"},
    ),
    Setup(
        "hash",
        {
            "embedding": "hash", "fusion": "rrf", "dense_weight": 0.5,
            "rerank": "lexical", "rerank_weight": 1,
        },
        {
            "dense-only": "stand-in: hash vectors, dense-only",
            "fused-rrf": "stand-in: hash vectors, plain RRF",
            "fused-rrf+rerank": "stand-in: the same, reranked by word overlap",
        },
        tuned=True,
    ),
)  # fmt: skip


def minilm(folder: Path) -> Setup:
    """The rows of a stronger model, reranked by its own token vectors."""
    settings = {
        "embedding": "fastembed", "embedding_model": str(folder.resolve()), "dense_weight": 0.52,
        "rerank": "maxsim", "rerank_timeout_s": 3600,
    }  # fmt: skip
    rows = {
        "dense-only": "MiniLM, dense-only",
        "fused-convex": "MiniLM, fused",
        "fused-convex+rerank": "MiniLM, fused, MaxSim",
    }
    return Setup("minilm", settings, rows, tuned=True)
