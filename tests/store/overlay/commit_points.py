"""A process that dies before any one of a run's statements leaves a whole index."""

import os
import shutil
import signal
import sqlite3
from pathlib import Path

import pytest
from acme_search.rag.store import open_store, transaction, verify_index

from .building import MANIFEST, analyze, write

BEFORE = {f"{i}.md": [f"old pump {i} {j}" for j in range(3)] for i in range(6)}
AFTER = {f"{i}.md": [f"new valve {i} {j}" for j in range(2)] for i in range(3, 8)}
GONE = ["0.md", "1.md"]
OLD, NEW = (18, 0), (3, 10)


def counted(index: Path) -> tuple[int, int]:
    with open_store(index, MANIFEST) as store:
        return tuple(len(store.search_keyword([term], 999)) for term in ("old", "new"))


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


def statements_of(index: Path, *, rebuild: bool, monkeypatch: pytest.MonkeyPatch) -> int:
    connect, left = dying_at(1 << 60)
    monkeypatch.setattr(transaction, "connect", connect)
    write(index, AFTER, [] if rebuild else GONE, rebuild=rebuild)
    monkeypatch.undo()
    return (1 << 60) - left[0]


@pytest.mark.parametrize("rebuild", [False, True])
def test_dying_at_every_statement(rebuild, tmp_path, monkeypatch):
    start = tmp_path / "start.sqlite"
    write(start, BEFORE)
    counting = shutil.copy(start, tmp_path / "counting.sqlite")
    total = statements_of(counting, rebuild=rebuild, monkeypatch=monkeypatch)
    assert total > 50
    new = (0, 10) if rebuild else NEW
    states = set()
    for at in [*range(1, total, 1 + total // 60), total - 2, total - 1, total]:
        index = Path(shutil.copy(start, tmp_path / f"{at}.sqlite"))
        child = os.fork()
        if child == 0:
            transaction.connect = dying_at(at)[0]
            write(index, AFTER, [] if rebuild else GONE, rebuild=rebuild)
            os._exit(0)
        assert os.WIFSIGNALED(os.waitpid(child, 0)[1])
        states.add(counted(index))
        assert states <= {OLD, new}
        assert verify_index(index, analyze=analyze) == []
        write(index, AFTER, [], rebuild=True)
        assert counted(index) == (0, 10)
    assert states == {OLD, new}


def test_a_commit_is_on_the_disk_before_it_returns(tmp_path):
    connection = transaction.connect(tmp_path / "index.sqlite", "mode=rwc")
    transaction.prepare_writer(connection, tmp_path / "index.sqlite")
    full = 2
    assert connection.execute("PRAGMA synchronous").fetchone()[0] == full
    connection.close()
