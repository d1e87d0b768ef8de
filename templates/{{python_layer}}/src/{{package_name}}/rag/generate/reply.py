"""The form of a reply: what a model is asked for, and all that is accepted from it."""

import msgspec


class CitedQuote(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One citation as a model writes it; `passage` counts from 1."""

    passage: int
    quote: str


class ModelReply(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A reply, parsed but not yet checked against the passages."""

    answer: str
    citations: list[CitedQuote]
    declined: bool


REPLY_SCHEMA: dict[str, object] = {
    "type": "object",
    "properties": {
        "answer": {"type": "string"},
        "citations": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"passage": {"type": "integer"}, "quote": {"type": "string"}},
                "required": ["passage", "quote"],
                "additionalProperties": False,
            },
        },
        "declined": {"type": "boolean"},
    },
    "required": ["answer", "citations", "declined"],
    "additionalProperties": False,
}
"""`ModelReply` as JSON Schema, in the subset that providers take."""


def encode_reply(answer: str, citations: list[CitedQuote]) -> str:
    """Write a reply as a model would."""
    return msgspec.json.encode(ModelReply(answer, citations, declined=False)).decode()


DECLINED = msgspec.json.encode(ModelReply("", [], declined=True)).decode()
"""The reply that does not answer."""
