"""Chat completions, of OpenAI or of any server that speaks the same."""

from collections.abc import Sequence

import msgspec

from ..contracts import Passage, Prompt, Reply, Usage
from ..errors import GenerationError
from ..transport import JsonClient, StatusError
from .reply import DECLINED, REPLY_SCHEMA

_OPTIONAL = ("response_format", "temperature")
"""Fields of a request that some servers and models refuse, and that one can do without."""


class _Message(msgspec.Struct):
    content: str | None = None
    refusal: str | None = None


class _Choice(msgspec.Struct):
    message: _Message
    finish_reason: str | None = None


class _Usage(msgspec.Struct):
    prompt_tokens: int = 0
    completion_tokens: int = 0


class _Completion(msgspec.Struct):
    choices: list[_Choice]
    usage: _Usage | None = None


class OpenAIGenerator:
    """Asks for the reply's form by JSON Schema, and does without where that is refused."""

    def __init__(self, client: JsonClient, *, model: str, max_tokens: int) -> None:
        self._client = client
        self._options: dict[str, object] = {
            "model": model,
            "max_tokens": max_tokens,
            "temperature": 0,
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": "reply", "strict": True, "schema": REPLY_SCHEMA},
            },
        }

    def generate(self, prompt: Prompt, question: str, passages: Sequence[Passage]) -> Reply:
        """Send the prompt; question and passages are in it already.

        Raises:
            GenerationError: no completion could be had.
        """
        messages = [
            {"role": "system", "content": prompt.system},
            {"role": "user", "content": prompt.user},
        ]
        completion = self._complete(messages)
        spent = completion.usage or _Usage()
        usage = Usage(spent.prompt_tokens, spent.completion_tokens)
        if not completion.choices:
            return Reply("", usage)
        choice = completion.choices[0]
        if choice.message.refusal or choice.finish_reason == "content_filter":
            return Reply(DECLINED, usage)
        text = choice.message.content or ""
        return Reply(text, usage, truncated=choice.finish_reason == "length")

    def _complete(self, messages: list[dict[str, str]]) -> _Completion:
        while True:
            try:
                payload = {**self._options, "messages": messages}
                return self._client.post("/chat/completions", payload, _Completion)
            except GenerationError as error:
                options = _without_refused(self._options, error.__cause__)
                if options is None:
                    raise
                self._options = options


def _without_refused(
    options: dict[str, object], cause: BaseException | None
) -> dict[str, object] | None:
    """Options that leave out or rename what the server named as it refused; None: nothing is."""
    if not isinstance(cause, StatusError) or cause.status not in (400, 422):
        return None
    if "max_tokens" in options and "max_completion_tokens" in cause.body:
        kept = {name: value for name, value in options.items() if name != "max_tokens"}
        return {**kept, "max_completion_tokens": options["max_tokens"]}
    refused = {name for name in _OPTIONAL if name in options and name in cause.body}
    if "json_schema" in cause.body and "response_format" in options:
        refused.add("response_format")
    if not refused:
        return None
    return {name: value for name, value in options.items() if name not in refused}
