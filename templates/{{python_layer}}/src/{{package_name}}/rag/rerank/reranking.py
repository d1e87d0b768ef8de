"""Candidates -> the passages that may reach a prompt. Nothing else makes `RerankedPassages`."""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence
from dataclasses import replace

from ..contracts import Passage, Placing, RerankedPassages, Reranker
from ..errors import RagError, RerankError

log = logging.getLogger(__name__)

NOT_RERANKED = "none"
RERANKED = "ok"
DEGRADED = "degraded: "


def rerank(
    query: str,
    candidates: Sequence[Passage],
    *,
    reranker: Reranker | None,
    weight: float,
    top_n: int,
) -> RerankedPassages:
    """Mix the reranker's scores with the fused ones, and keep the best `top_n`.

    Both are min-max normalised over the candidates; the reranker's count `weight`, the fused
    ones the rest. Ties keep ascending chunk id. `candidates` come in fused order, which stays
    when there is no reranker (status `none`) or when it fails (`degraded: ` and why). With
    status `ok` each passage has a placing `rerank`, with the score as the reranker gave it.
    """
    passages, status = _reranked(query, candidates, reranker, weight)
    return RerankedPassages._seal(  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
        query, passages[:top_n], status
    )


def _reranked(
    query: str, candidates: Sequence[Passage], reranker: Reranker | None, weight: float
) -> tuple[Sequence[Passage], str]:
    if reranker is None:
        return candidates, NOT_RERANKED
    try:
        # Queries come from anywhere: no model takes a lone surrogate.
        asked = query.encode("utf-8", "replace").decode()
        scores = _checked(reranker.score(asked, candidates), len(candidates))
    except Exception as error:
        reason = error.what if isinstance(error, RagError) else repr(error)
        reason = " ".join(reason.split())
        log.warning("rerank.degraded candidates=%d reason=%s", len(candidates), reason)
        return candidates, DEGRADED + reason
    return _mixed(candidates, scores, weight), RERANKED


def _checked(scores: Sequence[float], expected: int) -> list[float]:
    if len(scores) != expected:
        raise RerankError(f"the reranker gave {len(scores)} scores for {expected} passages")
    for position, score in enumerate(scores):
        if not math.isfinite(score):
            raise RerankError(f"the reranker gave {score} for passage {position + 1}")
    return [float(score) for score in scores]


def _mixed(candidates: Sequence[Passage], scores: Sequence[float], weight: float) -> list[Passage]:
    by_reranker = sorted(
        zip(candidates, scores, strict=True), key=lambda pair: (-pair[1], pair[0].chunk.id)
    )
    placings = {
        passage.chunk.id: Placing(rank, score)
        for rank, (passage, score) in enumerate(by_reranker, start=1)
    }
    fused = _min_max([passage.score for passage in candidates])
    mixed = [
        replace(
            passage,
            score=weight * reranked + (1 - weight) * kept,
            placings={**passage.placings, "rerank": placings[passage.chunk.id]},
        )
        for passage, reranked, kept in zip(candidates, _min_max(scores), fused, strict=True)
    ]
    return sorted(mixed, key=lambda passage: (-passage.score, passage.chunk.id))


def _min_max(scores: Sequence[float]) -> list[float]:
    low, high = min(scores, default=0.0), max(scores, default=0.0)
    if high == low:
        return [0.0] * len(scores)
    return [(score - low) / (high - low) for score in scores]
