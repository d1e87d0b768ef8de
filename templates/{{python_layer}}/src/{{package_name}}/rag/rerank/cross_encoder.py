"""A local ONNX cross-encoder, through FastEmbed; an optional dependency."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast

from ..contracts import Passage
from ..errors import MissingExtraError, RerankError

log = logging.getLogger(__name__)

DEFAULT_MODEL = "Xenova/ms-marco-MiniLM-L-6-v2"
_PASSAGES_PER_CALL = 4


class CrossEncoderReranker:
    """A model by FastEmbed's name, or from a folder with an ONNX file and a tokenizer.

    Of a passage that is too long together with the query the model reads only the beginning;
    `oversized` counts such passages, and each query that has some is logged.

    Raises:
        MissingExtraError: FastEmbed is not installed.
        RerankError: the model can't be loaded.
    """

    def __init__(
        self, model: str = "", *, timeout_s: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.oversized = 0
        self._model = _load(model or DEFAULT_MODEL)
        truncation: dict[str, int] = self._model.model.tokenizer.truncation or {}
        self._limit = truncation.get("max_length", 0)
        self._counter = _without_limits(self._model.model.tokenizer)
        self._timeout_s = timeout_s
        self._clock = clock

    def score(self, query: str, passages: Sequence[Passage]) -> list[float]:
        """One score per passage, as the model gives it.

        Raises:
            RerankError: it took longer than `timeout_s`.
        """
        deadline = self._clock() + self._timeout_s
        texts = [passage.chunk.representation for passage in passages]
        self._count_oversized(query, texts)
        scores: list[float] = []
        for score in self._model.rerank(query, texts, batch_size=_PASSAGES_PER_CALL):
            scores.append(float(score))
            if self._clock() > deadline:
                raise RerankError(
                    f"the cross-encoder scored {len(scores)} of {len(texts)} passages "
                    f"in {self._timeout_s:g} s"
                )
        return scores

    def _count_oversized(self, query: str, texts: Sequence[str]) -> None:
        pairs = self._counter.encode_batch([(query, text) for text in texts])
        count = sum(len(pair.ids) > self._limit for pair in pairs) if self._limit else 0
        self.oversized += count
        if count:
            log.warning("rerank.oversized passages=%d limit=%d", count, self._limit)


def _library() -> Any:  # noqa: ANN401 - it may be absent when types are checked
    try:
        import fastembed.rerank.cross_encoder  # pyright: ignore
    except ImportError as error:
        raise MissingExtraError(
            "the reranker `cross-encoder` needs an optional dependency",
            fix="Install it: uv sync --extra fastembed",
        ) from error
    return cast("Any", fastembed)


def _load(model: str) -> Any:  # noqa: ANN401 - see _library
    library, folder = _library(), Path(model)
    encoder = library.rerank.cross_encoder.TextCrossEncoder
    try:
        if not folder.is_dir():
            return encoder(model)
        source = library.common.model_description.ModelSource(hf=folder.name)
        name = _registered(encoder, folder, source)
        return encoder(name, specific_model_path=str(folder))
    except Exception as error:
        raise RerankError(
            f"the cross-encoder can't load {model}: {error}",
            fix="Give a reranker that FastEmbed lists, or a folder that holds one.",
        ) from error


def _registered(encoder: Any, folder: Path, source: Any) -> str:  # noqa: ANN401
    """Tell FastEmbed of the folder, once in a process, and return the name it goes by."""
    files = sorted(folder.rglob("*.onnx"), key=lambda path: (path.name != "model.onnx", path))
    if not files:
        raise FileNotFoundError("the folder holds no ONNX model")
    name = str(files[0].resolve())
    if name not in [known["model"] for known in encoder.list_supported_models()]:
        file = str(files[0].relative_to(folder))
        encoder.add_custom_model(name, sources=source, model_file=file)
    return name


def _without_limits(tokenizer: Any) -> Any:  # noqa: ANN401 - likewise
    from tokenizers import Tokenizer

    counter = Tokenizer.from_str(tokenizer.to_str())
    counter.no_truncation()
    counter.no_padding()
    return counter
