"""Retrieval quality, scored on what is served; nothing here reaches generation."""

from .baseline import compare_baseline, save_baseline
from .collection import is_beir, load_judged
from .golden import load_golden
from .judged import open_judged
from .report import eval_payload
from .scoring import evaluate
from .tuning import tune

__all__ = [
    "compare_baseline",
    "eval_payload",
    "evaluate",
    "is_beir",
    "load_golden",
    "load_judged",
    "open_judged",
    "save_baseline",
    "tune",
]
