"""Chooses who writes the answer; each provider is imported when it is chosen."""

from collections.abc import Callable

from ..contracts import Generator
from ..errors import ConfigError, GenerationError
from ..transport import JsonClient, bearer

OPENAI_URL = "https://api.openai.com/v1"
OPENAI_MODEL = "gpt-4.1-mini"
ANTHROPIC_URL = "https://api.anthropic.com/v1"
ANTHROPIC_MODEL = "claude-haiku-4-5"


def build_generator(
    provider: str,
    *,
    model: str = "",
    base_url: str = "",
    api_key: str = "",
    max_tokens: int = 1024,
    timeout_s: float = 60.0,
    terms: Callable[[str], list[str]] | None = None,
) -> Generator:
    """Build a generator by the name of its provider.

    An empty `model` or `base_url` is the provider's own. `terms` is the analysis of the keyword
    index, which `extractive` uses to tell which sentences share something with the question.

    Raises:
        ConfigError: there is no such provider, or it needs a key and has none.
    """
    if provider == "extractive":
        from .extractive import ExtractiveGenerator, plain_terms

        return ExtractiveGenerator(terms or plain_terms)
    if provider == "echo":
        from .echo import EchoGenerator

        return EchoGenerator()
    if provider == "openai":
        from .openai import OpenAIGenerator

        _require_key(provider, api_key, needed=not base_url)
        client = _client(base_url or OPENAI_URL, bearer(api_key), timeout_s)
        return OpenAIGenerator(client, model=model or OPENAI_MODEL, max_tokens=max_tokens)
    if provider == "anthropic":
        from .anthropic import VERSION, AnthropicGenerator

        _require_key(provider, api_key, needed=not base_url)
        key = {"x-api-key": api_key} if api_key else {}
        url = (base_url or ANTHROPIC_URL).rstrip("/").removesuffix("/v1") + "/v1"
        client = _client(url, {"anthropic-version": VERSION, **key}, timeout_s)
        return AnthropicGenerator(client, model=model or ANTHROPIC_MODEL, max_tokens=max_tokens)
    raise ConfigError(
        f"there is no generation provider {provider!r}",
        fix="Choose extractive, echo, openai or anthropic.",
    )


def _require_key(provider: str, api_key: str, *, needed: bool) -> None:
    if needed and not api_key:
        raise ConfigError(
            f"generation by {provider} needs an API key", fix="Set it as `generation_api_key`."
        )


def _client(url: str, headers: dict[str, str], timeout_s: float) -> JsonClient:
    return JsonClient(url, error=GenerationError, timeout_s=timeout_s, headers=headers)
