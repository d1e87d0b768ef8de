"""What evaluation needs of the retrieval that is served, and how it reads documents from it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

from ..config import Settings
from ..contracts import Chunk, ChunkId, DocumentId, Hit, RerankedPassages, Reranker
from ..retrieval import FusionPlan, Legs


class ChunkSource(Protocol):
    """Where chunks are read from by id."""

    def load_chunks(self, ids: Sequence[ChunkId]) -> list[Chunk]:
        """Chunks in the order asked."""
        ...


class Subject(Protocol):
    """Retrieval in its parts, so that the legs are searched once for every row.

    It is a dataclass, so that a copy with another reranker can be made.
    """

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def settings(self) -> Settings:
        """Settings of the run."""
        ...

    @property
    def store(self) -> ChunkSource:
        """Where chunks are read from."""
        ...

    @property
    def reranker(self) -> Reranker | None:
        """None when the fused order is served as it is."""
        ...

    @property
    def plan(self) -> FusionPlan:
        """Fusion as it is served."""
        ...

    def legs(self, query: str, depth: int, *, dense: bool = True, keyword: bool = True) -> Legs:
        """Both rankings down to `depth`, or one of them."""
        ...

    def search(self, query: str) -> RerankedPassages:
        """The passages that are served for a query."""
        ...

    def rerank(
        self, query: str, fused: Sequence[Hit], legs: Legs, *, top_n: int | None = None
    ) -> RerankedPassages:
        """The fused hits reordered, the first `top_n` of them."""
        ...


@dataclass(frozen=True, slots=True)
class DocumentRanks:
    """Rankings of chunks as rankings of documents; a chunk's document is read once."""

    chunks: ChunkSource
    documents: dict[ChunkId, DocumentId] = field(default_factory=dict[ChunkId, DocumentId])

    def learn(self, *rankings: Iterable[Hit]) -> None:
        """Read the documents of chunks that are new."""
        ids = {hit.chunk_id for ranking in rankings for hit in ranking} - self.documents.keys()
        for chunk in self.chunks.load_chunks(sorted(ids)) if ids else ():
            self.documents[chunk.id] = chunk.document_id

    def of(self, chunk_ids: Iterable[ChunkId]) -> list[DocumentId]:
        """Documents in the order of their first chunk; the chunks must be learnt."""
        return list(dict.fromkeys(self.documents[chunk_id] for chunk_id in chunk_ids))
