"""What an evaluation found, as records and as JSON values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..contracts import QueryId
from .fingerprint import Fingerprint
from .significance import Difference

NDCG = "nDCG@10"


@dataclass(frozen=True, slots=True)
class Row:
    """One retriever's means over the judged queries.

    `slices` holds nDCG@10 by slice and `ndcg` by query. `degraded` counts queries for which
    the reranker failed and the fused order stood in.
    """

    name: str
    measures: Mapping[str, float]
    slices: Mapping[str, float]
    latency_ms: Mapping[str, float]
    ndcg: Mapping[QueryId, float]
    degraded: int = 0


@dataclass(frozen=True, slots=True)
class Refused:
    """Queries of one kind, and the share that no passage is near enough to answer."""

    queries: int
    share: float


@dataclass(frozen=True, slots=True)
class Refusals:
    """What the similarity threshold does, before any model is asked.

    `separation` is the chance that a judged query has a nearer passage than one that nothing
    answers (the area under the ROC curve); None when there is none of either.
    """

    threshold: float
    answerable: Refused
    unanswerable: Refused
    slices: Mapping[str, Refused]
    separation: float | None


@dataclass(frozen=True, slots=True)
class Report:
    """One evaluation. `served` names the row that a search takes with these settings."""

    rows: Sequence[Row]
    served: str
    random: Mapping[str, float]
    judged: int
    unjudged: Sequence[QueryId]
    refusals: Refusals
    differences: Sequence[Difference]
    fingerprint: Fingerprint

    def row(self, name: str) -> Row:
        """The row of that name; KeyError if there is none."""
        for row in self.rows:
            if row.name == name:
                return row
        raise KeyError(name)

    def passes(self, min_ndcg: float) -> bool:
        """Whether what is served reaches the floor, to four digits."""
        return round(self.row(self.served).measures[NDCG], 4) >= min_ndcg


def eval_payload(report: Report) -> dict[str, object]:
    """The report as JSON values; scores per query stay out of it."""
    return {
        "served": report.served,
        "rows": [_row_payload(row) for row in report.rows],
        "random": dict(report.random),
        "queries": {
            "judged": report.judged,
            "unjudged": list(report.unjudged),
            "unanswerable": report.refusals.unanswerable.queries,
        },
        "refusals": _refusals_payload(report.refusals),
        "differences": [_difference_payload(one) for one in report.differences],
        "fingerprints": report.fingerprint.payload(),
    }


def _row_payload(row: Row) -> dict[str, object]:
    return {
        "name": row.name,
        "measures": dict(row.measures),
        "slices": dict(row.slices),
        "latency_ms": dict(row.latency_ms),
        "degraded": row.degraded,
    }


def _refusals_payload(refusals: Refusals) -> dict[str, object]:
    def payload(refused: Refused) -> dict[str, object]:
        return {"queries": refused.queries, "refused": refused.share}

    return {
        "min_similarity": refusals.threshold,
        "answerable": payload(refusals.answerable),
        "unanswerable": payload(refusals.unanswerable),
        "slices": {name: payload(refused) for name, refused in refusals.slices.items()},
        "separation": refusals.separation,
    }


def _difference_payload(difference: Difference) -> dict[str, object]:
    return {
        "row": difference.row,
        "against": difference.against,
        NDCG: difference.interval.mean,
        "low": difference.interval.low,
        "high": difference.interval.high,
    }
