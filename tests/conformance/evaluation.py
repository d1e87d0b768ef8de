"""Measures, floors, intervals, halves, what tuning decides, and fingerprints of judgements."""

import random

import numpy as np
from acme_search.rag.config import Settings
from acme_search.rag.contracts import DocumentId, QueryId
from acme_search.rag.evaluation.draws import draws_at
from acme_search.rag.evaluation.fingerprint import fingerprint_of
from acme_search.rag.evaluation.golden import Golden, GoldenQuery
from acme_search.rag.evaluation.halves import group_by_document, split_groups
from acme_search.rag.evaluation.measures import (
    ndcg,
    random_ndcg,
    random_recall,
    random_reciprocal_rank,
    recall,
    reciprocal_rank,
)
from acme_search.rag.evaluation.significance import paired_bootstrap
from acme_search.rag.evaluation.tuning import candidate_plans, decide
from acme_search.rag.retrieval import FusionPlan

NAMES = [f"d{number}" for number in range(40)]
DOCUMENTS = {"b.md": "2", "a.md": "1", "Z.md": "3", "é😀": "4", "\uffff": "5", "10": "6", "9": "7"}
QUERIES = [
    {
        "id": "1",
        "text": "pump",
        "relevant": {"b.md": 2, "a.md": 1},
        "slice": "x",
        "answerable": True,
    },
    {"id": "é", "text": 'a "b" \\ \n\x7f\u2028😀', "relevant": {"10": 1, "9": 3, "a": 1}},
    {"id": "u", "text": "moon", "relevant": {}, "answerable": False},
]
PLANS = [
    FusionPlan("convex", 0.3, 60, 100),
    *(FusionPlan("convex", weight, 60, 200) for weight in (0.0, 0.5, 1.0)),
    FusionPlan("rrf", 0.5, 60, 200),
]


def vectors() -> dict[str, object]:
    rng = random.Random(17)
    return {
        "measures": [_measured(rng) for _ in range(40)],
        "draws": [_drawn(*each) for each in ((0, 0, 7), (1, 5, 2**21), (2**32 - 1, 2**31, 100))],
        "intervals": [_interval(rng, *each) for each in ((1, 0), (12, 0), (40, 3), (60, 7))],
        "halves": [_halved(rng, count, seed) for count, seed in ((0, 0), (9, 0), (40, 1))],
        "plans": [[*_plan(plan)] for plan in dict.fromkeys(candidate_plans(PLANS[0]))],
        "tuning": [_tuned(rng, *each) for each in ((49, 0), (60, 0), (80, 2), (100, 3), (100, 1))],
        "fingerprint": _fingerprint(),
    }


def _measured(rng: random.Random) -> dict[str, object]:
    ranking = rng.sample(NAMES, rng.randint(0, 30))
    grades = {name: rng.randint(1, 3) for name in rng.sample(NAMES, rng.randint(1, 15))}
    k, documents = rng.choice([1, 5, 8, 10]), rng.choice([40, 100, 8])
    documents = max(documents, len(grades))
    found = [DocumentId(name) for name in ranking]
    relevant = {DocumentId(name): grade for name, grade in grades.items()}
    return {
        "ranking": ranking,
        "relevant": grades,
        "k": k,
        "documents": documents,
        "nDCG": ndcg(found, relevant, k),
        "R": recall(found, relevant, k),
        "RR": reciprocal_rank(found, relevant, k),
        "random": [
            random_ndcg(relevant, documents, k),
            random_recall(documents, k),
            random_reciprocal_rank(len(relevant), documents, k),
        ],
    }


def _drawn(seed: int, first: int, below: int) -> dict[str, object]:
    numbers = draws_at(seed, np.arange(first, first + 12), below)
    return {"seed": seed, "first": first, "below": below, "numbers": numbers.tolist()}


def _interval(rng: random.Random, count: int, seed: int) -> dict[str, object]:
    differences = [round(rng.gauss(0.03, 0.2), 4) for _ in range(count)]
    groups = [rng.randint(0, count // 2) for _ in differences] if seed else None
    found = paired_bootstrap(differences, groups, seed=seed)
    return {
        "differences": differences,
        "groups": groups,
        "seed": seed,
        "interval": [found.mean, found.low, found.high],
    }


def _halved(rng: random.Random, count: int, seed: int) -> dict[str, object]:
    documents = [[f"d{rng.randint(0, 30)}" for _ in range(rng.randint(1, 2))] for _ in range(count)]
    queries = [
        GoldenQuery(QueryId(f"q{number}"), "", {DocumentId(name): 1 for name in names})
        for number, names in enumerate(documents)
    ]
    groups = group_by_document(queries)
    return {
        "documents": documents,
        "seed": seed,
        "groups": groups,
        "halves": [*split_groups(groups, seed=seed)],
    }


def _tuned(rng: random.Random, queries: int, seed: int) -> dict[str, object]:
    peak, noise = rng.random(), rng.choice([0.1, 0.4])
    scores = [
        [round(0.6 + rng.gauss(0, noise) - (plan.dense_weight - peak) ** 2, 3) for plan in PLANS]
        for _ in range(queries)
    ]
    tuning = decide(PLANS, np.array(scores), range(queries), seed=seed)
    means, gain = tuning.means, tuning.gain
    return {
        "plans": [[*_plan(plan)] for plan in PLANS],
        "scores": scores,
        "seed": seed,
        "reason": tuning.reason,
        "best": tuning.best and PLANS.index(tuning.best),
        "recommended": tuning.recommended and PLANS.index(tuning.recommended),
        "gain": gain and [gain.mean, gain.low, gain.high],
        "means": [means.current, means.dense, means.keyword, means.recommended],
    }


def _plan(plan: FusionPlan) -> tuple[object, ...]:
    return plan.kind, plan.dense_weight, plan.rank_constant, plan.candidate_k


def _fingerprint() -> dict[str, object]:
    queries = [
        GoldenQuery(
            QueryId(str(query["id"])),
            str(query["text"]),
            {DocumentId(name): grade for name, grade in query["relevant"].items()},  # type: ignore[attr-defined]
            str(query.get("slice", "")),
            bool(query.get("answerable", True)),
        )
        for query in QUERIES
    ]
    documents = {DocumentId(name): digest for name, digest in DOCUMENTS.items()}
    found = fingerprint_of(Settings(), Golden(tuple(queries)), documents, "i")
    return {
        "documents": DOCUMENTS,
        "queries": QUERIES,
        "corpus": found.corpus,
        "golden": found.golden,
    }
