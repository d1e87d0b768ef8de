"""One engine in a process of its own: builds an index, or answers queries until its input ends.

    python -m benchmarks.store.worker build|serve ENGINE FOLDER CORPUS CHUNKS QUERIES

Prints one JSON document per line; everything else goes to standard error.
"""

import json
import resource
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np

from . import corpus
from .engines import Engine, engine

CHANGES = 7


class Feed:
    """Documents with their vectors; knows how much CPU it took to make them."""

    def __init__(self, path: Path, chunks: int) -> None:
        self.path, self.chunks, self.cpu_s, self.wall_s = path, chunks, 0.0, 0.0

    def __iter__(self) -> Iterator[tuple[str, list[str], np.ndarray]]:
        made = self._documents()
        while True:
            cpu, wall = time.process_time(), time.perf_counter()
            document = next(made, None)
            self.cpu_s += time.process_time() - cpu
            self.wall_s += time.perf_counter() - wall
            if document is None:
                return
            yield document

    def _documents(self) -> Iterator[tuple[str, list[str], np.ndarray]]:
        blocks = corpus.vector_blocks(self.chunks)
        rows = np.empty((0, corpus.DIMENSIONS), dtype=np.float32)
        for name, texts in corpus.read_corpus(self.path, self.chunks):
            while len(rows) < len(texts):
                rows = np.concatenate([rows, next(blocks)])
            yield name, texts, rows[: len(texts)]
            rows = rows[len(texts) :]


def build(made: Engine, folder: Path, feed: Feed) -> dict[str, float]:
    """Seconds, CPU seconds, peak memory in MB and size in MB; without what feeding took."""
    cpu, wall = time.process_time(), time.perf_counter()
    made.build(feed)
    return {
        "build_s": time.perf_counter() - wall - feed.wall_s,
        "build_cpu_s": time.process_time() - cpu - feed.cpu_s,
        "keyword_cpu_s": getattr(made, "keyword_cpu_s", 0.0),
        "peak_mb": peak_mb(),
        "disk_mb": sum(f.stat().st_size for f in folder.rglob("*") if f.is_file()) / 1e6,
    }


def peak_mb() -> float:
    """Highest resident memory of this process so far, in MB.

    Where Linux tells it by process: `getrusage` hands a parent's peak down to its children.
    """
    status = Path("/proc/self/status")
    if status.exists():
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) * 1024 / 1e6
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6


def serve(made: Engine, texts: list[str], vectors: np.ndarray) -> None:
    """Answer `{"leg": ..., "first": ..., "count": ...}` with milliseconds and results."""
    for line in sys.stdin:
        asked = json.loads(line)
        span = range(asked["first"], asked["first"] + asked["count"])
        taken: list[float] = []
        found: list[object] = []
        for at in span:
            began = time.perf_counter()
            found.append(ask(made, asked["leg"], texts[at], vectors[at]))
            taken.append(1000 * (time.perf_counter() - began))
        respond({"ms": taken, "found": found, "peak_mb": peak_mb()})


def ask(made: Engine, leg: str, text: str, vector: np.ndarray) -> object:
    """One query to one leg; None if the engine has no such leg."""
    search = getattr(made, leg, None)
    if search is None:
        return None
    if leg == "hybrid":
        return len(search(text, vector))
    return search(vector) if leg == "dense" else search(text)


def change_some(made: Engine, feed: Feed) -> list[tuple[float, float]]:
    """What it takes to index one changed document of some ten chunks, for a few documents."""
    change = getattr(made, "change_one", None)
    taken: list[tuple[float, float]] = []
    first = 0
    for name, texts, vectors in feed if change else ():
        if 8 <= len(texts) <= 12:
            taken.append(milliseconds(partial(change, name, texts, vectors, first)))
        if len(taken) == CHANGES:
            break
        first += len(texts)
    return taken


def milliseconds(call: Callable[[], object]) -> tuple[float, float]:
    """Milliseconds of the clock and of CPU."""
    wall, cpu = time.perf_counter(), time.process_time()
    call()
    return 1000 * (time.perf_counter() - wall), 1000 * (time.process_time() - cpu)


def first_search(made: Engine, text: str, vector: np.ndarray) -> None:
    """Open an index, and search it once."""
    made.open()
    ask(made, "hybrid", text, vector)


def warm(folder: Path) -> None:
    """Read every file once, so that a first search is not a measurement of the disk."""
    for path in folder.rglob("*"):
        if path.is_file():
            with path.open("rb") as file:
                while file.read(1 << 20):
                    pass


def respond(answer: object) -> None:
    """Print one JSON document."""
    print(json.dumps(answer), flush=True)


def main() -> None:
    """Run one command."""
    verb, name, folder, path, chunks, queries = sys.argv[1:]
    feed = Feed(Path(path), int(chunks))
    if verb == "build":
        respond(build(engine(name, Path(folder)), Path(folder), feed))
        return
    texts, vectors = corpus.queries(Path(path), int(chunks), int(queries))
    made = engine(name, Path(folder))
    warm(Path(folder))
    first_ms, first_cpu_ms = milliseconds(partial(first_search, made, texts[0], vectors[0]))
    respond({"first_ms": first_ms, "first_cpu_ms": first_cpu_ms, "first_mb": peak_mb()})
    serve(made, texts, vectors)
    respond({"change_ms": change_some(made, feed)})


if __name__ == "__main__":
    main()
