"""How long do commands take as whole processes? Search, and index after a change, as Markdown.

Renders a service, installs it, indexes text of this machine with the default embedding, and runs
its command line. What one changed document costs is then told within a process: hashing the
sources, loading the embedding model, and what is left of the run.

    python -m benchmarks.store.commands [--sizes 10000 100000] [--page FILE]

The TypeScript service is timed beside it, with its default embedding.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from copier import run_copy
from ragseam.node import install_shared

from . import corpus, report

Times = tuple[float, float]
"""Milliseconds of the clock, and of CPU."""

TEMPLATE = Path(__file__).parents[2]
NAME = "benched"
SEARCHES = 11
UNITS = "Milliseconds of the clock and, in parentheses, of CPU; medians."
HEAD = """
| chunks | documents | first index s | bare Python | search | in Node: first index s | bare Node \
| search | in Python: index, nothing changed \
| index, one document changed | of a change: hashing | loading the model | the rest |
|---|---|---|---|---|---|---|---|---|---|---|---|---|"""

CHANGE = """
import json, sys, time
from pathlib import Path
from benched.rag.config import load_settings
from benched.rag.indexing import IndexSummary, index_sources
from benched.rag.ingest import scan_sources
from benched.rag.wiring import embedder_from

settings, root = load_settings(), Path(sys.argv[1])

def milliseconds(call):
    wall, cpu = time.perf_counter(), time.process_time()
    call()
    return 1000 * (time.perf_counter() - wall), 1000 * (time.process_time() - cpu)

def index():
    index_sources(settings, root, IndexSummary())

def scan():
    list(scan_sources(root, max_file_bytes=10**9))

def load():
    embedder_from(settings).embed_query("loads the model")

index()
taken = []
for path in sorted(root.rglob("*.txt"))[1::97][:7]:
    text = path.read_text("utf-8")
    path.write_text(text[:2000].replace("e", "e ", 20) + text[2000:], "utf-8")
    hashed, loaded, whole = map(milliseconds, (scan, load, index))
    rest = [all - hash - load for all, hash, load in zip(whole, hashed, loaded)]
    taken.append((hashed, loaded, rest))
print(json.dumps(taken))
"""


def main() -> None:
    """Measure, print, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--work", type=Path, default=TEMPLATE / "build" / "commands")
    parser.add_argument("--page", type=Path, help="Markdown page whose section is replaced")
    given = parser.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    service = install(given.work / "service")
    other = install_node(given.work / "service-node")
    text = given.work / f"corpus-{max(given.sizes)}.jsonl"
    if not text.exists():
        corpus.write_corpus(text, max(given.sizes))
    rows = [row(service, other, text, chunks) for chunks in given.sizes]
    table = "\n".join([f"{report.machine()}. {UNITS}", HEAD, *rows])
    print(table)
    if given.page:
        report.replace_section(given.page, table, "commands")


def install(service: Path) -> Path:
    """Render a service and install what it needs."""
    shutil.rmtree(service, ignore_errors=True)
    answers = {"project_name": NAME}
    run_copy(str(TEMPLATE), service, data=answers, defaults=True, quiet=True, vcs_ref="HEAD")
    subprocess.run(["uv", "sync", "--quiet"], cwd=service, check=True)
    return service


def install_node(service: Path) -> Path:
    """The same in TypeScript."""
    shutil.rmtree(service, ignore_errors=True)
    answers = {"project_name": NAME, "language": "typescript"}
    run_copy(str(TEMPLATE), service, data=answers, defaults=True, quiet=True, vcs_ref="HEAD")
    install_shared(service)
    return service


def row(service: Path, other: Path, text: Path, chunks: int) -> str:
    """Index so many chunks of the corpus, and time the commands over them."""
    sources = service / f"sources-{chunks}"
    sources.mkdir()
    for number, (_, parts) in enumerate(corpus.read_corpus(text, chunks)):
        (sources / f"{number:06}.txt").write_text("".join(parts), "utf-8")
    shutil.rmtree(service / ".rag", ignore_errors=True)
    command = service / ".venv" / "bin" / NAME
    python = service / ".venv" / "bin" / "python"
    indexing, _ = run(service, [command, "index", sources, "--json"])
    _, told = run(service, [command, "status", "--json"])
    stats = json.loads(told)["index"]
    queries, _ = corpus.queries(text, chunks, SEARCHES)
    searches = [run(service, [command, "search", query])[0] for query in queries]
    bare = [run(service, [python, "-c", ""])[0] for _ in range(SEARCHES)]
    cli = ["node", "bin/cli.js"]
    shutil.rmtree(other / ".rag", ignore_errors=True)
    node_indexing, _ = run(other, [*cli, "index", sources, "--json"])
    node_searches = [run(other, [*cli, "search", query])[0] for query in queries]
    bare_node = [run(other, ["node", "-e", ""])[0] for _ in range(SEARCHES)]
    same = run(service, [command, "index", sources])[0]
    first = sources / "000000.txt"
    first.write_text(f"Changed.\n{first.read_text('utf-8')}", "utf-8")
    changed = run(service, [command, "index", sources])[0]
    parts = zip(*json.loads(run(service, [python, "-c", CHANGE, sources])[1]), strict=True)
    cells = [
        f"{stats['chunks']:,}",
        f"{stats['documents']:,}",
        f"{indexing[0] / 1000:.1f}",
        *map(cell, (bare, searches)),
        f"{node_indexing[0] / 1000:.1f}",
        *map(cell, (bare_node, node_searches, [same], [changed], *parts)),
    ]
    return f"| {' | '.join(cells)} |"


def cell(times: Sequence[Times]) -> str:
    """Median milliseconds, and those of CPU."""
    wall, cpu = (statistics.median(each) for each in zip(*times, strict=True))
    return f"{wall:.0f} ({cpu:.0f})"


def run(service: Path, command: Sequence[object]) -> tuple[Times, str]:
    """Milliseconds of the whole process, of the clock and of CPU, and what it printed."""
    wall, before = time.perf_counter(), os.times()
    done = subprocess.run(
        [str(part) for part in command], cwd=service, capture_output=True, text=True
    )
    taken, after = 1000 * (time.perf_counter() - wall), os.times()
    if done.returncode not in (0, 1):
        sys.exit(f"{command}: {done.stderr}")
    cpu = sum(after[2:4]) - sum(before[2:4])
    return (taken, 1000 * cpu), done.stdout


if __name__ == "__main__":
    main()
