"""From one call of a model to texts of any number and length."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..contracts import EmbedderIdentity
from ..errors import EmbeddingError
from .encoder import Encoder, Role, TokenEncoder
from .validation import validated
from .windows import batches, cut_to_fit

if TYPE_CHECKING:
    from ..contracts import Matrix, Vector

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Window:
    """The part of text number `row` that one vector stands for."""

    row: int
    text: str
    tokens: int


class TextEmbedder:
    """Puts prefixes, cuts what is too long, calls in batches and checks every vector.

    A text of more tokens than the model takes, or than `max_tokens`, is embedded in windows
    whose vectors are averaged; `oversized` counts such texts. Vectors have length 1.
    """

    def __init__(
        self,
        encoder: Encoder,
        *,
        query_prefix: str = "",
        document_prefix: str = "",
        batch_texts: int = 64,
        batch_tokens: int = 100_000,
        max_tokens: int = 0,
    ) -> None:
        self.oversized = 0
        self._encoder = encoder
        self._prefixes: dict[Role, str] = {"query": query_prefix, "document": document_prefix}
        self._batch_texts = batch_texts
        self._batch_tokens = batch_tokens
        self._max_tokens = max_tokens

    @property
    def identity(self) -> EmbedderIdentity:
        """What must be equal for vectors to be comparable."""
        profile = self._encoder.profile
        return EmbedderIdentity(
            provider=profile.provider,
            model=profile.model,
            dimensions=profile.dimensions,
            query_prefix=self._prefixes["query"],
            document_prefix=self._prefixes["document"],
        )

    @property
    def has_token_vectors(self) -> bool:
        """Whether the model gives a vector for each token."""
        return isinstance(self._encoder, TokenEncoder)

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        """Embed texts, shape (len(texts), dimensions), rows in the order given.

        Raises:
            EmbeddingError: the model failed, or gave a vector that is not usable.
        """
        empty = np.zeros((0, self.identity.dimensions), dtype=np.float32)
        return np.concatenate([empty, *self.embed_batches(texts)])

    def embed_batches(self, texts: Sequence[str]) -> Iterator[Matrix]:
        """Embed texts, one matrix for each group of consecutive texts as it is done.

        What was yielded before an error is paid for and good.
        """
        windows = self._windows(texts, "document")
        for group in self._batches(windows):
            yield self._embed(windows[group], "document")

    def embed_query(self, text: str) -> Vector:
        """Embed one query, shape (dimensions,).

        Raises:
            EmbeddingError: as for documents; a blank query has no vector.
        """
        return self._embed(self._windows([_valid(text)], "query"), "query")[0]

    def embed_query_tokens(self, text: str) -> Matrix:
        """Vectors of the query's tokens, shape (tokens, dimensions), of the model's lengths.

        Raises:
            EmbeddingError: the model gives none; see `has_token_vectors`.
        """
        return self._embed_tokens([_valid(text)], "query")[0]

    def embed_document_tokens(self, texts: Sequence[str]) -> list[Matrix]:
        """Vectors of the tokens of each text likewise; no text is cut short."""
        return self._embed_tokens(texts, "document")

    def _windows(self, texts: Sequence[str], role: Role) -> list[list[_Window]]:
        for row, text in enumerate(texts):
            if not text.strip():
                raise EmbeddingError(f"text {row} is blank, and a blank text has no vector")
        texts = [self._prefixes[role] + text for text in texts]
        limit = min(filter(None, (self._encoder.profile.max_tokens, self._max_tokens)), default=0)
        windows: list[list[_Window]] = []
        for row, tokens in enumerate(self._encoder.count_tokens(texts)):
            if not limit or tokens <= limit:
                windows.append([_Window(row, texts[row], tokens)])
                continue
            cut = cut_to_fit(texts[row], limit, self._encoder.count_tokens)
            kept = [piece for piece in cut if piece.strip()]
            sizes = self._encoder.count_tokens(kept)
            windows.append([_Window(row, *piece) for piece in zip(kept, sizes, strict=True)])
            self.oversized += 1
            log.info("embed.oversized tokens=%d limit=%d windows=%d", tokens, limit, len(kept))
        return windows

    def _embed(self, texts: Sequence[list[_Window]], role: Role) -> Matrix:
        windows = [window for parts in texts for window in parts]
        calls = self._batches([[window] for window in windows])
        vectors = np.concatenate([self._encode(windows[call], role) for call in calls])
        if len(windows) == len(texts):
            return vectors
        sums = np.zeros((len(texts), vectors.shape[1]), dtype=np.float32)
        # One window after the other, as any language can, so that all get the same bits.
        np.add.at(sums, np.repeat(np.arange(len(texts)), [len(parts) for parts in texts]), vectors)
        return self._checked(sums, [parts[0].row for parts in texts])

    def _encode(self, windows: Sequence[_Window], role: Role) -> Matrix:
        vectors = self._encoder.encode([window.text for window in windows], role)
        return self._checked(vectors, [window.row for window in windows])

    def _checked(self, vectors: Matrix, rows: Sequence[int]) -> Matrix:
        origin = f"{self.identity.provider} {self.identity.model}"
        dimensions = self.identity.dimensions
        return validated(vectors, rows=rows, dimensions=dimensions, origin=origin)

    def _embed_tokens(self, texts: Sequence[str], role: Role) -> list[Matrix]:
        if not isinstance(self._encoder, TokenEncoder):
            raise EmbeddingError(f"{self.identity.provider} gives no vectors of single tokens")
        windows = self._windows(texts, role)
        flat = self._encoder.encode_tokens([w.text for parts in windows for w in parts], role)
        matrices = iter(flat)
        return [np.concatenate([next(matrices) for _ in parts]) for parts in windows]

    def _batches(self, texts: Sequence[list[_Window]]) -> Iterator[slice]:
        sizes = [[window.tokens for window in windows] for windows in texts]
        return batches(sizes, most=self._batch_texts, most_tokens=self._batch_tokens)


def _valid(text: str) -> str:
    """Queries come from anywhere: a lone surrogate, which no model takes, becomes `?`."""
    return text.encode("utf-8", "replace").decode()
