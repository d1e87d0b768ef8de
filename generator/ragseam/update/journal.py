"""Writes many files as one change: all of them, or none after the next call.

Everything is staged below git's own folder before the first file is touched. From the moment
that `journal.json` stands there until it is renamed to `done.json`, a change is under way, and
`recover` takes it back; restoring a file is one rename, which a full disk does not hinder.
"""

import fcntl
import json
import os
import shutil
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from .project import UpdateError
from .recovery import FOLDER, INDEX_LOCK, digest, finish, move, recover
from .tree import Entry, read_entry, write_entry

LOCK = "ragseam-update.lock"
SCHEMA = "ragseam.update-journal.v1"

Watch: TypeAlias = Callable[[str], None]
"""Is told each point that a change has reached."""


@dataclass(frozen=True, slots=True)
class Change:
    """One path of a change, and what will be there; None removes it."""

    path: Path
    entry: Entry | None


@contextmanager
def locked(git_dir: Path) -> Generator[None]:
    """Hold the one lock of updates in a working tree; the system frees it when a process dies.

    Raises:
        UpdateError: another process holds it.
    """
    with (git_dir / LOCK).open("a+", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            file.seek(0)
            raise UpdateError(
                f"another update is at work in this repository (process {file.read().strip()})",
                fix="Wait until it has ended, or end it.",
            ) from error
        file.truncate(0)
        file.write(f"{os.getpid()}\n")
        file.flush()
        yield


def apply_changes(
    git_dir: Path,
    head: str,
    changes: list[Change],
    build_index: Callable[[Path], None],
    watch: Watch = lambda _: None,
) -> None:
    """Make all `changes`, then put in place the index that `build_index` edits; or do nothing.

    Raises:
        OSError: something could not be written; everything is as it was.
    """
    folder = git_dir / FOLDER
    try:
        _stage(git_dir, head, changes, watch)
        watch("staged")
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    (folder / "staging.json").rename(folder / "journal.json")
    _sync(folder)
    try:
        watch("begun")
        _lock_index(git_dir)
        watch("index locked")
        for number, change in enumerate(changes):
            _put(folder / "new" / str(number), change)
            watch(f"file {number}")
        build_index(folder / "index.new")
        watch("index built")
        (folder / "index.new").replace(git_dir / "index")
        watch("index replaced")
        (folder / "journal.json").rename(folder / "done.json")
        _sync(folder)
    except BaseException:
        recover(git_dir, head)
        raise
    watch("done")
    finish(git_dir)
    watch("finished")


def _stage(git_dir: Path, head: str, changes: list[Change], watch: Watch) -> None:
    folder = git_dir / FOLDER
    steps: list[dict[str, Any]] = []
    for side in ("old", "new"):
        (folder / side).mkdir(parents=True)
    for number, change in enumerate(changes):
        old, new = (folder / side / str(number) for side in ("old", "new"))
        if before := read_entry(change.path):
            shutil.copy2(change.path, old, follow_symlinks=False)
        if change.entry:
            write_entry(change.entry, new)
            if before and before.mode == change.entry.mode and not new.is_symlink():
                shutil.copymode(change.path, new)
        made = [str(parent) for parent in change.path.parents if not parent.exists()]
        for copy in (old, new):
            _sync(copy)
        steps.append(
            {"path": str(change.path), "old": digest(old), "new": digest(new), "made": made}
        )
        watch(f"staged {number}")
    for name in ("index.old", "index.new"):
        shutil.copy(git_dir / "index", folder / name)
        _sync(folder / name)
    document = {"schema": SCHEMA, "head": head, "steps": steps}
    (folder / "staging.json").write_text(json.dumps(document, indent=1), encoding="utf-8")
    _sync(folder / "staging.json")


def _sync(path: Path) -> None:
    """Have `path` on the disk, so that a crash of the machine finds it whole."""
    if path.is_symlink() or not path.exists():
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _lock_index(git_dir: Path) -> None:
    """Keep git from writing its index while files change.

    Raises:
        OSError: git is writing it.
    """
    with (git_dir / "index.lock").open("xb") as lock:
        lock.write(INDEX_LOCK)


def _put(staged: Path, change: Change) -> None:
    if change.entry is None:
        change.path.unlink(missing_ok=True)
        return
    change.path.parent.mkdir(parents=True, exist_ok=True)
    if change.path.is_dir() and not change.path.is_symlink():
        _remove_empty(change.path)
    move(staged, change.path)


def _remove_empty(folder: Path) -> None:
    for path in sorted(folder.rglob("*"), reverse=True):
        path.rmdir()
    folder.rmdir()
