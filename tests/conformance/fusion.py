"""Fused orders and scores, of rankings with ties, repeats and gaps."""

import random

from acme_search.rag.contracts import ChunkId, Hit
from acme_search.rag.retrieve import FusionPlan, fuse

IDS = [f"c{number}" for number in range(12)]


def vectors() -> dict[str, object]:
    draw = random.Random(60)
    cases = [_case(_ranking(draw), _ranking(draw), plan) for plan in _plans() for _ in range(4)]
    equal = [["b", 1.0], ["a", 1.0]]
    repeated = [["a", 3.0], ["a", 2.0], ["b", 1.0]]
    plan = FusionPlan("convex", 0.5, 60, 100)
    edges = [
        _case(dense, keyword, FusionPlan(kind, 0.5, 60, 100))
        for kind in ("convex", "rrf")
        for dense, keyword in ((equal, equal[::-1]), (repeated, []), ([], repeated), ([], []))
    ]
    return {"cases": cases + edges + [_case([["a", 0.1]], [["a", 30.0]], plan)]}


def _plans() -> list[FusionPlan]:
    return [
        FusionPlan(kind, weight, constant, depth)
        for kind, weight, constant, depth in [
            ("convex", 0.3, 60, 100), ("convex", 0.0, 60, 100), ("convex", 1.0, 60, 3),
            ("rrf", 0.5, 60, 100), ("rrf", 0.7, 0, 5), ("rrf", 1.0, 10, 100),
        ]
    ]  # fmt: skip


def _ranking(draw: random.Random) -> list[list[object]]:
    """By falling score, of few different values, so that they tie."""
    scores = sorted((draw.choice([0.1, 0.2, 0.7, 1 / 3, 12.5]) for _ in range(8)), reverse=True)
    return [[id, score] for id, score in zip(draw.sample(IDS, 8), scores, strict=True)]


def _case(dense: list[list[object]], keyword: list[list[object]], plan: FusionPlan) -> object:
    fused = fuse(_hits(dense), _hits(keyword), plan)
    return {
        "plan": {
            "kind": plan.kind,
            "denseWeight": plan.dense_weight,
            "rankConstant": plan.rank_constant,
            "candidateK": plan.candidate_k,
        },
        "dense": dense,
        "keyword": keyword,
        "fused": [[hit.chunk_id, hit.score] for hit in fused],
    }


def _hits(pairs: list[list[object]]) -> list[Hit]:
    return [Hit(ChunkId(str(id)), float(str(score))) for id, score in pairs]
