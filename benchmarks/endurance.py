"""Does anything get lost? The long forms of the tests of the store, as Markdown.

Two writers and eight readers for some minutes; index runs that are killed at random moments,
and at each call of the endpoint that embeds; 200 random corruptions of the file; histories of
edits compared with a rebuild from nothing. Each is a file of tests/store/overlay, run by the
tools of a rendered service.

    uv run --group bench python -m benchmarks.endurance [--minutes 10] [--kills 50]
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from .rendered import TEMPLATE, Rendered, machine, render

OVERLAYS = TEMPLATE / "tests" / "store" / "overlay"
CLAIMS = {
    "crowd": "two writers, eight readers: each reply explained by one committed state",
    "paid": "killed `index` runs: a whole index, and nothing that was kept is paid for again",
    "kills": "killed writers: the old state or the new one, whole",
    "commit_points": "a death before a statement of a run: the same",
    "full_disk": "a disk that fills up: the old index serves on",
    "corruption": "200 corruptions: harmless, or found; no answer wrong in silence",
    "history": "histories of edits answer to the byte as a rebuild does",
}


def row(service: Rendered, name: str, settings: dict[str, str]) -> tuple[str, bool]:
    """A line of the table, and whether the claim held."""
    path = service.folder / "tests" / "store" / f"test_{name}.py"
    shutil.copy(OVERLAYS / f"{name}.py", path)
    command = [service.python, "-m", "pytest", "-q", "-s", "-p", "no:cacheprovider", path]
    began = time.monotonic()
    done = subprocess.run(
        command, cwd=service.folder, env={**os.environ, **settings}, text=True,
        capture_output=True, check=False,
    )  # fmt: skip
    held = done.returncode == 0
    if not held:
        sys.stderr.write(done.stdout + done.stderr)
    said = [line for line in done.stdout.splitlines() if line.strip(" .s") and "%]" not in line]
    seconds = f"{time.monotonic() - began:,.0f} s"
    return (
        f"| {CLAIMS[name]} | {seconds} | {'holds' if held else 'fails'} | {'; '.join(said)} |",
        held,
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Print one row a claim; the exit status is 1 where one does not hold."""
    parser = argparse.ArgumentParser(
        prog="benchmarks.endurance",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--minutes", type=float, default=10, help="of writers and readers")
    parser.add_argument("--kills", type=int, default=50, help="of index runs, at random moments")
    parser.add_argument("--only", nargs="+", choices=CLAIMS, default=list(CLAIMS))
    given = parser.parse_args(arguments)
    # One kill more than a third of them for each kind of run, so that none is rounded away.
    settings = {
        "STORE_CROWD_SECONDS": str(given.minutes * 60),
        "STORE_KILLS": str(given.kills + 2),
    }
    held = True
    with tempfile.TemporaryDirectory() as name:
        service = render(Path(name) / "service", with_tests=True)
        print(f"{machine()}; {service.versions(['numpy', 'pytest'])}.\n")
        print("| claim | took | outcome | seen |\n|---|---|---|---|")
        for claim in given.only:
            line, holds = row(service, claim, settings)
            print(line, flush=True)
            held = held and holds
    sys.exit(0 if held else 1)


if __name__ == "__main__":
    main()
