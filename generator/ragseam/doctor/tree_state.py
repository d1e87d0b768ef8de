"""What earlier updates and merges have left in a service."""

import re
from collections.abc import Iterator
from pathlib import Path

from ..errors import RagseamError
from ..update.git import git_paths
from ..update.place import BESIDE
from ..update.project import find_git_dir
from ..update.recovery import FOLDER
from .finding import Finding, Level, shown

CHECK = "left over"
START, END = re.compile(rb"^<{7}( |$)"), re.compile(rb"^>{7}( |$)")


def check_tree(path: Path) -> Iterator[Finding]:
    """Conflict markers, rejected hunks, files laid beside others, an interrupted update."""
    found = list(_find_left_over(path))
    yield from found or [Finding(CHECK, Level.OK, "no conflict markers", "ok")]


def _find_left_over(path: Path) -> Iterator[Finding]:
    if (find_git_dir(path) / FOLDER / "journal.json").exists():
        text = "an update was interrupted, and is half written"
        run = f"ragseam update {path} --dry-run    # undoes it first"
        yield Finding(CHECK, Level.PROBLEM, text, "half an update", run)
    names = set(git_paths(path, "ls-files", "-z", "--cached", "--others", "--exclude-standard"))
    for name in sorted(names):
        if lines := find_markers(path / name):
            text = f"conflict markers in {name}, at line {', '.join(map(str, lines))}"
            run = f"$EDITOR {path / name}    # choose between the sides, then: git add {name}"
            yield Finding(CHECK, Level.PROBLEM, text, "markers", run)
    if rejected := sorted(name for name in names if name.endswith(".rej")):
        text = f"hunks that an update could not place: {shown(rejected)}"
        run = "Work each into its file, and delete it."
        yield Finding(CHECK, Level.PROBLEM, text, "rejected hunks", run)
    if beside := sorted(name for name in names if BESIDE in name):
        text = f"laid beside your own by an update: {shown(beside)}"
        run = "Compare each with its neighbour, take what you want, and delete it."
        yield Finding(CHECK, Level.NOTE, text, f"{len(beside)} beside", run)


def find_markers(path: Path) -> list[int]:
    """Lines on which conflicts begin, counted from 1; none where there are no ends to them."""
    try:
        if path.is_symlink():
            return []
        content = path.read_bytes()
    except OSError:
        return []
    if b"<<<<<<<" not in content or b"\0" in content[:8000]:
        return []
    lines = content.splitlines()
    starts = [number for number, line in enumerate(lines, start=1) if START.match(line)]
    return starts if any(END.match(line) for line in lines) else []


def safe_check_tree(path: Path) -> Iterator[Finding]:
    """The same, or why it can't be told."""
    try:
        yield from check_tree(path)
    except RagseamError as error:
        yield Finding(CHECK, Level.PROBLEM, error.what, "not in git", error.fix)
