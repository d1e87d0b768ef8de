"""ONNX models on this machine, through FastEmbed; an optional dependency."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import msgspec
import numpy as np

from ..errors import EmbeddingError, MissingExtraError
from .encoder import Profile, Role

if TYPE_CHECKING:
    from tokenizers import Tokenizer

    from ..contracts import Matrix

DEFAULT_MODEL = "BAAI/bge-small-en-v1.5"

# Alone, a text needs no padding: faster on a CPU, and no neighbour can change its vector.
_BATCH = 1


class FastEmbedEncoder:
    """A model by FastEmbed's name, or from a folder with an ONNX file and a tokenizer.

    A folder is pooled as its `1_Pooling/config.json` says, by the mean where there is none,
    and is identified by its content, so that it may be moved.

    Raises:
        MissingExtraError: FastEmbed is not installed.
    """

    def __init__(self, model: str = "") -> None:
        self._library = _library()
        self._name = model or DEFAULT_MODEL

    @property
    def profile(self) -> Profile:
        """Facts of the model, which gets loaded the first time."""
        return self._profile

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text as the model counts them, special ones included."""
        return [len(encoding.ids) for encoding in self._counter.encode_batch_fast(list(texts))]

    def encode(self, texts: Sequence[str], role: Role) -> Matrix:
        """Vectors as the model gives them, with its own prompt for queries if it has one."""
        embed = self._model.query_embed if role == "query" else self._model.passage_embed
        return np.stack(list(embed(list(texts), batch_size=_BATCH))).astype(np.float32)

    def encode_tokens(self, texts: Sequence[str], role: Role) -> list[Matrix]:
        """Last hidden states of each text's tokens, those of special tokens left out.

        Raises:
            EmbeddingError: the model gives only one vector for a text.
        """
        return [self._hidden_states(text) for text in texts]

    def _hidden_states(self, text: str) -> Matrix:
        output = self._model.model.onnx_embed([text])
        states = output.model_output
        if states.ndim != 3:
            raise EmbeddingError(f"fastembed {self._name} gives no vectors of single tokens")
        special = list(self._model.model.special_token_to_id.values())
        kept = ~np.isin(output.input_ids[0], special)
        return states[0][kept if kept.any() else slice(None)].astype(np.float32)

    @cached_property
    def _profile(self) -> Profile:
        vector = next(iter(self._model.embed(["dimensions"])))
        truncation: dict[str, int] = self._model.model.tokenizer.truncation or {}
        limit = truncation.get("max_length", 0)
        return Profile("fastembed", self._identifier, len(vector), limit)

    @cached_property
    def _counter(self) -> Tokenizer:
        from tokenizers import Tokenizer

        counter = Tokenizer.from_str(self._model.model.tokenizer.to_str())
        counter.no_truncation()
        counter.no_padding()
        return counter

    @cached_property
    def _identifier(self) -> str:
        folder = Path(self._name)
        return f"{folder.name}@{_digest(folder)[:12]}" if folder.is_dir() else self._name

    @cached_property
    def _model(self) -> Any:  # noqa: ANN401 - see _library
        folder = Path(self._name)
        try:
            if not folder.is_dir():
                return self._library.TextEmbedding(self._name)
            _register(self._library, folder, self._identifier)
            return self._library.TextEmbedding(self._identifier, specific_model_path=str(folder))
        except Exception as error:
            raise EmbeddingError(
                f"fastembed can't load {self._name}: {error}",
                fix="Give a model that FastEmbed lists, or a folder that holds one.",
            ) from error


def _library() -> Any:  # noqa: ANN401 - it may be absent when types are checked
    try:
        import fastembed  # pyright: ignore
    except ImportError as error:
        raise MissingExtraError(
            "embeddings by `fastembed` need an optional dependency",
            fix="Install it: uv sync --extra fastembed",
        ) from error
    return cast("Any", fastembed)


def _register(library: Any, folder: Path, name: str) -> None:  # noqa: ANN401
    """Tell FastEmbed of the folder, once in a process."""
    known = [model["model"] for model in library.TextEmbedding.list_supported_models()]
    if name not in known:
        described = library.common.model_description
        library.TextEmbedding.add_custom_model(
            name,
            pooling=described.PoolingType(_pooling(folder)),
            normalization=True,
            sources=described.ModelSource(hf=name),
            dim=1,
            model_file=str(_onnx_file(folder).relative_to(folder)),
        )


class _PoolingConfig(msgspec.Struct):
    """The part of sentence-transformers' `1_Pooling/config.json` that matters here."""

    pooling_mode_cls_token: bool = False
    pooling_mode_lasttoken: bool = False


def _pooling(folder: Path) -> str:
    path = folder / "1_Pooling" / "config.json"
    content = path.read_bytes() if path.is_file() else b"{}"
    config = msgspec.json.decode(content, type=_PoolingConfig)
    if config.pooling_mode_cls_token:
        return "CLS"
    return "LAST_TOKEN" if config.pooling_mode_lasttoken else "MEAN"


def _onnx_file(folder: Path) -> Path:
    preferred = [folder / "model.onnx", folder / "onnx" / "model.onnx"]
    found = [path for path in (*preferred, *sorted(folder.rglob("*.onnx"))) if path.is_file()]
    if not found:
        raise FileNotFoundError("the folder holds no ONNX model")
    return found[0]


def _digest(folder: Path) -> str:
    digest = hashlib.sha256()
    pooling = folder / "1_Pooling" / "config.json"
    for path in (_onnx_file(folder), folder / "tokenizer.json", pooling):
        digest.update(path.read_bytes() if path.is_file() else b"")
    return digest.hexdigest()
