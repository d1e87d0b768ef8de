"""A model's reply: parsed strictly, and every citation checked against the passages."""

import re
from collections.abc import Sequence

import msgspec

from ..contracts import Answer, Chunk, Citation, Passage, Refusal, Reply
from .reply import ModelReply

_FENCED = re.compile(r"```(?:json)?[ \t]*\n(.*)\n```", re.DOTALL)
_MARKER = re.compile(r"\w*\[(\d{1,9})\]")


class _InvalidReplyError(Exception):
    """The reply can't be trusted; the text says why, in words that are safe to show."""


def parse_reply(reply: Reply, passages: Sequence[Passage]) -> Answer | Refusal:
    """Turn a reply into a checked answer, or into a refusal that keeps the usage.

    The refusal is `declined` when the model says so. It is `invalid_output` when the reply was
    cut off or is not the JSON asked for, cites a passage that was not supplied, quotes what a
    passage does not say, or cites nothing.
    """
    try:
        parsed = _decode(reply)
        if parsed.declined:
            return Refusal("declined", "the passages do not hold the answer", reply.usage)
        return Answer(parsed.answer.strip(), _checked(parsed, passages), reply.usage)
    except _InvalidReplyError as error:
        return Refusal("invalid_output", str(error), reply.usage)


def locate(quote: str, chunk: Chunk) -> Citation | None:
    """Find a quote in a chunk, where any run of white space equals any other.

    The citation holds the chunk's own spelling. None: it is not there, or holds no word.
    """
    words = quote.split()
    if not any(character.isalnum() for character in quote):
        return None
    found = re.search(r"\s+".join(map(re.escape, words)), chunk.text)
    if found is None:
        return None
    return Citation(chunk.id, found.group(), found.start(), found.end())


def _decode(reply: Reply) -> ModelReply:
    if reply.truncated:
        raise _InvalidReplyError("the reply was cut off at its longest length")
    text = reply.text.strip()
    if not text:
        raise _InvalidReplyError("the reply is empty")
    fenced = _FENCED.fullmatch(text)
    try:
        return msgspec.json.decode(fenced.group(1) if fenced else text, type=ModelReply)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise _InvalidReplyError("the reply is not the JSON object that was asked for") from error


def _checked(parsed: ModelReply, passages: Sequence[Passage]) -> tuple[Citation, ...]:
    if not parsed.answer.strip():
        raise _InvalidReplyError("the answer is empty")
    if not parsed.citations:
        raise _InvalidReplyError("the answer cites no passage")
    found: dict[Citation, None] = {}
    for cited in parsed.citations:
        if not 1 <= cited.passage <= len(passages):
            raise _InvalidReplyError(_not_supplied(cited.passage, passages))
        citation = locate(cited.quote, passages[cited.passage - 1].chunk)
        if citation is None:
            raise _InvalidReplyError(f"a quote is not in passage [{cited.passage}]")
        found[citation] = None
    _check_markers(parsed, passages)
    return tuple(found)


def _check_markers(parsed: ModelReply, passages: Sequence[Passage]) -> None:
    """Refuse an `[n]` in the answer that no citation backs, unless a passage reads so."""
    known = {marker.group() for p in passages for marker in _MARKER.finditer(p.chunk.text)}
    backed = {cited.passage for cited in parsed.citations}
    for marker in _MARKER.finditer(parsed.answer):
        number = int(marker.group(1))
        if number in backed or marker.group() in known:
            continue
        if 1 <= number <= len(passages):
            raise _InvalidReplyError(f"the answer marks passage [{number}] without a quote")
        raise _InvalidReplyError(_not_supplied(number, passages))


def _not_supplied(number: int, passages: Sequence[Passage]) -> str:
    return f"passage [{number}] was cited, and {len(passages)} were supplied"
