"""Judgements of a collection folder, in the layout that this service ships or in BEIR's.

Shipped: `corpus/` and `golden/queries.jsonl`. BEIR: `corpus.jsonl`, `queries.jsonl` and
`qrels/<split>.tsv`, and beside them `unanswerable_queries.jsonl` if there are such.

Source: Thakur et al., BEIR, NeurIPS Datasets and Benchmarks 2021.
"""

from collections.abc import Container, Mapping
from pathlib import Path

import msgspec

from ..contracts import DocumentId, QueryId
from ..errors import EvaluationError
from .golden import Golden, GoldenQuery, Text, check_known, golden_of, load_golden
from .lines import fault, read_lines, read_records

GOLDEN = Path("golden", "queries.jsonl")
_HEADER = ["query-id", "corpus-id", "score"]


class _Query(msgspec.Struct, frozen=True, rename={"id": "_id"}):
    id: Text
    text: Text


def is_beir(folder: Path) -> bool:
    """Whether a collection keeps its documents in BEIR's `corpus.jsonl`."""
    return (folder / "corpus.jsonl").is_file()


def check_layout(folder: Path) -> None:
    """Make sure that a folder has one of the layouts, before anything of it is indexed.

    Raises:
        EvaluationError: it has neither.
    """
    if not is_beir(folder) and not (folder / GOLDEN).is_file():
        raise EvaluationError(
            f"{folder} is no collection",
            fix="Give a folder with corpus/ and golden/queries.jsonl, or corpus.jsonl, "
            "queries.jsonl and qrels/ as BEIR has them.",
        )


def load_judged(folder: Path, known: Container[DocumentId], *, split: str = "test") -> Golden:
    """Read the judged queries of a collection about the `known` documents.

    Of a BEIR collection, the queries that `split` judges are read, in its order.

    Raises:
        EvaluationError: the folder has neither layout, or a file has a fault; the message
            names file and line.
    """
    if is_beir(folder):
        return _load_beir(folder, known, split)
    check_layout(folder)
    return load_golden(folder / GOLDEN, known)


def _load_beir(folder: Path, known: Container[DocumentId], split: str) -> Golden:
    texts: dict[str, str] = {}
    _load_texts(folder / "queries.jsonl", texts)
    path = folder / "qrels" / f"{split}.tsv"
    judgements = _load_qrels(path, texts, known)
    queries = [
        GoldenQuery(QueryId(query_id), texts[query_id], _relevant(grades))
        for query_id, grades in judgements.items()
    ]
    refused = folder / "unanswerable_queries.jsonl"
    if refused.is_file():
        queries += [
            GoldenQuery(QueryId(query_id), text, {}, answerable=False)
            for query_id, text in _load_texts(refused, texts).items()
        ]
    return golden_of(path, queries)


def _load_texts(path: Path, texts: dict[str, str]) -> dict[str, str]:
    """Text by query id; ids are added to `texts`, and none may be there before."""
    found: dict[str, str] = {}
    for number, query in read_records(path, _Query):
        if query.id in texts:
            raise fault(path, number, f"query id {query.id!r} is there already")
        texts[query.id] = found[query.id] = query.text
    return found


def _load_qrels(
    path: Path, texts: Mapping[str, str], known: Container[DocumentId]
) -> dict[str, dict[str, int]]:
    judgements: dict[str, dict[str, int]] = {}
    for number, line in read_lines(path):
        fields = line.split("\t")
        if number == 1 and fields == _HEADER:
            continue
        if len(fields) != len(_HEADER):
            raise fault(path, number, "expected query id, document id and grade between tabs")
        query_id, document_id, grade = fields
        if query_id not in texts:
            raise fault(path, number, f"no query {query_id!r} in queries.jsonl")
        check_known(path, number, document_id, known)
        if not (grade.isascii() and grade.isdigit()):
            raise fault(path, number, f"grade {grade!r}: expected an integer of 0 or more")
        grades = judgements.setdefault(query_id, {})
        if document_id in grades:
            raise fault(path, number, f"query {query_id!r} judges {document_id!r} twice")
        grades[document_id] = int(grade)
    return judgements


def _relevant(grades: Mapping[str, int]) -> dict[DocumentId, int]:
    """Documents judged relevant; grade 0 says that a document was looked at and is not."""
    return {DocumentId(name): grade for name, grade in grades.items() if grade > 0}
