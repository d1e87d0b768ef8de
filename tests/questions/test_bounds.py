"""Each validator takes its range whole, and nothing beside it."""

import pytest
from rendering import Complain

RANGES = [
    ("chunk_chars", 100, 20_000),
    ("candidate_k", 1, 100_000),
    ("rrf_k", 0, 10_000),
    ("rerank_top_n", 1, 1000),
]


@pytest.mark.parametrize(("name", "least", "most"), RANGES)
def test_bounds_are_inclusive(complain: Complain, name: str, least: int, most: int):
    assert complain(name, least) == complain(name, most) == ""
    for outside in (least - 1, most + 1, -(10**12), 10**12):
        assert complain(name, outside) == f"Type a whole number from {least} to {most}."


@pytest.mark.parametrize("overlap", [0, 1, 599])
def test_overlap_below_the_chunk_is_taken(complain: Complain, overlap: int):
    assert complain("chunk_overlap_chars", overlap, chunk_chars=600) == ""


@pytest.mark.parametrize("overlap", [-1, 600, 601, 10_001])
def test_overlap_not_below_the_chunk_is_refused(complain: Complain, overlap: int):
    message = complain("chunk_overlap_chars", overlap, chunk_chars=600)
    assert message == "Type a whole number from 0 to 599, less than the chunk of 600."


def test_overlap_stops_at_its_own_bound(complain: Complain):
    assert complain("chunk_overlap_chars", 10_000, chunk_chars=20_000) == ""
    assert "from 0 to 10000" in complain("chunk_overlap_chars", 10_001, chunk_chars=20_000)


@pytest.mark.parametrize("prefix", ["RAG", "A", "ACME_RAG", "R2D2", "A" * 30])
def test_prefixes_of_upper_case_words_are_taken(complain: Complain, prefix: str):
    assert complain("env_prefix", prefix) == ""


@pytest.mark.parametrize(
    "prefix", ["", "rag", "1RAG", "RAG_", "_RAG", "A__B", "RAG\n", "RAG-X", "ÄRAG", "A" * 31]
)
def test_other_prefixes_are_refused(complain: Complain, prefix: str):
    assert "upper-case" in complain("env_prefix", prefix)


@pytest.mark.parametrize("prefix", ["CI", "UV", "GITHUB", "OPENAI", "PYTHON", "UV_RAG"])
def test_prefixes_of_other_programs_are_refused(complain: Complain, prefix: str):
    assert "belong to another program" in complain("env_prefix", prefix)
