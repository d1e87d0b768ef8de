"""Texts longer than a model takes: cut into windows that fit, embedded each, averaged."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

Count = Callable[[Sequence[str]], list[int]]


def cut_to_fit(text: str, limit: int, count: Count) -> list[str]:
    """Cut `text` into near-equal windows of at most `limit` tokens each.

    Windows come in order and together are `text`. They end after white space where there is
    some near the middle, so that few words are cut. A single character is never cut, however
    many tokens it has.
    """
    (tokens,) = count([text])
    if tokens <= limit or len(text) < 2:
        return [text]
    parts = min(len(text), -(-tokens // limit))
    bounds = _bounds(text, max(2, parts))
    pieces = [text[start:end] for start, end in zip(bounds, bounds[1:], strict=False)]
    return [window for piece in pieces for window in cut_to_fit(piece, limit, count)]


def _bounds(text: str, parts: int) -> list[int]:
    slack = len(text) // parts // 4
    bounds = [0]
    for part in range(1, parts):
        aim = part * len(text) // parts
        space = max(text.rfind(mark, aim - slack, aim) for mark in " \n\t")
        bounds.append(aim if space < 0 else space + 1)
    return [*bounds, len(text)]


def batches(texts: Sequence[Sequence[int]], *, most: int, most_tokens: int) -> Iterator[slice]:
    """Consecutive slices of texts with at most `most` windows and `most_tokens` tokens.

    A text is given by the tokens of its windows. One that exceeds a limit by itself has a slice
    of its own.
    """
    start, windows, tokens = 0, 0, 0
    for position, sizes in enumerate(texts):
        windows, tokens = windows + len(sizes), tokens + sum(sizes)
        if position > start and (windows > most or tokens > most_tokens):
            yield slice(start, position)
            start, windows, tokens = position, len(sizes), sum(sizes)
    if start < len(texts):
        yield slice(start, len(texts))
