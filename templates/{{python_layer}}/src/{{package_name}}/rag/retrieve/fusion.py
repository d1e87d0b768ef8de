"""Two rankings -> one. A chunk has one vote per leg, and ties keep ascending chunk id."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from ..contracts import ChunkId, Hit, Ranking


@dataclass(frozen=True, slots=True)
class FusionPlan:
    """How the legs are fused: `kind` is `convex` or `rrf`, the keyword leg weighs the rest."""

    kind: str
    dense_weight: float
    rank_constant: int
    candidate_k: int


def fuse(dense: Ranking, keyword: Ranking, plan: FusionPlan) -> list[Hit]:
    """Fuse the first `candidate_k` hits of each leg; a leg of weight 0 contributes nothing."""
    depth = plan.candidate_k
    legs = (dense[:depth], keyword[:depth])
    weights = (plan.dense_weight, 1 - plan.dense_weight)
    if plan.kind == "rrf":
        return reciprocal_rank_fusion(legs, weights, rank_constant=plan.rank_constant)
    # A keyword leg that was not cut off holds every match: what it lacks scores 0 by BM25.
    return convex_fusion(legs, weights, floors=(None, 0.0 if len(keyword) < depth else None))


def reciprocal_rank_fusion(
    rankings: Sequence[Ranking], weights: Sequence[float], *, rank_constant: int = 60
) -> list[Hit]:
    """Sum weight / (rank_constant + rank) over rankings, ranks counted from 1.

    Raises:
        ValueError: `rank_constant` is negative.

    Source: Cormack, Clarke & Büttcher, SIGIR 2009.
    """
    if rank_constant < 0:
        raise ValueError(f"rank_constant must be >= 0, got {rank_constant}")
    scores: dict[ChunkId, float] = defaultdict(float)
    for ranking, weight in zip(rankings, weights, strict=True):
        for rank, hit in enumerate(_one_vote_each(ranking) if weight else (), start=1):
            scores[hit.chunk_id] += weight / (rank_constant + rank)
    return _ranked(scores)


def convex_fusion(
    rankings: Sequence[Ranking],
    weights: Sequence[float],
    *,
    floors: Sequence[float | None] = (None, None),
) -> list[Hit]:
    """Weighted sum of scores, each ranking's normalised to 0..1 from its floor to its best.

    A floor is the score of a chunk that the ranking lacks; None is the least that it holds.
    A chunk that a ranking did not return has 0 there, and a ranking whose scores all equal
    its floor counts 1 for each.

    Source: Bruch, Gai & Ingber, ACM TOIS 2023.
    """
    scores: dict[ChunkId, float] = defaultdict(float)
    for ranking, weight, floor in zip(rankings, weights, floors, strict=True):
        hits = _one_vote_each(ranking) if weight else []
        if not hits:
            continue
        low = min(hit.score for hit in hits) if floor is None else floor
        spread = max(hit.score for hit in hits) - low
        for hit in hits:
            scores[hit.chunk_id] += weight * ((hit.score - low) / spread if spread else 1.0)
    return _ranked(scores)


def _one_vote_each(ranking: Ranking) -> list[Hit]:
    first: dict[ChunkId, Hit] = {}
    for hit in ranking:
        first.setdefault(hit.chunk_id, hit)
    return list(first.values())


def _ranked(scores: dict[ChunkId, float]) -> list[Hit]:
    fused = (Hit(chunk_id, score) for chunk_id, score in scores.items())
    return sorted(fused, key=lambda hit: (-hit.score, hit.chunk_id))
