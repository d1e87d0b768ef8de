"""Cuts candidates to what fits a prompt; the only stage that makes `RerankedPassages`."""

from .build import build_reranker
from .reranking import rerank

__all__ = ["build_reranker", "rerank"]
