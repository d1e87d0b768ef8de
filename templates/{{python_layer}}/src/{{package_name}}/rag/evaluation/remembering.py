"""A reranker that scores a passage once, however many rows of a query ask for it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ..contracts import ChunkId, Passage, Reranker
from ..errors import RerankError


@dataclass(slots=True)
class RememberingReranker:
    """Remembers the scores of one query's passages, and what each of them took.

    `spared_s` is what the latest call would have taken longer without remembering, so that
    every row is charged for all of its passages.
    """

    reranker: Reranker
    clock: Callable[[], float]
    spared_s: float = 0.0
    _scores: dict[ChunkId, tuple[float, float]] = field(
        default_factory=dict[ChunkId, tuple[float, float]]
    )

    def score(self, query: str, passages: Sequence[Passage]) -> Sequence[float]:
        """One score per passage, in the order given; errors are the reranker's own."""
        ids = [passage.chunk.id for passage in passages]
        self.spared_s = sum(self._scores[name][1] for name in ids if name in self._scores)
        unknown = [passage for passage in passages if passage.chunk.id not in self._scores]
        if unknown:
            self._ask(query, unknown)
        return [self._scores[name][0] for name in ids]

    def _ask(self, query: str, passages: Sequence[Passage]) -> None:
        start = self.clock()
        scores = self.reranker.score(query, passages)
        took_s = (self.clock() - start) / len(passages)
        if len(scores) != len(passages):
            raise RerankError(
                f"the reranker gave {len(scores)} scores for {len(passages)} passages"
            )
        for passage, score in zip(passages, scores, strict=True):
            self._scores[passage.chunk.id] = (score, took_s)
