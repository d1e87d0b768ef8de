"""Composition root of retrieval: both legs, fusion, rerank. Generation is not imported."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .config import Settings
from .contracts import ChunkId, Embedder, Filter, Hit, Passage, Placing, Ranking, Reranker
from .rerank import rerank
from .retrieve import FusionPlan, fuse, search_dense, search_keyword
from .store import open_store
from .wiring import (
    analyzer_for,
    embedder_from,
    language_of_index,
    manifest_of,
    reranker_from,
)

if TYPE_CHECKING:
    from .analysis import Analyzer
    from .contracts import Chunk, RerankedPassages, Vector
    from .store import SqliteStore


@dataclass(frozen=True, slots=True)
class Legs:
    """What each retriever found for one query, before fusion; `vector` is the query's."""

    dense: Ranking
    keyword: Ranking
    vector: Vector | None = None


@dataclass(frozen=True, slots=True)
class Retrieval:
    """Retrieval over one open index, as served and as evaluated."""

    settings: Settings
    store: SqliteStore
    embedder: Embedder
    analyzer: Analyzer
    reranker: Reranker | None

    @property
    def plan(self) -> FusionPlan:
        """Fusion as the settings ask for it."""
        return FusionPlan(
            kind=self.settings.fusion,
            dense_weight=self.settings.dense_weight,
            rank_constant=self.settings.rrf_k,
            candidate_k=self.settings.candidate_k,
        )

    def search(
        self, query: str, *, where: Filter | None = None, top_n: int | None = None
    ) -> RerankedPassages:
        """The passages that may answer `query`, best first, from one committed state."""
        plan = self.plan
        with self.store.snapshot():
            legs = self.legs(
                query,
                plan.candidate_k,
                where,
                dense=plan.dense_weight > 0,
                keyword=plan.dense_weight < 1,
            )
            return self.rerank(query, fuse(legs.dense, legs.keyword, plan), legs, top_n=top_n)

    def legs(
        self,
        query: str,
        depth: int,
        where: Filter | None = None,
        *,
        dense: bool = True,
        keyword: bool = True,
    ) -> Legs:
        """Search both indexes down to `depth`, or one; a query without a word has no hits."""
        if not any(character.isalnum() for character in query):
            return Legs((), ())
        found: Ranking = ()
        if keyword:
            terms = self.analyzer.terms
            found = search_keyword(self.store, query, analyze=terms, depth=depth, where=where)
        if not dense:
            return Legs((), found)
        vector = self.embedder.embed_query(query)
        return Legs(search_dense(self.store, vector, depth=depth, where=where), found, vector)

    def rerank(
        self, query: str, fused: Sequence[Hit], legs: Legs, *, top_n: int | None = None
    ) -> RerankedPassages:
        """Load the best fused hits as passages, reorder them and cut to what a prompt takes."""
        limit = top_n or self.settings.rerank_top_n
        depth = max(self.settings.rerank_candidates, limit) if self.reranker else limit
        return rerank(
            query,
            self._passages(fused[:depth], legs),
            reranker=self.reranker,
            weight=self.settings.rerank_weight,
            top_n=limit,
        )

    def matched_terms(self, query: str, chunk: Chunk) -> list[str]:
        """Terms of the query that the keyword index holds for the chunk, in query order."""
        held = set(self.analyzer.terms(chunk.representation))
        return [term for term in dict.fromkeys(self.analyzer.terms(query)) if term in held]

    def _passages(self, fused: Sequence[Hit], legs: Legs) -> list[Passage]:
        ids = [hit.chunk_id for hit in fused]
        placed = {
            "dense": _placings(legs.dense),
            "keyword": _placings(legs.keyword),
            "fused": _placings(fused),
        }
        near: Sequence[float | None] = [None] * len(ids)
        if legs.vector is not None:
            near = self.store.similarities(ids, legs.vector)
        return [
            Passage(
                chunk=chunk,
                score=hit.score,
                placings={
                    leg: ranks[hit.chunk_id]
                    for leg, ranks in placed.items()
                    if hit.chunk_id in ranks
                },
                similarity=similarity,
            )
            for hit, chunk, similarity in zip(fused, self.store.load_chunks(ids), near, strict=True)
        ]


@contextmanager
def open_retrieval(settings: Settings) -> Generator[Retrieval]:
    """Open the index that the settings name, for searching.

    Raises:
        IndexMissingError: nothing is indexed yet.
        IndexMismatchError: the index was built with other settings.
    """
    language = language_of_index(settings)
    embedder = embedder_from(settings)
    with open_store(
        settings.index_path,
        manifest_of(settings, embedder.identity, language),
        bm25_k1=settings.bm25_k1,
        bm25_b=settings.bm25_b,
    ) as store:
        yield Retrieval(
            settings, store, embedder, analyzer_for(language), reranker_from(settings, embedder)
        )


def _placings(ranking: Ranking) -> dict[ChunkId, Placing]:
    return {hit.chunk_id: Placing(rank, hit.score) for rank, hit in enumerate(ranking, start=1)}
