"""Two writers and eight readers at once: each reply is explained by one committed state."""

import math
import os
import sys
import time
from pathlib import Path

import numpy as np
from acme_search.rag.contracts import DocumentId
from acme_search.rag.errors import IndexMissingError
from acme_search.rag.store import open_store, open_writer, verify_index

from .building import DIMENSIONS, MANIFEST, analyze, make

SECONDS = float(os.environ.get("STORE_CROWD_SECONDS", "6"))
NORTH = np.eye(1, DIMENSIONS, dtype=np.float32)[0]


def names(generation: int) -> list[str]:
    return [f"{i}.md" for i in range(5 + generation * 7 % 30)]


def vectors_of(generation: int) -> np.ndarray:
    rows = np.zeros((2, DIMENSIONS), dtype=np.float32)
    rows[:, 0], rows[:, 1] = math.cos(generation / 1000), math.sin(generation / 1000)
    return rows


def advance(index: Path, *, rebuild: bool) -> None:
    """One run, from the generation that is there to the next; every third one fails midway."""
    with open_writer(index, MANIFEST, analyze=analyze, wait_s=60, rebuild=rebuild) as writer:
        known = writer.documents()
        generation = 1 + max(map(int, known.values()), default=0)
        for name in names(generation):
            document, chunks = make(
                name, [f"common generation{generation} part{j}" for j in (1, 2)]
            )
            writer.put(
                document, chunks, vectors_of(generation), source_digest=str(generation)
            )  # fmt: skip
        if generation % 3 == 0 and time.time_ns() % 2:
            raise InterruptedError
        for name in known.keys() - set(names(generation)):
            writer.remove(DocumentId(name))


def write_until(index: Path, deadline: float) -> int:
    """How many runs were committed."""
    runs = 0
    while time.time() < deadline:
        try:
            advance(index, rebuild=False)
        except InterruptedError:
            continue
        runs += 1
    return runs


def read_until(index: Path, deadline: float) -> int:
    """How many replies there were, each explained by one generation, none by an earlier one."""
    last = replies = 0
    while time.time() < deadline:
        try:
            store = open_store(index, MANIFEST)
        except IndexMissingError:
            continue
        with store:
            for _ in range(50):
                with store.snapshot():
                    keyword = store.search_keyword(["common"], 999)
                    dense = store.search_dense(NORTH, 999)
                    chunks = store.load_chunks([hit.chunk_id for hit in dense])
                (generation,) = {int(chunk.text.split()[1][10:]) for chunk in chunks}
                assert len(chunks) == len(keyword) == 2 * len(names(generation))
                assert {hit.chunk_id for hit in keyword} == {hit.chunk_id for hit in dense}
                assert all(
                    math.isclose(hit.score, math.cos(generation / 1000), rel_tol=1e-6)
                    for hit in dense
                )
                assert generation >= last
                last, replies = generation, replies + 1
    assert replies > 10 and last > 2
    return replies


def test_every_reply_is_explained_by_one_committed_state(tmp_path):
    index = tmp_path / "index.sqlite"
    deadline = time.time() + SECONDS
    children = []
    for work in [write_until] * 2 + [read_until] * 8:
        if (child := os.fork()) == 0:
            status = 1
            try:
                (tmp_path / f"{work.__name__} {os.getpid()}").write_text(str(work(index, deadline)))
                status = 0
            finally:
                os._exit(status)
        children.append(child)
    assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0] * 10
    assert verify_index(index, analyze=analyze) == []
    counts = {
        work.__name__: sum(int(path.read_text()) for path in tmp_path.glob(f"{work.__name__} *"))
        for work in (write_until, read_until)
    }
    sys.stdout.write(f"\n{counts['write_until']} runs, {counts['read_until']} replies\n")
