"""Retrieval by meaning: nearest chunk vectors to the query's vector."""

from ..contracts import Filter, Hit, Store, Vector


def search_dense(
    store: Store, vector: Vector, *, depth: int, where: Filter | None = None
) -> list[Hit]:
    """Top `depth` chunks by inner product with `vector`, exact."""
    return store.search_dense(vector, depth, where)
