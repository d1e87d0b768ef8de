"""A run that is killed at a random moment leaves the old state or the new one, whole."""

import os
import random
import signal
import time
from pathlib import Path

import pytest
from acme_search.rag.errors import IndexMissingError
from acme_search.rag.store import open_store, verify_index

from .building import MANIFEST, analyze, write

BEFORE = {f"{i}.md": [f"old pump {i} {j}" for j in range(8)] for i in range(60)}
AFTER = {f"{i}.md": [f"new valve {i} {j}" for j in range(6)] for i in range(30, 90)}
GONE = [f"{i}.md" for i in range(30)]


def state(index: Path) -> tuple[int, int, int, int]:
    try:
        with open_store(index, MANIFEST) as store:
            old, new = (len(store.search_keyword([term], 9999)) for term in ("old", "new"))
            return old, new, store.stats().documents, store.stats().chunks
    except IndexMissingError:
        return 0, 0, 0, 0


RUNS = {
    "build": ({}, [], (0, 0, 0, 0), BEFORE, [], (480, 0, 60, 480)),
    "edit": (BEFORE, [], (480, 0, 60, 480), AFTER, GONE, (0, 360, 60, 360)),
    "delete": (BEFORE, [], (480, 0, 60, 480), {}, GONE, (240, 0, 30, 240)),
}


@pytest.mark.parametrize("seed", range(17))
@pytest.mark.parametrize("run", RUNS)
def test_the_index_is_whole_after_a_kill(run, seed, tmp_path):
    start, removed, old_state, put, gone, new_state = RUNS[run]
    index = tmp_path / "index.sqlite"
    if start:
        write(index, start, removed)
    usual = duration(tmp_path / "timed.sqlite", start, put, gone)
    child = os.fork()
    if child == 0:
        write(index, put, gone)
        os._exit(0)
    time.sleep(random.Random(f"{run} {seed}").uniform(0, 1.2) * usual)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    assert state(index) in (old_state, new_state)
    if state(index) != (0, 0, 0, 0):
        assert verify_index(index, analyze=analyze) == []
    write(index, put, [name for name in gone if state(index) == old_state])
    assert state(index) == new_state
    assert verify_index(index, analyze=analyze) == []


def duration(index: Path, start: dict, put: dict, gone: list[str]) -> float:
    if start:
        write(index, start)
    began = time.perf_counter()
    write(index, put, gone)
    return time.perf_counter() - began
