"""Whenever `index` is killed, the index is whole, and the next run pays for no text again."""

import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from hashlib import sha256
from pathlib import Path

import pytest
from acme_search.rag.config import ENV_PREFIX
from acme_search.rag.errors import IndexMissingError
from acme_search.rag.store import open_store, verify_index
from acme_search.rag.wiring import analyzer_for
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

KILLS = int(os.environ.get("STORE_KILLS", "3"))
EACH = KILLS // 3
EVERY = 1 if KILLS > 9 else 2
BATCH = 4
OLD = {f"{i:02}.md": f"# Page {i}\n\nOld text {i}.\n" for i in range(24)}
NEW = {f"{i:02}.md": f"# Page {i}\n\nNew text {i}.\n" for i in range(12, 30)}
RUNS = {
    "build": ({}, OLD),
    "edit": (OLD, {**{name: OLD[name] for name in list(OLD)[6:12]}, **NEW}),
    "delete": (OLD, {name: OLD[name] for name in list(OLD)[::2]}),
}
CODE = "from acme_search.cli import main; main()"


class Endpoint:
    """Counts the texts of documents that it answers; at call `fatal` it kills who calls."""

    def __init__(self) -> None:
        self.answered: list[str] = []
        self.calls = 0
        self.fatal = 0
        self.delay_s = 0.0
        self.caller: subprocess.Popen[str] | None = None

    def __call__(self, request: Request) -> Response:
        texts = [str(text) for text in request.get_json()["input"]]
        if "Page" in texts[0]:
            self.calls += 1
            time.sleep(self.delay_s)
            if self.calls == self.fatal:
                self.caller.kill()
                self.caller.wait()
                return Response("", 500)
            self.answered += texts
        rows = [{"index": i, "embedding": [len(text), i + 1.0]} for i, text in enumerate(texts)]
        return Response(json.dumps({"data": rows}), content_type="application/json")


class Service:
    """The command, in a folder with documents and an endpoint that embeds them."""

    def __init__(self, folder: Path, server: HTTPServer) -> None:
        self.corpus = folder / "evals" / "corpus"
        self.index = folder / ".rag" / "index.sqlite"
        self.endpoint = Endpoint()
        server.expect_request("/embeddings").respond_with_handler(self.endpoint)
        settings = {
            "EMBEDDING": "openai", "EMBEDDING_MODEL": "small", "EMBEDDING_DIMENSIONS": "2",
            "EMBEDDING_BASE_URL": server.url_for("").rstrip("/"), "EMBEDDING_API_KEY": "key",
            "EMBEDDING_BATCH_TEXTS": str(BATCH), "RERANK": "none", "LANGUAGE": "english",
            "INDEX_DIR": str(self.index.parent),
        }  # fmt: skip
        given = {f"{ENV_PREFIX}{name}": value for name, value in settings.items()}
        self._environ = os.environ | given
        self._folder = folder

    def lay_out(self, documents: dict[str, str]) -> None:
        self.corpus.mkdir(parents=True, exist_ok=True)
        for path in self.corpus.iterdir():
            path.unlink()
        for name, text in documents.items():
            (self.corpus / name).write_text(text)

    def start(self, verb: str) -> subprocess.Popen[str]:
        self.endpoint.caller = subprocess.Popen(
            [sys.executable, "-c", CODE, verb],
            cwd=self._folder, env=self._environ, text=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        )  # fmt: skip
        return self.endpoint.caller

    def run(self, verb: str) -> None:
        process = self.start(verb)
        _, errors = process.communicate(timeout=60)
        assert process.returncode == 0, errors

    def prepare(self, run: str) -> dict[str, str]:
        """Index what was there before, lay out what is to be indexed, and return it."""
        before, after = RUNS[run]
        if before:
            ready = self._folder.parent / "indexed" / ".rag"
            if not ready.exists():
                self.lay_out(before)
                self.run("index")
                shutil.copytree(self.index.parent, ready)
            shutil.copytree(ready, self.index.parent, dirs_exist_ok=True)
        self.lay_out(after)
        self.endpoint.answered, self.endpoint.calls = [], 0
        return after

    def documents(self) -> set[str] | None:
        """What is indexed, after the index was found to be whole; None where there is none."""
        try:
            with open_store(self.index, None) as store:
                names = set(store.documents())
        except IndexMissingError:
            return None
        assert verify_index(self.index, analyze=analyzer_for("english").terms) == []
        return names

    def kept(self) -> set[bytes]:
        """Digests of the texts whose vectors were kept."""
        cache = self.index.with_name("embeddings.sqlite")
        if not cache.exists():
            return set()
        with sqlite3.connect(cache) as connection:
            try:
                return {key for (key,) in connection.execute("SELECT key FROM vectors")}
            except sqlite3.OperationalError:  # killed before there was a table
                return set()


def ended(process: subprocess.Popen[str]) -> int:
    process.communicate(timeout=60)
    return process.returncode


@pytest.mark.parametrize(("run", "calls"), [("build", 6), ("edit", 5)])
def test_killed_at_each_call_a_run_goes_on_where_it_stopped(run, calls, tmp_path, httpserver):
    for call in range(1, calls + 1, EVERY):
        httpserver.clear()
        service = Service(tmp_path / str(call), httpserver)
        after = service.prepare(run)
        service.endpoint.fatal = call
        assert ended(service.start("index")) == -signal.SIGKILL
        assert len(service.endpoint.answered) == BATCH * (call - 1)
        assert service.documents() == (set(RUNS[run][0]) or None)
        service.run("index")
        assert service.documents() == set(after)
        paid = Counter(service.endpoint.answered)
        assert len(paid) == len(after.items() - RUNS[run][0].items())
        assert set(paid.values()) == {1}


@pytest.mark.parametrize("run", RUNS)
def test_killed_at_any_moment_a_run_goes_on_where_it_stopped(run, tmp_path, httpserver):
    draw, twice = random.Random(run), 0
    states: Counter[str] = Counter()
    usual = 0.0
    for kill in range(EACH + 1):
        httpserver.clear()
        service = Service(tmp_path / str(kill), httpserver)
        after = service.prepare(run)
        service.endpoint.delay_s = 0.05
        began = time.monotonic()
        process = service.start("index")
        if not usual:
            assert ended(process) == 0
            usual = time.monotonic() - began
            continue
        time.sleep(draw.uniform(0, 1.1) * usual)
        process.kill()
        ended(process)
        found, kept, first = service.documents(), service.kept(), list(service.endpoint.answered)
        assert found in (set(RUNS[run][0]) or None, set(after))
        states["new" if found == set(after) else "old"] += 1
        service.run("index")
        assert service.documents() == set(after)
        again = set(service.endpoint.answered[len(first) :]) & set(first)
        # What was answered while the caller died can't have been kept: one call at most.
        assert len(again) <= BATCH
        assert not {sha256(text.encode()).digest() for text in again} & kept
        twice += len(again)
    outcome = f"{states['old']} left the old state, {states['new']} the new one"
    sys.stdout.write(f"\n{run}: {outcome}; {twice} texts were under way and paid for again\n")
