"""Two halves of the judged queries that have no relevant document in common."""

import hashlib
from collections.abc import Sequence

from ..contracts import DocumentId
from .golden import GoldenQuery


def group_by_document(queries: Sequence[GoldenQuery]) -> list[int]:
    """Group number of each query; queries that share a relevant document share a group.

    Sharing is transitive: the groups are the connected components of queries and documents.
    """
    parent = list(range(len(queries)))

    def root(query: int) -> int:
        while parent[query] != query:
            parent[query] = parent[parent[query]]
            query = parent[query]
        return query

    first: dict[DocumentId, int] = {}
    for position, query in enumerate(queries):
        for document_id in query.relevant:
            parent[root(position)] = root(first.setdefault(document_id, position))
    return [root(position) for position in range(len(queries))]


def split_groups(groups: Sequence[int], *, seed: int) -> tuple[list[int], list[int]]:
    """Positions of two halves, as even as whole groups allow; equal arguments, equal halves."""
    members: dict[int, list[int]] = {}
    for position, group in enumerate(groups):
        members.setdefault(group, []).append(position)

    def order(group: int) -> tuple[int, bytes]:
        return -len(members[group]), hashlib.sha256(f"{seed}:{group}".encode()).digest()

    halves: tuple[list[int], list[int]] = ([], [])
    for group in sorted(members, key=order):
        halves[len(halves[0]) > len(halves[1])].extend(members[group])
    return halves
