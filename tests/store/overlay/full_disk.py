"""Wherever the disk fills up, the run says so and the old index serves on."""

import resource
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from acme_search.rag.errors import StoreError
from acme_search.rag.store import open_store, transaction, verify_index

from .building import MANIFEST, analyze, write

BEFORE = {f"{i}.md": [f"old pump {i} {j}" for j in range(8)] for i in range(60)}
AFTER = {f"{i}.md": [f"new valve {i} {j} " + "x" * 400 for j in range(8)] for i in range(60)}


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("full") / "index.sqlite"
    write(path, BEFORE)
    return path


@pytest.mark.parametrize("rebuild", [False, True])
@pytest.mark.parametrize("spare", range(0, 60, 4))
def test_no_page_is_left(start, tmp_path, monkeypatch, spare, rebuild):
    index = Path(shutil.copy(start, tmp_path / "index.sqlite"))
    pages = index.stat().st_size // 8192 + spare
    original = transaction.prepare_writer

    def limited(connection):
        original(connection)
        connection.execute(f"PRAGMA max_page_count={pages}")

    monkeypatch.setattr(transaction, "prepare_writer", limited)
    try:
        write(index, AFTER, rebuild=rebuild)
        expected = 0
    except StoreError as error:
        assert "the disk is full" in str(error)
        expected = 480
    monkeypatch.undo()
    with open_store(index, MANIFEST) as store:
        assert len(store.search_keyword(["old"], 999)) == expected
    assert verify_index(index, analyze=analyze) == []


@pytest.mark.parametrize("limit", [1 << 12, 1 << 16, 1 << 18, 3 << 17])
def test_no_file_may_grow(start, tmp_path, limit):
    index = Path(shutil.copy(start, tmp_path / "index.sqlite"))
    with no_file_larger_than(limit), pytest.raises(StoreError, match="full"):
        write(index, AFTER)
    with open_store(index, MANIFEST) as store:
        assert len(store.search_keyword(["old"], 999)) == 480
    assert verify_index(index, analyze=analyze) == []


def test_a_first_run_leaves_nothing_behind(tmp_path):
    index = tmp_path / "index.sqlite"
    with no_file_larger_than(1 << 16), pytest.raises(StoreError, match="full"):
        write(index, AFTER)
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left == ["index.sqlite.holder", "index.sqlite.lock"]


@contextmanager
def no_file_larger_than(size: int) -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, handler)
