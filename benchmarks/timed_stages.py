"""Times ingest and chunking of one folder, and prints the fastest run as JSON.

Run by the service's own Python, with the folder as its argument. Beside them stands what a
program that does nothing else takes to read the same files, hash and decode them.
"""

import json
import sys
import time
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path

from acme_search.rag.chunk import chunk_document
from acme_search.rag.contracts import Document
from acme_search.rag.ingest import Skipped, Source, load_document, scan_sources

SIZES = {"chunk_chars": 1200, "overlap_chars": 150}
RUNS = 5


def load(folder: Path) -> Iterator[Document]:
    """Documents of a folder, without what is skipped."""
    for source in scan_sources(folder, max_file_bytes=10_000_000):
        if isinstance(source, Source):
            document = load_document(source)
            if not isinstance(document, Skipped):
                yield document


def read(folder: Path) -> int:
    """Characters of all files, each read, hashed and decoded."""
    count = 0
    for path in sorted(folder.iterdir()):
        raw = path.read_bytes()
        sha256(raw).hexdigest()
        count += len(raw.decode())
    return count


def fastest(work: Callable[[], object]) -> float:
    """Seconds of CPU of the fastest of some runs."""
    seconds: list[float] = []
    for _ in range(RUNS):
        started = time.process_time()
        work()
        seconds.append(time.process_time() - started)
    return min(seconds)


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    documents = list(load(folder))
    found = {
        "megabytes": sum(path.stat().st_size for path in folder.iterdir()) / 1e6,
        "chunks": sum(len(chunk_document(document, **SIZES)) for document in documents),
        "read": fastest(lambda: read(folder)),
        "ingest": fastest(lambda: list(load(folder))),
        "chunk": fastest(lambda: [chunk_document(document, **SIZES) for document in documents]),
    }
    print(json.dumps(found))
