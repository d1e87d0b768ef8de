"""Settings -> embedder."""

from __future__ import annotations

from ..errors import ConfigError, EmbeddingError
from .embedder import TextEmbedder
from .encoder import Encoder

PROVIDERS = ("wordllama", "hash", "fastembed", "openai")


def build_embedder(
    provider: str,
    *,
    model: str = "",
    dimensions: int = 0,
    base_url: str = "",
    api_key: str = "",
    query_prefix: str = "",
    document_prefix: str = "",
    batch_texts: int = 64,
    batch_tokens: int = 100_000,
    max_tokens: int = 0,
    timeout_s: float = 60.0,
) -> TextEmbedder:
    """Build the embedder of a provider; `dimensions` 0 and `model` "" are the provider's own.

    Raises:
        ConfigError: there is no such provider, or it can't have such a model or dimensions.
        MissingExtraError: the provider needs an optional dependency.
    """
    if provider == "openai":
        encoder = _openai(model, dimensions, base_url, api_key, timeout_s)
    else:
        encoder = _local(provider, model, dimensions)
    return TextEmbedder(
        encoder,
        query_prefix=query_prefix,
        document_prefix=document_prefix,
        batch_texts=batch_texts,
        batch_tokens=batch_tokens,
        max_tokens=max_tokens,
    )


def _local(provider: str, model: str, dimensions: int) -> Encoder:
    if provider == "fastembed":
        from .fastembed import FastEmbedEncoder

        if dimensions:
            raise ConfigError("fastembed has the dimensions of its model", fix="Set them to 0.")
        return FastEmbedEncoder(model)
    if provider == "wordllama":
        from .wordllama import MODEL, WordLlamaEncoder

        if model not in ("", MODEL):
            raise ConfigError(f"wordllama has the model {MODEL}, not {model!r}")
        return WordLlamaEncoder(dimensions or 256)
    if provider == "hash":
        from .hashing import HashEncoder

        return HashEncoder(dimensions or 256)
    raise ConfigError(f"no embedding provider {provider!r}; there are: {', '.join(PROVIDERS)}")


def _openai(model: str, dimensions: int, base_url: str, api_key: str, timeout_s: float) -> Encoder:
    from ..transport import JsonClient, bearer
    from .openai import OpenAiEncoder

    client = JsonClient(
        base_url or "https://api.openai.com/v1",
        error=EmbeddingError,
        timeout_s=timeout_s,
        headers=bearer(api_key),
    )
    return OpenAiEncoder(client, model=model, dimensions=dimensions)
