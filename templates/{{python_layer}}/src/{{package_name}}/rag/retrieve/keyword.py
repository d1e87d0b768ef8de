"""Retrieval by words: BM25 over the terms that chunks and queries are split into."""

from collections.abc import Callable

from ..contracts import Filter, Hit, Store


def search_keyword(
    store: Store,
    query: str,
    *,
    analyze: Callable[[str], list[str]],
    depth: int,
    where: Filter | None = None,
) -> list[Hit]:
    """Top `depth` chunks by BM25; no text is a syntax error, and no terms give no hits."""
    terms = analyze(query)
    return store.search_keyword(terms, depth, where) if terms else []
