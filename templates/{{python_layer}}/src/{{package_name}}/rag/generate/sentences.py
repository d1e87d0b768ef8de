"""Quotable spans of a chunk: its sentences, list items and table rows."""

import re
from collections.abc import Iterator

_BLOCK_START = re.compile(r"[ \t]*(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+|>[ \t]?)")
_APART = re.compile(r"[ \t]*(?:\||```|~~~|#{1,6}(?:[ \t]|$)|$|(?:=+|-+)[ \t]*$)")
_SENTENCE_END = re.compile(r"""[.!?…]+["'”’)\]*_]*(?=\s+[^a-z\d\s]|\s*\Z)|[。！？]+[」』”]*""")


def split_sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of `text` that read as a statement each, in order.

    A sentence may run over wrapped lines. A list item or a table row ends at its line or with
    the item; headings, rules and the lines of a fence's frame are left out. A stop before a small
    letter or a digit is an abbreviation's.
    """
    for start, end in _blocks(text):
        for match in _SENTENCE_END.finditer(text, start, end):
            if text[start : match.end()].strip():
                yield _trimmed(text, start, match.end())
            start = match.end()
        if text[start:end].strip():
            yield _trimmed(text, start, end)


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    start = end = position = 0
    for line in text.splitlines(keepends=True):
        begins = _BLOCK_START.match(line)
        apart = _APART.match(line)
        if (begins or apart) and start < end:
            yield start, end
            start = end
        if apart:
            if line.lstrip().startswith("|"):
                yield position, position + len(line)
            start = position + len(line)
        elif begins:
            start = position + begins.end()
        position += len(line)
        end = position
    if start < end:
        yield start, end


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    span = text[start:end]
    return start + len(span) - len(span.lstrip()), end - len(span) + len(span.rstrip())
