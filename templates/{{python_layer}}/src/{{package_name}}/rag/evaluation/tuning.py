"""Fusion settings that suit a corpus: searched on one half of the queries, scored on the other.

A gain is recommended when the other half shows it clearly. Apart from that, fusion that falls
short of its better leg on all queries is replaced: staying with it would cost more than an
uncertain choice that includes both legs alone.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from ..retrieval import FusionPlan, fuse
from .golden import GoldenQuery
from .halves import group_by_document, split_groups
from .measures import ndcg
from .significance import Interval, paired_bootstrap
from .subject import DocumentRanks, Subject

MIN_HALF = 25
"""Fewest queries of a half that are believed; below it every choice is as likely noise."""

SHORTFALL = 0.0025
"""nDCG@10 that fusion may lose to its better leg before it is replaced."""

_DEPTHS = (25, 50, 100, 200)
_CONVEX_WEIGHTS = tuple(step / 10 for step in range(11))
_RRF_WEIGHTS = (0.1, 0.3, 0.5, 0.7, 0.9)
_RANK_CONSTANTS = (10, 30, 60)
_CUTOFF = 10

Scores = NDArray[np.float64]
Progress = Callable[[str, int, int | None], None]


@dataclass(frozen=True, slots=True)
class Means:
    """Mean nDCG@10 over all judged queries."""

    current: float
    dense: float
    keyword: float
    recommended: float


@dataclass(frozen=True, slots=True)
class Tuning:
    """What was found. `recommended` is None when nothing can be recommended.

    `reason` is `gain`, `safety` (fusion lost to its better leg), `unclear` or `too_few`.
    `gain` is that of `best`, the choice of the tuning half, over the current plan on the
    held-out half; None when the halves are too small to tell.
    """

    reason: str
    current: FusionPlan
    best: FusionPlan | None
    recommended: FusionPlan | None
    gain: Interval | None
    means: Means
    tuning_queries: int
    held_out_queries: int
    candidates: int

    def settings(self) -> dict[str, str | float]:
        """The recommended settings by name; none without a recommendation."""
        if self.recommended is None:
            return {}
        return {
            "fusion": self.recommended.kind,
            "dense_weight": self.recommended.dense_weight,
            "rrf_k": self.recommended.rank_constant,
            "candidate_k": self.recommended.candidate_k,
        }


def tune(
    subject: Subject,
    queries: Sequence[GoldenQuery],
    *,
    seed: int = 0,
    progress: Progress = lambda stage, done, total: None,
) -> Tuning:
    """Search fusion kind, weight, candidate depth and rank constant on judged queries.

    Each leg is searched once per query, to the greatest depth. Fusion alone is scored; the
    reranker is left out. Equal arguments give an equal result.
    """
    plans = list(dict.fromkeys(candidate_plans(subject.plan)))
    scores = _score(subject, queries, plans, progress)
    return decide(plans, scores, group_by_document(queries), seed=seed)


def candidate_plans(current: FusionPlan) -> Iterator[FusionPlan]:
    """The current plan, and then every one that is tried instead."""
    yield current
    for depth in (*_DEPTHS, current.candidate_k):
        for weight in _CONVEX_WEIGHTS:
            yield FusionPlan("convex", weight, current.rank_constant, depth)
        for weight, constant in product(_RRF_WEIGHTS, _RANK_CONSTANTS):
            yield FusionPlan("rrf", weight, constant, depth)


def decide(
    plans: Sequence[FusionPlan], scores: Scores, groups: Sequence[int], *, seed: int = 0
) -> Tuning:
    """Choose from nDCG@10 by query and plan, shape (queries, plans); plan 0 is the current one.

    `groups` numbers queries that share documents, which stay on one side of the split.
    """
    tuning, held_out = split_groups(groups, seed=seed)
    means = scores.mean(axis=0) if len(scores) else np.zeros(len(plans))
    best = recommended = gain = None
    reason = "too_few"
    if min(len(tuning), len(held_out)) >= MIN_HALF:
        best = int(scores[tuning].mean(axis=0).argmax())
        gain = paired_bootstrap(
            (scores[held_out, best] - scores[held_out, 0]).tolist(),
            [groups[position] for position in held_out],
            seed=seed,
        )
        reason, recommended = _recommend(plans, means, best, gain)
    dense, keyword = _legs(plans)
    return Tuning(
        reason=reason,
        current=plans[0],
        best=None if best is None else plans[best],
        recommended=None if recommended is None else plans[recommended],
        gain=gain,
        means=Means(*(float(means[plan]) for plan in (0, dense, keyword, recommended or 0))),
        tuning_queries=len(tuning),
        held_out_queries=len(held_out),
        candidates=len(plans),
    )


def _recommend(
    plans: Sequence[FusionPlan], means: Scores, best: int, gain: Interval
) -> tuple[str, int | None]:
    chosen = best if gain.is_gain else 0
    enough = max(means[leg] for leg in _legs(plans)) - SHORTFALL
    if means[chosen] >= enough:
        return ("gain", chosen) if chosen else ("unclear", None)
    if means[best] >= enough:
        return "safety", best
    # Weights 0 and 1 are among these, so the best of them is no worse than either leg.
    convex = [position for position, plan in enumerate(plans) if plan.kind == "convex"]
    return "safety", max(convex, key=lambda position: means[position])


def _legs(plans: Sequence[FusionPlan]) -> tuple[int, int]:
    """Positions of the dense and the keyword leg alone, at the greatest depth."""
    depth = max(plan.candidate_k for plan in plans)
    alone = [
        (plan.dense_weight, position)
        for position, plan in enumerate(plans)
        if plan.kind == "convex" and plan.candidate_k == depth
    ]
    return max(alone)[1], min(alone)[1]


def _score(
    subject: Subject,
    queries: Sequence[GoldenQuery],
    plans: Sequence[FusionPlan],
    progress: Progress,
) -> Scores:
    depth = max(plan.candidate_k for plan in plans)
    ranks = DocumentRanks(subject.store)
    scores = np.zeros((len(queries), len(plans)))
    for row, query in enumerate(queries):
        legs = subject.legs(query.text, depth)
        ranks.learn(legs.dense, legs.keyword)
        for column, plan in enumerate(plans):
            hits = fuse(legs.dense, legs.keyword, plan)
            documents = ranks.of(hit.chunk_id for hit in hits)
            scores[row, column] = ndcg(documents, query.relevant, _CUTOFF)
        progress("tune", row + 1, len(queries))
    return scores
