"""One query through every retriever: the legs alone, both fusions, and each reranked."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ..contracts import ChunkId, DocumentId, Hit, RerankedPassages
from ..retrieval import FusionPlan, Legs, fuse
from .subject import DocumentRanks, Subject

RERANKED = "+rerank"
LEG_ROWS = ("dense-only", "keyword-only")
FUSED_ROWS = ("fused-rrf", "fused-convex")

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
    return f"fused-{subject.plan.kind}" + (RERANKED if subject.reranker else "")


def run_query(subject: Subject, query: str, ranks: DocumentRanks, clock: Clock) -> QueryRun:
    """Search both legs once and make every row from them.

    A row's latency is the time of what a search of that kind would do: the legs it needs,
    fusion, and reranking.
    """
    legs, times = _timed_legs(subject, query, clock)
    ranks.learn(legs.dense, legs.keyword)
    found: dict[str, Found] = {}
    nearest = None
    for name, hits, took in _plain_rows(subject.plan, legs, times, clock):
        found[name] = Found(ranks.of(hit.chunk_id for hit in hits), took)
        served = name + (RERANKED if subject.reranker else "") == served_row(subject)
        if not (subject.reranker or served):
            continue
        start = clock()
        passages = subject.rerank(query, hits, legs, top_n=_depth(subject))
        took += (clock() - start) * 1000
        if subject.reranker:
            order = ranks.of(_chunk_ids(passages))
            found[name + RERANKED] = Found(order, took, passages.status)
        if served:
            nearest = _nearest(passages, subject.settings.rerank_top_n)
    return QueryRun(found, nearest)


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
    for name in FUSED_ROWS:
        start = clock()
        hits = fuse(legs.dense, legs.keyword, replace(plan, kind=name.removeprefix("fused-")))
        yield name, hits, sum(times) + (clock() - start) * 1000


def _depth(subject: Subject) -> int | None:
    """Passages asked of the reranker: all that it reorders, to score the whole order."""
    settings = subject.settings
    return max(settings.rerank_candidates, settings.rerank_top_n) if subject.reranker else None


def _chunk_ids(passages: RerankedPassages) -> list[ChunkId]:
    return [passage.chunk.id for passage in passages.passages]


def _nearest(passages: RerankedPassages, top_n: int) -> float | None:
    near = [passage.similarity for passage in passages.passages[:top_n]]
    return max((one for one in near if one is not None), default=None)
