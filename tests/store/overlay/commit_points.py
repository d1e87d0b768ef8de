"""A process that dies before any one of a run's statements leaves a whole index."""

import os
import signal
import sqlite3
from pathlib import Path

import pytest
from acme_search.rag.errors import IndexMissingError
from acme_search.rag.store import open_store, transaction, verify_index

from .building import MANIFEST, analyze, write

BEFORE = {f"{i}.md": [f"old pump {i} {j}" for j in range(3)] for i in range(6)}
AFTER = {f"{i}.md": [f"new valve {i} {j}" for j in range(2)] for i in range(3, 8)}
GONE = ["0.md", "1.md"]
NOTHING, OLD, EDITED, ALONE = (0, 0), (18, 0), (3, 10), (0, 10)


def counted(index: Path) -> tuple[int, int]:
    """Chunks of the state before, and of the state after; none where there is no index."""
    try:
        with open_store(index, MANIFEST) as store:
            return tuple(len(store.search_keyword([term], 999)) for term in ("old", "new"))
    except IndexMissingError:
        return NOTHING


def dying_at(count: int):
    """Connections that count statements, and kill the process at one of them."""
    original = transaction.connect
    left = [count]

    def connect(path: Path, options: str) -> sqlite3.Connection:
        connection = original(path, options)

        def trace(statement: str) -> None:
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)

        connection.set_trace_callback(trace)
        return connection

    return connect, left


def statements_of(index: Path, gone: list[str], rebuild: bool) -> int:
    """How many statements a run takes; in a child, which keeps its patches to itself."""
    connect, left = dying_at(1 << 30)
    original, transaction.connect = transaction.connect, connect
    try:
        write(index, AFTER, gone, rebuild=rebuild)
    finally:
        transaction.connect = original
    return (1 << 30) - left[0]


@pytest.mark.parametrize(
    ("before", "gone", "rebuild", "old", "new"),
    [
        ({}, [], False, NOTHING, ALONE),
        (BEFORE, GONE, False, OLD, EDITED),
        (BEFORE, [], True, OLD, ALONE),
    ],
    ids=["build", "edit", "rebuild"],
)
def test_dying_at_every_statement(before, gone, rebuild, old, new, tmp_path):
    def started(name: str) -> Path:
        index = tmp_path / name / "index.sqlite"
        index.parent.mkdir()
        if before:
            write(index, before)
        return index

    total = statements_of(started("counting"), gone, rebuild)
    assert total > 40
    states = set()
    for at in sorted({*range(1, total, 1 + total // 30), total - 2, total - 1, total}):
        index = started(str(at))
        child = os.fork()
        if child == 0:
            transaction.connect = dying_at(at)[0]
            write(index, AFTER, gone, rebuild=rebuild)
            os._exit(0)
        assert os.WIFSIGNALED(os.waitpid(child, 0)[1])
        states.add(state := counted(index))
        assert state in (old, new)
        if state != NOTHING:
            assert verify_index(index, analyze=analyze) == []
        write(index, AFTER, [name for name in gone if state == old], rebuild=rebuild)
        assert counted(index) == new
        assert not list(index.parent.glob("*.new*"))
    assert states == ({old, new} if before else {old})
