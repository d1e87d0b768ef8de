"""The Messages API of Anthropic."""

from collections.abc import Sequence

import msgspec

from ..contracts import Passage, Prompt, Reply, Usage
from ..transport import JsonClient
from .reply import DECLINED, REPLY_SCHEMA

VERSION = "2023-06-01"
_TOOL = "reply"


class _Block(msgspec.Struct):
    type: str
    text: str = ""
    name: str = ""
    input: msgspec.Raw = msgspec.Raw(b"")


class _Usage(msgspec.Struct):
    input_tokens: int = 0
    output_tokens: int = 0


class _Message(msgspec.Struct):
    content: list[_Block]
    stop_reason: str | None = None
    usage: _Usage | None = None


class AnthropicGenerator:
    """Has the model fill in the reply as the input of a tool that it must call."""

    def __init__(self, client: JsonClient, *, model: str, max_tokens: int) -> None:
        self._client = client
        self._options: dict[str, object] = {
            "model": model,
            "max_tokens": max_tokens,
            "tools": [
                {
                    "name": _TOOL,
                    "description": "Hand in the JSON object that the rules ask for.",
                    "input_schema": REPLY_SCHEMA,
                }
            ],
            "tool_choice": {"type": "tool", "name": _TOOL},
        }

    def generate(self, prompt: Prompt, question: str, passages: Sequence[Passage]) -> Reply:
        """Send the prompt; question and passages are in it already.

        Raises:
            GenerationError: no message could be had.
        """
        payload = {
            **self._options,
            "system": prompt.system,
            "messages": [{"role": "user", "content": prompt.user}],
        }
        message = self._client.post("/messages", payload, _Message)
        spent = message.usage or _Usage()
        usage = Usage(spent.input_tokens, spent.output_tokens)
        if message.stop_reason == "refusal":
            return Reply(DECLINED, usage)
        truncated = message.stop_reason in ("max_tokens", "model_context_window_exceeded")
        return Reply(_text(message), usage, truncated=truncated)


def _text(message: _Message) -> str:
    for block in message.content:
        if block.type == "tool_use" and block.name == _TOOL:
            return bytes(block.input).decode()
    return "".join(block.text for block in message.content if block.type == "text")
