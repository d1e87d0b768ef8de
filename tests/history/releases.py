"""Versions that services stand on: the released tags, or some commits of the past."""

import ast
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Sequence
from difflib import SequenceMatcher
from io import BytesIO
from pathlib import Path

from packaging.version import InvalidVersion, Version
from rendering import ROOT, render_into, run

TEMPLATE = ("copier.yml", "templates")
NEXT = "9999.0.0"
COMMITS = 3


def released(repository: Path) -> list[str]:
    """Tags that are versions, rising."""
    return sorted(filter(is_version, run("git tag", repository).split()), key=Version)


def count_versions() -> int:
    """How many older versions `tagged_history` gives."""
    return len(released(ROOT)) or COMMITS


def older_commits(repository: Path) -> list[str]:
    """`COMMITS` of the past: the first at which a render works, the last change, and between."""
    history = run(f"git log --reverse --format=%H -- {' '.join(TEMPLATE)}", repository).split()
    first = next(at for at, commit in enumerate(history) if works(repository, commit))
    last = len(history) - 2
    return [history[first + (last - first) * at // (COMMITS - 1)] for at in range(COMMITS)]


def is_version(tag: str) -> bool:
    try:
        Version(tag)
    except InvalidVersion:
        return False
    return True


def works(repository: Path, commit: str) -> bool:
    """Whether the template of `commit` renders a package whose own imports all resolve."""
    with tempfile.TemporaryDirectory() as folder:
        template = unpack(repository, commit, Path(folder) / "template")
        service = Path(folder) / "service"
        try:
            render_into(template, service, {})
        except Exception:
            return False
        modules = list((service / "src").rglob("*.py"))
        return any(path.name == "cli.py" for path in modules) and all(map(resolves, modules))


def resolves(module: Path) -> bool:
    """Whether each relative import of a module names a module that is there."""
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            target = module.parents[node.level - 1].joinpath(*(node.module or "").split("."))
            if not (target.is_dir() or target.with_suffix(".py").exists()):
                return False
    return True


def unpack(repository: Path, commit: str, destination: Path) -> Path:
    command = ["git", "archive", commit, *TEMPLATE]
    packed = subprocess.run(command, cwd=repository, capture_output=True, check=False).stdout
    destination.mkdir(parents=True)
    if packed:
        with tarfile.open(fileobj=BytesIO(packed)) as archive:
            archive.extractall(destination, filter="data")
    return destination


def tagged_history(destination: Path) -> tuple[Path, list[str]]:
    """A clone of this repo with its older versions as tags, and what stands here now as `NEXT`."""
    if not destination.exists():
        run(f"git clone --quiet {ROOT} {destination}", ROOT)
        if not released(destination):
            for number, commit in enumerate(older_commits(destination), start=1):
                run(f"git tag 0.0.{number} {commit}", destination)
        lay_working_tree(destination)
        run(f"git tag {NEXT}", destination)
    return destination, [tag for tag in released(destination) if tag != NEXT]


def lay_working_tree(clone: Path) -> None:
    """Commit the template as it stands in this checkout, committed or not."""
    run(f"git rm --quiet -r {' '.join(TEMPLATE)}", clone)
    listed = run(f"git ls-files -co --exclude-standard -z -- {' '.join(TEMPLATE)}", ROOT)
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (clone / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, clone / name)
    run("git add --all", clone)
    run("git commit --quiet --allow-empty --message next", clone)


def changed_places(old: Sequence[str], new: Sequence[str]) -> set[int]:
    """Places between the lines of `old` at or beside which `new` differs.

    Two edits of one text meet in a merge when their places have one in common.
    """
    changes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return {
        place
        for kind, start, end, _, _ in changes
        if kind != "equal"
        for place in range(start, end + 1)
    }
