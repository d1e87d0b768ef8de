"""Takes back a change of many files that was stopped, and tidies up after one that was not."""

import errno
import hashlib
import json
import shutil
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .project import UpdateError
from .tree import read_entry

FOLDER, INDEX_LOCK = "ragseam-update", b"ragseam update\n"


@dataclass(frozen=True, slots=True)
class Recovered:
    """What `recover` did. `undone` is false when the change had been complete.

    `aside` are the names under which later edits to files of the change were put.
    """

    undone: bool
    aside: tuple[Path, ...] = ()


def digest(path: Path) -> str | None:
    """Digest of the content and the mode at `path`; None where there is no file or link."""
    entry = read_entry(path)
    return entry and hashlib.sha256(b"%o " % entry.mode + entry.content).hexdigest()


def recover(git_dir: Path, head: str) -> Recovered | None:
    """Take back a change that has not been completed, and tidy up after one that has.

    Raises:
        UpdateError: something has been committed since; nothing is touched.
        OSError: a file could not be restored; another call goes on from there.
    """
    folder = git_dir / FOLDER
    if not folder.exists():
        return None
    if (folder / "done.json").exists():
        finish(git_dir)
        return Recovered(undone=False)
    if not (folder / "journal.json").exists():
        shutil.rmtree(folder)
        return None
    journal: Mapping[str, Any] = json.loads((folder / "journal.json").read_bytes())
    if journal["head"] != head:
        raise UpdateError(
            "an update was interrupted here, and something has been committed since",
            fix=f"The files as they were before it are in {folder / 'old'}, numbered as in "
            f"{folder / 'journal.json'}. Delete that folder when you need none of them.",
        )
    steps: list[Mapping[str, Any]] = journal["steps"]
    aside = [
        put_aside
        for number, step in reversed(list(enumerate(steps)))
        if (put_aside := _restore(folder / "old" / str(number), step))
    ]
    if (folder / "index.old").exists():
        (folder / "index.old").replace(git_dir / "index")
    unlock_index(git_dir)
    (folder / "journal.json").unlink()
    shutil.rmtree(folder)
    return Recovered(undone=True, aside=tuple(aside))


def _restore(old: Path, step: Mapping[str, Any]) -> Path | None:
    """Undo one step; where its file has been edited since, the name that the edit got."""
    path, aside = Path(step["path"]), None
    there = digest(path)
    restored = step["old"] is not None and digest(old) is None
    if there not in (None, step["old"], step["new"]) and not restored:
        aside = path.with_name(f"{path.name}.edited-after-interruption")
        path.replace(aside)
    if step["old"] is None:
        if there == step["new"]:
            path.unlink()
        for parent in step["made"]:
            with suppress(OSError):
                Path(parent).rmdir()
    elif not restored:
        path.parent.mkdir(parents=True, exist_ok=True)
        move(old, path)
    return aside


def unlock_index(git_dir: Path) -> None:
    """Free git's index, if it was an update that had locked it."""
    lock = git_dir / "index.lock"
    with suppress(FileNotFoundError):
        if lock.read_bytes() == INDEX_LOCK:
            lock.unlink()


def finish(git_dir: Path) -> None:
    """Remove folders that the change has emptied, and all that it staged."""
    folder = git_dir / FOLDER
    unlock_index(git_dir)
    for step in json.loads((folder / "done.json").read_bytes())["steps"]:
        if step["new"] is None:
            for parent in Path(step["path"]).parents:
                try:
                    parent.rmdir()
                except OSError:
                    break
    for name in ("old", "new"):
        shutil.rmtree(folder / name, ignore_errors=True)
    shutil.rmtree(folder, ignore_errors=True)


def move(source: Path, target: Path) -> None:
    """Rename, or copy where the two are on different disks; `target` is whole at any moment."""
    try:
        source.replace(target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        near = target.with_name(f".{target.name}.ragseam")
        near.unlink(missing_ok=True)
        shutil.copy2(source, near, follow_symlinks=False)
        near.replace(target)
        source.unlink()
