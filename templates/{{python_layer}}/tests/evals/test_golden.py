"""The golden queries hold together with the corpus that they judge."""

import json
from collections import Counter
from pathlib import Path

import pytest

EVALS = Path(__file__).parents[2] / "evals"
QUERIES = [json.loads(line) for line in (EVALS / "golden/queries.jsonl").open(encoding="utf-8")]


def test_there_are_queries_to_score_and_queries_to_refuse() -> None:
    assert any(query["relevant"] for query in QUERIES)
    assert any(not query["answerable"] for query in QUERIES)


def test_every_query_has_an_id_of_its_own() -> None:
    repeated = [
        name for name, count in Counter(query["id"] for query in QUERIES).items() if count > 1
    ]
    assert not repeated


@pytest.mark.parametrize("query", QUERIES, ids=lambda query: query["id"])
def test_every_relevant_document_stands_in_the_corpus(query: dict) -> None:
    missing = [name for name in query["relevant"] if not (EVALS / "corpus" / name).is_file()]
    assert not missing


@pytest.mark.parametrize("query", QUERIES, ids=lambda query: query["id"])
def test_a_query_is_answerable_if_and_only_if_a_document_is_relevant(query: dict) -> None:
    assert query["answerable"] == bool(query["relevant"])
