"""Any history of edits, over several blocks of chunks, answers as a rebuild from nothing does."""

import random
from pathlib import Path

import numpy as np
import pytest
from acme_search.rag.contracts import Filter
from acme_search.rag.store import open_store, verify_index

from .building import DIMENSIONS, MANIFEST, Reference, analyze, write

WORDS = [f"w{i}" for i in range(60)]


def texts(draw: random.Random) -> list[str]:
    return [" ".join(draw.choices(WORDS, k=draw.randint(1, 8))) for _ in range(draw.randint(0, 60))]


def answers(store) -> list[object]:
    draw = random.Random(0)
    vectors = np.random.default_rng(0).standard_normal((6, DIMENSIONS)).astype(np.float32)
    return [
        *(store.search_keyword(draw.choices(WORDS, k=4), 40) for _ in range(10)),
        *(store.search_keyword(draw.choices(WORDS, k=2), 40, Filter("1")) for _ in range(5)),
        *(store.search_dense(vector, 40) for vector in vectors),
        *(store.search_dense(vector, 40, Filter("2")) for vector in vectors),
        store.stats().index_digest,
        store.stats().terms,
    ]


@pytest.mark.parametrize("seed", range(3))
def test_a_history_answers_as_a_rebuild_does(seed, tmp_path):
    draw = random.Random(seed)
    edited, rebuilt = tmp_path / "edited.sqlite", tmp_path / "rebuilt.sqlite"
    documents = {f"{i}.md": texts(draw) for i in range(250)}
    write(edited, documents)
    with open_store(edited, MANIFEST) as follower:
        for _ in range(8):
            put = {
                f"{draw.randrange(400)}.md": texts(draw) for _ in range(draw.choice([1, 5, 120]))
            }
            others = sorted(documents.keys() - put.keys())
            gone = draw.sample(others, min(len(others), draw.choice([0, 1, 60])))
            write(edited, put, gone)
            documents = {
                name: parts for name, parts in {**documents, **put}.items() if name not in gone
            }
            follower.search_dense(np.ones(DIMENSIONS, dtype=np.float32), 5)
        followed = answers(follower)
    assert verify_index(edited, analyze=analyze) == []
    write(rebuilt, dict(draw.sample(sorted(documents.items()), len(documents))))
    assert followed == opened(edited) == opened(rebuilt)
    if seed == 0:
        reference = Reference(documents)
        with open_store(edited, MANIFEST) as store:
            found = store.search_keyword(WORDS[:3], 100)
        expected = reference.keyword(WORDS[:3])[:100]
        assert [hit.chunk_id for hit in found] == [id for id, _ in expected]


def opened(path: Path) -> list[object]:
    with open_store(path, MANIFEST) as store:
        return answers(store)
