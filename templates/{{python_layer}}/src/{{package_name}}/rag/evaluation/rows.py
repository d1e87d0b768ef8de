"""One query through every retriever: the legs alone, both fusions, and each reranked."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ..contracts import DocumentId, Hit, RerankedPassages
from ..retrieval import FusionPlan, Legs, fuse
from .remembering import RememberingReranker
from .subject import DocumentRanks, Subject

RERANKED = "+rerank"
LEG_ROWS = ("dense-only", "keyword-only")
FUSED_ROWS = ("fused-rrf", "fused-convex")
NOTHING = float("-inf")

Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Found:
    """One row's documents for one query, best first, and how long they took."""

    documents: Sequence[DocumentId]
    latency_ms: float
    status: str = ""


@dataclass(frozen=True, slots=True)
class QueryRun:
    """Every row of one query, and the similarity of the nearest passage that is served."""

    found: Mapping[str, Found]
    nearest: float | None


def row_names(subject: Subject) -> list[str]:
    """Rows in the order they are printed."""
    plain = [*LEG_ROWS, *FUSED_ROWS]
    return plain + [name + RERANKED for name in plain] if subject.reranker else plain


def served_row(subject: Subject) -> str:
    """The row that a search takes with the settings as they are."""
    return fused_row(subject.plan) + (RERANKED if subject.reranker else "")


def fused_row(plan: FusionPlan) -> str:
    """The row of a plan's kind of fusion, before reranking."""
    return f"fused-{plan.kind}"


def run_query(subject: Subject, query: str, ranks: DocumentRanks, clock: Clock) -> QueryRun:
    """Search both legs once and make every row from them.

    A row's latency is the time of what a search of that kind would do: the legs it needs,
    fusion, and reranking.
    """
    legs, times = _timed_legs(subject, query, clock)
    ranks.learn(legs.dense, legs.keyword)
    plain = list(_plain_rows(subject.plan, legs, times, clock))
    found = {
        name: Found(ranks.of(hit.chunk_id for hit in hits), took) for name, hits, took in plain
    }
    if subject.reranker is None:
        hits = next(hits for name, hits, _ in plain if name == fused_row(subject.plan))
        return QueryRun(found, nearest_similarity(subject, subject.rerank(query, hits, legs)))
    remembering = RememberingReranker(subject.reranker, clock)
    subject = replace(subject, reranker=remembering)
    depth = max(subject.settings.rerank_candidates, subject.settings.rerank_top_n)
    nearest = None
    # What is served goes first, so that nothing of it is remembered from another row.
    for name, hits, took in sorted(plain, key=lambda row: row[0] != fused_row(subject.plan)):
        start = clock()
        passages = subject.rerank(query, hits, legs, top_n=depth)
        took += (clock() - start + remembering.spared_s) * 1000
        order = ranks.of(passage.chunk.id for passage in passages.passages)
        found[name + RERANKED] = Found(order, took, passages.status)
        if name == fused_row(subject.plan):
            nearest = nearest_similarity(subject, passages)
    return QueryRun(found, nearest)


def nearest_similarity(subject: Subject, passages: RerankedPassages) -> float | None:
    """Greatest similarity among the passages that reach a prompt.

    `NOTHING` when there are none; None when it is not known, as when fusion ignores the
    dense leg: then nothing is refused for it.
    """
    served = passages.passages[: subject.settings.rerank_top_n]
    if not served:
        return NOTHING
    if not subject.plan.dense_weight:
        return None
    return max((one.similarity for one in served if one.similarity is not None), default=None)


def _timed_legs(subject: Subject, query: str, clock: Clock) -> tuple[Legs, tuple[float, float]]:
    depth = subject.plan.candidate_k
    start = clock()
    dense = subject.legs(query, depth, keyword=False)
    between = clock()
    keyword = subject.legs(query, depth, dense=False)
    end = clock()
    both = replace(dense, keyword=keyword.keyword)
    return both, ((between - start) * 1000, (end - between) * 1000)


def _plain_rows(
    plan: FusionPlan, legs: Legs, times: tuple[float, float], clock: Clock
) -> Iterator[tuple[str, Sequence[Hit], float]]:
    for name, ranking, took in zip(LEG_ROWS, (legs.dense, legs.keyword), times, strict=True):
        yield name, ranking, took
    dense_ms, keyword_ms = times
    for name in FUSED_ROWS:
        start = clock()
        hits = fuse(legs.dense, legs.keyword, replace(plan, kind=name.removeprefix("fused-")))
        took = keyword_ms + (dense_ms if plan.dense_weight else 0) + (clock() - start) * 1000
        yield name, hits, took
