"""Settings -> reranker."""

from __future__ import annotations

from ..contracts import Reranker
from ..errors import ConfigError, RerankError

KINDS = ("none", "maxsim", "lexical", "cross-encoder", "http")


def build_reranker(
    kind: str,
    *,
    model: str = "",
    url: str = "",
    api_key: str = "",
    timeout_s: float = 10.0,
    embedder: object = None,
) -> Reranker | None:
    """Build the reranker of a kind; `none` is None. `maxsim` uses the embedder's model.

    Raises:
        ConfigError: there is no such kind, `http` has no address, or the embedder gives no
            vectors of single tokens.
        MissingExtraError: the kind needs an optional dependency.
        RerankError: its model can't be loaded.
    """
    if kind == "none":
        return None
    if kind == "lexical":
        from .lexical import LexicalReranker

        return LexicalReranker()
    if kind == "maxsim":
        from .maxsim import MaxSimReranker, TokenEmbedder

        if not isinstance(embedder, TokenEmbedder) or not embedder.has_token_vectors:
            raise ConfigError(
                "the reranker `maxsim` needs a model that gives vectors of single tokens",
                fix="Embed with `wordllama` or `fastembed`, or choose another reranker.",
            )
        return MaxSimReranker(embedder, timeout_s=timeout_s)
    if kind == "cross-encoder":
        from .cross_encoder import CrossEncoderReranker

        return CrossEncoderReranker(model, timeout_s=timeout_s)
    if kind == "http":
        return _http(model, url, api_key, timeout_s)
    raise ConfigError(f"no reranker {kind!r}; there are: {', '.join(KINDS)}")


def _http(model: str, url: str, api_key: str, timeout_s: float) -> Reranker:
    from ..transport import JsonClient, bearer
    from .http import HttpReranker

    client = JsonClient(url, error=RerankError, timeout_s=timeout_s, headers=bearer(api_key))
    return HttpReranker(client, model=model)
