"""Builds every engine, and asks them in turns."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from . import node
from .engines import OURS

Rows = dict[str, dict[str, Any]]

ROOT = Path(__file__).parents[2]
LEGS = ("dense", "keyword", "hybrid")
ROUNDS = 10
PER_ROUND = 10
QUERIES = ROUNDS * PER_ROUND


def measure(work: Path, text: Path, chunks: int, engines: Sequence[str]) -> Rows:
    """What each engine took to build and to answer, and what it found."""
    folders = {name: work / f"{name.replace(' ', '-')}-{chunks}" for name in engines}
    rows = {name: _built(work, name, folders[name], text, chunks) for name in engines}
    workers = {name: _start(work, "serve", name, folders[name], text, chunks) for name in engines}
    try:
        for name, worker in workers.items():
            rows[name].update(_read(worker))
        for turn in range(ROUNDS):
            for leg in LEGS:
                for name, worker in workers.items():
                    _ask(worker, rows[name], leg, turn * PER_ROUND)
        for name in workers.keys() & {OURS, node.OURS_IN_NODE}:
            workers[name].stdin.close()
            rows[name].update(_read(workers[name]))
    finally:
        for worker in workers.values():
            worker.kill()
            worker.wait()
    return rows


def _built(work: Path, name: str, folder: Path, text: Path, chunks: int) -> dict[str, Any]:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    print(f"building {name}, {chunks:,} chunks", file=sys.stderr)
    worker = _start(work, "build", name, folder, text, chunks)
    row = _read(worker)
    worker.wait()
    return row


def _ask(worker: subprocess.Popen[str], row: dict[str, Any], leg: str, first: int) -> None:
    worker.stdin.write(json.dumps({"leg": leg, "first": first, "count": PER_ROUND}) + "\n")
    worker.stdin.flush()
    answer = _read(worker)
    row["serve_mb"] = answer["peak_mb"]
    if None not in answer["found"]:
        row.setdefault(leg, []).extend(answer["ms"])
        row.setdefault(f"{leg}_found", []).extend(answer["found"])


def _start(
    work: Path, verb: str, name: str, folder: Path, text: Path, chunks: int
) -> subprocess.Popen[str]:
    """A process that holds one engine; see `worker`, and `node` for those of Node."""
    if name in node.ENGINES:
        return subprocess.Popen(
            node.command(work, verb, name, folder, text, chunks),
            cwd=work / "service-node",
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
    command = ["-m", "benchmarks.store.worker", verb, name, folder, text, chunks, QUERIES]
    path = (ROOT, work / "service" / "src")
    return subprocess.Popen(
        [sys.executable, *map(str, command)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path))},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def _read(worker: subprocess.Popen[str]) -> dict[str, Any]:
    line = worker.stdout.readline()
    if not line:
        raise RuntimeError(f"{worker.args} ended without an answer; its errors stand above")
    return json.loads(line)
