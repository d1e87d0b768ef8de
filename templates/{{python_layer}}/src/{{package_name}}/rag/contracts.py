"""Records, ids and seams that the stages share. No stage is imported here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NewType, Protocol, TypeAlias, final
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DocumentId = NewType("DocumentId", str)
ChunkId = NewType("ChunkId", str)
QueryId = NewType("QueryId", str)

Vector: TypeAlias = "NDArray[np.float32]"
"""One embedding, shape (dimensions,)."""

Matrix: TypeAlias = "NDArray[np.float32]"
"""Embeddings, shape (count, dimensions), one row for each text in the order given."""


@dataclass(frozen=True, slots=True)
class Document:
    r"""One source text, decoded.

    `id` is the path below the source root with `/`, or a connector's URI. `text` is valid
    UTF-8 with `\n` line ends, and `digest` the SHA-256 of its UTF-8 bytes, in hex.
    """

    id: DocumentId
    text: str
    digest: str
    source: str
    title: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class Chunk:
    """The indexed unit: `document.text[start:end] == text`, always.

    `start` and `end` count code points. `id` is derived from the document's id and the chunk's
    own content, so it survives edits elsewhere. `preamble` helps retrieval but is not at this
    place in the document, such as the header row of a table that was cut.
    """

    id: ChunkId
    document_id: DocumentId
    ordinal: int
    start: int
    end: int
    text: str
    heading_path: tuple[str, ...]
    digest: str
    preamble: str = ""

    @property
    def representation(self) -> str:
        """What is embedded and indexed for this chunk, and never shown as evidence."""
        return represent(self.heading_path, self.preamble, self.text)


def represent(heading_path: Sequence[str], preamble: str, text: str) -> str:
    """Heading path, preamble and text, one below the other, without what is empty."""
    return "\n".join(filter(None, (" > ".join(heading_path), preamble, text)))


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk and its score in one ranking; higher is better."""

    chunk_id: ChunkId
    score: float


Ranking: TypeAlias = Sequence[Hit]
"""Hits by falling score, ties by ascending chunk id, each chunk once."""


@dataclass(frozen=True, slots=True)
class Filter:
    """Limits a search to documents whose id starts with `prefix`."""

    prefix: str = ""


@dataclass(frozen=True, slots=True)
class Placing:
    """Where a chunk stood in one ranking; ranks are counted from 1."""

    rank: int
    score: float


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk as shown to a reranker or a model.

    `placings` holds rank and score by leg (`dense`, `keyword`, `fused`, `rerank`) where the leg
    returned it. `similarity` is the inner product of query and chunk vector, whichever leg
    found the chunk; None without a dense leg.
    """

    chunk: Chunk
    score: float
    placings: Mapping[str, Placing]
    similarity: float | None = None


@final
class RerankedPassages:
    """The only thing that generation accepts as context; only `rerank/` can make one.

    Genuine is the very object that `rerank/` sealed, with the very passages: no copy is.
    """

    __slots__ = ("__weakref__", "passages", "query", "status")

    query: str
    passages: tuple[Passage, ...]
    status: str

    def __init__(self) -> None:
        raise TypeError("RerankedPassages is made by rerank/ alone; call rerank() instead")

    @classmethod
    def _seal(cls, query: str, passages: Sequence[Passage], status: str) -> RerankedPassages:
        token = object.__new__(cls)
        token.query, token.passages, token.status = query, tuple(passages), status
        _SEALED[token] = (query, token.passages)
        return token


_SEALED: WeakKeyDictionary[RerankedPassages, tuple[str, tuple[Passage, ...]]] = WeakKeyDictionary()


def require_reranked(candidate: object) -> RerankedPassages:
    """Return `candidate` if it is a genuine `RerankedPassages`.

    Raises:
        TypeError: it is anything else: a list, a cast, a subclass, a copy.
    """
    if type(candidate) is RerankedPassages:
        sealed = _SEALED.get(candidate)
        if sealed and sealed[0] == candidate.query and sealed[1] is candidate.passages:
            return candidate
    raise TypeError(
        "answer() takes the RerankedPassages that rerank() returned, "
        f"and this {type(candidate).__name__} is not one"
    )


@dataclass(frozen=True, slots=True)
class EmbedderIdentity:
    """What must be equal for two vectors to be comparable; part of the index's manifest."""

    provider: str
    model: str
    dimensions: int
    query_prefix: str = ""
    document_prefix: str = ""
    normalised: bool = True


class Embedder(Protocol):
    """Turns texts into vectors."""

    @property
    def identity(self) -> EmbedderIdentity:
        """What makes its vectors comparable."""
        ...

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        """Embed texts, shape (len(texts), dimensions), rows in the order given."""
        ...

    def embed_query(self, text: str) -> Vector:
        """Embed one query, shape (dimensions,)."""
        ...


class Store(Protocol):
    """Both indexes over the same chunks, at one committed state."""

    def search_dense(self, vector: Vector, depth: int, where: Filter | None = None) -> list[Hit]:
        """Top `depth` chunks by inner product."""
        ...

    def search_keyword(
        self, terms: Sequence[str], depth: int, where: Filter | None = None
    ) -> list[Hit]:
        """Top `depth` chunks by BM25; a chunk with none of the terms is not returned."""
        ...

    def load_chunks(self, ids: Sequence[ChunkId]) -> list[Chunk]:
        """Chunks in the order asked."""
        ...


class Reranker(Protocol):
    """Scores passages against a query."""

    def score(self, query: str, passages: Sequence[Passage]) -> Sequence[float]:
        """One finite score per passage, in the order given; higher is better."""
        ...


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens that a provider counted; zero where it counts none."""

    input_tokens: int = 0
    output_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Prompt:
    """One request to a model: the rules, and the question with its passages as data."""

    system: str
    user: str


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model returned, not yet parsed or trusted; `truncated` when its length ran out."""

    text: str
    usage: Usage = Usage()
    truncated: bool = False


class Generator(Protocol):
    """Writes a reply from a prompt, or from the question and passages themselves."""

    def generate(self, prompt: Prompt, question: str, passages: Sequence[Passage]) -> Reply:
        """Reply as text; what it says is not trusted yet."""
        ...


@dataclass(frozen=True, slots=True)
class Citation:
    """A quoted span of a chunk that was supplied: `chunk.text[start:end] == quote`."""

    chunk_id: ChunkId
    quote: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Answer:
    """A grounded answer; every citation was checked against the passages."""

    text: str
    citations: tuple[Citation, ...]
    usage: Usage = Usage()


@dataclass(frozen=True, slots=True)
class Refusal:
    """No answer: `reason` is `no_passages`, `low_relevance`, `declined` or `invalid_output`."""

    reason: str
    detail: str = ""
    usage: Usage = Usage()
