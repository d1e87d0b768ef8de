"""What an adapter writes: vectors for one batch of texts. `TextEmbedder` does the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias, runtime_checkable

if TYPE_CHECKING:
    from ..contracts import Matrix

Role: TypeAlias = Literal["document", "query"]


@dataclass(frozen=True, slots=True)
class Profile:
    """What is known of a model; `max_tokens` 0 means that it takes a text of any length."""

    provider: str
    model: str
    dimensions: int
    max_tokens: int = 0


class Encoder(Protocol):
    """One call of a model."""

    @property
    def profile(self) -> Profile:
        """What the model is; may load it, or ask its endpoint, the first time."""
        ...

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text as the model counts them, or an estimate that errs upwards."""
        ...

    def encode(self, texts: Sequence[str], role: Role) -> Matrix:
        """Vectors of any length, shape (len(texts), dimensions), rows in the order given."""
        ...


@runtime_checkable
class TokenEncoder(Encoder, Protocol):
    """An encoder that also gives a vector for each token."""

    def encode_tokens(self, texts: Sequence[str], role: Role) -> list[Matrix]:
        """One matrix per text, shape (tokens, dimensions), rows as long as the model made them."""
        ...
