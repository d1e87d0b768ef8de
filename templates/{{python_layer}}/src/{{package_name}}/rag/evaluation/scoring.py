"""Golden queries -> search -> measures. No model is asked, and none is imported."""

from collections.abc import Callable, Mapping, Sequence
from statistics import fmean
from time import perf_counter

import numpy as np

from ..contracts import DocumentId
from ..errors import EvaluationError
from .fingerprint import fingerprint_of
from .golden import Golden, GoldenQuery
from .measures import (
    ndcg,
    random_ndcg,
    random_recall,
    random_reciprocal_rank,
    recall,
    reciprocal_rank,
)
from .refusals import refusals_of
from .report import NDCG, Report, Row
from .rows import (
    LEG_ROWS,
    RERANKED,
    Clock,
    QueryRun,
    fused_row,
    nearest_similarity,
    row_names,
    run_query,
    served_row,
)
from .significance import Difference, compare_scores
from .subject import DocumentRanks, Subject

_CUTOFF = 10

Progress = Callable[[str, int, int | None], None]


def evaluate(
    subject: Subject,
    golden: Golden,
    documents: Mapping[DocumentId, str],
    *,
    index: str,
    progress: Progress = lambda stage, done, total: None,
    clock: Clock = perf_counter,
) -> Report:
    """Score every row on the judged queries, by document.

    `documents` holds the digest of each indexed document, `index` that of the index; `clock`
    counts seconds. Queries without a relevant document are in no mean.

    Raises:
        EvaluationError: no query is judged.
    """
    judged = golden.judged
    if not judged:
        raise EvaluationError(
            "no query has a relevant document", fix="Name some under `relevant`, with a grade."
        )
    asked = judged + golden.unanswerable
    ranks = DocumentRanks(subject.store)
    runs: list[QueryRun] = []
    nearest: list[float | None] = []
    for done, query in enumerate(asked, start=1):
        if query.relevant:
            runs.append(run_query(subject, query.text, ranks, clock))
            nearest.append(runs[-1].nearest)
        else:
            nearest.append(nearest_similarity(subject, subject.search(query.text)))
        progress("eval", done, len(asked))
    k = subject.settings.rerank_top_n
    rows = [_row(name, judged, runs, k) for name in row_names(subject)]
    return Report(
        rows=rows,
        served=served_row(subject),
        random=_random(judged, len(documents), k),
        judged=len(judged),
        unjudged=[query.id for query in golden.unjudged],
        refusals=refusals_of(asked, nearest, subject.settings.min_similarity),
        differences=_differences(rows, subject),
        fingerprint=fingerprint_of(subject.settings, golden, documents, index),
    )


def _row(name: str, judged: Sequence[GoldenQuery], runs: Sequence[QueryRun], k: int) -> Row:
    pairs = [(query, run.found[name]) for query, run in zip(judged, runs, strict=True)]
    scores = {query.id: ndcg(found.documents, query.relevant, _CUTOFF) for query, found in pairs}
    slices: dict[str, list[float]] = {}
    for query in judged:
        if query.slice:
            slices.setdefault(query.slice, []).append(scores[query.id])
    p50, p95 = np.percentile([found.latency_ms for _, found in pairs], [50, 95])
    return Row(
        name=name,
        measures={
            NDCG: fmean(scores.values()),
            f"R@{k}": fmean(recall(found.documents, q.relevant, k) for q, found in pairs),
            "RR@10": fmean(
                reciprocal_rank(found.documents, q.relevant, _CUTOFF) for q, found in pairs
            ),
        },
        slices={name: fmean(values) for name, values in sorted(slices.items())},
        latency_ms={"p50": float(p50), "p95": float(p95)},
        ndcg=scores,
        degraded=sum(found.status.startswith("degraded") for _, found in pairs),
    )


def _random(judged: Sequence[GoldenQuery], documents: int, k: int) -> dict[str, float]:
    return {
        NDCG: fmean(random_ndcg(query.relevant, documents, _CUTOFF) for query in judged),
        f"R@{k}": random_recall(documents, k),
        "RR@10": fmean(
            random_reciprocal_rank(len(query.relevant), documents, _CUTOFF) for query in judged
        ),
    }


def _differences(rows: Sequence[Row], subject: Subject) -> list[Difference]:
    """The configured fusion against its better leg, and reranking against that fusion."""
    by_name = {row.name: row for row in rows}
    fused = by_name[fused_row(subject.plan)]
    leg = max((by_name[name] for name in LEG_ROWS), key=lambda row: row.measures[NDCG])
    pairs = [(fused, leg)]
    if subject.reranker:
        pairs.append((by_name[fused.name + RERANKED], fused))
    return [compare_scores(row.name, row.ndcg, other.name, other.ndcg) for row, other in pairs]
