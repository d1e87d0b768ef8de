"""Judged queries, keyed by document: re-chunking is one of the changes to be measured."""

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from ..contracts import DocumentId, QueryId
from ..errors import EvaluationError
from .lines import fault, read_records


@dataclass(frozen=True, slots=True)
class GoldenQuery:
    """One query and the documents that answer it; a higher grade is more relevant.

    `answerable` is False when nothing in the corpus answers it, which is a judgement. An
    answerable query without a relevant document is not judged.
    """

    id: QueryId
    text: str
    relevant: Mapping[DocumentId, int]
    slice: str = ""
    answerable: bool = True


@dataclass(frozen=True, slots=True)
class Golden:
    """Queries in the order of their file."""

    queries: tuple[GoldenQuery, ...]

    @property
    def judged(self) -> list[GoldenQuery]:
        """Queries that are scored."""
        return [query for query in self.queries if query.relevant]

    @property
    def unanswerable(self) -> list[GoldenQuery]:
        """Queries that ought to be refused."""
        return [query for query in self.queries if not query.answerable]

    @property
    def unjudged(self) -> list[GoldenQuery]:
        """Queries without a judgement, which are reported and never scored as 0."""
        return [query for query in self.queries if query.answerable and not query.relevant]


Text = Annotated[str, Meta(min_length=1, pattern=r"\S")]


class _Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: Text
    text: Text
    slice: str = ""
    relevant: dict[str, Annotated[int, Meta(ge=1)]] = {}
    answerable: bool = True


def load_golden(path: Path, known: Container[DocumentId]) -> Golden:
    """Read golden queries, one JSON object a line, about the `known` documents.

    Raises:
        EvaluationError: the file is missing or empty, or a line is malformed, repeats an id,
            names an unknown document or contradicts itself; the message names the line.
    """
    seen: dict[str, int] = {}
    queries: list[GoldenQuery] = []
    for number, line in read_records(path, _Line):
        _check_new(path, number, line.id, seen)
        if line.relevant and not line.answerable:
            raise fault(path, number, "a query that nothing answers has relevant documents")
        for document_id in line.relevant:
            check_known(path, number, document_id, known)
        relevant = {DocumentId(name): grade for name, grade in line.relevant.items()}
        queries.append(
            GoldenQuery(QueryId(line.id), line.text, relevant, line.slice, line.answerable)
        )
    return golden_of(path, queries)


def golden_of(path: Path, queries: Iterable[GoldenQuery]) -> Golden:
    """The queries of a file, of which there must be one at least."""
    golden = Golden(tuple(queries))
    if not golden.queries:
        raise EvaluationError(f"{path}: no queries", fix="Write one JSON object a line.")
    return golden


def check_known(path: Path, number: int, document_id: str, known: Container[DocumentId]) -> None:
    """Refuse a judgement about a document that is not in the corpus."""
    if DocumentId(document_id) not in known:
        raise fault(
            path,
            number,
            f"no document {document_id!r} in the index",
            fix="Run `index` if the document is new; else mend its id.",
        )


def _check_new(path: Path, number: int, query_id: str, seen: dict[str, int]) -> None:
    if query_id in seen:
        raise fault(path, number, f"query id {query_id!r} is on line {seen[query_id]} already")
    seen[query_id] = number
