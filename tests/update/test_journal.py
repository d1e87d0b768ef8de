"""A change of many files is whole or absent, wherever it is stopped."""

import errno
import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from ragseam.update import recovery
from ragseam.update.journal import Change, apply_changes
from ragseam.update.project import UpdateError
from ragseam.update.recovery import recover
from ragseam.update.tree import EXECUTABLE, FILE, LINK, Entry
from scene import commit, snapshot, write

HEAD = "0" * 40
FILES = {"changed.txt": "old\n", "run.sh": "old\n", "removed/deep/a.txt": "a\n", "kind": "file\n"}
POINTS = [
    *(f"staged {number}" for number in range(6)),
    *("staged", "begun", "index locked"),
    *(f"file {number}" for number in range(6)),
    *("index built", "index replaced", "done", "finished"),
]
LAST_OLD = "index replaced"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "service"
    write(folder, FILES)
    (folder / "run.sh").chmod(0o750)
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    commit(folder)
    return folder


def changes(folder: Path) -> list[Change]:
    return [
        Change(folder / "removed/deep/a.txt", None),
        Change(folder / "changed.txt", Entry(FILE, b"new\n")),
        Change(folder / "run.sh", Entry(EXECUTABLE, b"new\n")),
        Change(folder / "added/deep/b.txt", Entry(FILE, b"b\n")),
        Change(folder / "kind", Entry(LINK, b"changed.txt")),
        Change(folder / "removed", Entry(FILE, b"a file now\n")),
    ]


def build_index(index: Path) -> None:
    index.write_bytes(index.read_bytes() + b"changed")


def state(folder: Path) -> tuple[object, bytes]:
    folders = {path for path in folder.rglob("*") if path.is_dir() and ".git" not in path.parts}
    return (snapshot(folder), folders), (folder / ".git/index").read_bytes()


def apply(folder: Path, watch: Callable[[str], None]) -> None:
    apply_changes(folder / ".git", HEAD, changes(folder), build_index, watch)


@pytest.fixture
def new_state(folder: Path, tmp_path: Path) -> tuple[object, bytes]:
    """What the change makes of the folder, tried on a copy at the same path."""
    before = tmp_path / "kept"
    subprocess.run(["cp", "-a", folder, before], check=True)
    apply(folder, lambda _: None)
    made = state(folder)
    subprocess.run(["rm", "-rf", folder], check=True)
    before.rename(folder)
    return made


def test_a_change_is_made_whole(folder):
    apply(folder, lambda _: None)
    assert (folder / "changed.txt").read_text() == "new\n"
    assert (folder / "run.sh").stat().st_mode & 0o777 == 0o750
    assert (folder / "added/deep/b.txt").read_text() == "b\n"
    assert (folder / "kind").readlink() == Path("changed.txt")
    assert (folder / "removed").read_text() == "a file now\n"
    assert not (folder / ".git" / recovery.FOLDER).exists()
    assert not (folder / ".git/index.lock").exists()


def test_every_point_is_passed(folder):
    passed: list[str] = []
    apply(folder, passed.append)
    assert passed == POINTS


@pytest.mark.parametrize("point", POINTS)
def test_killed_at_any_point_the_next_call_finds_old_or_new(folder, new_state, point):
    old = state(folder)
    child = os.fork()
    if child == 0:

        def die(reached: str) -> None:
            if reached == point:
                os.kill(os.getpid(), signal.SIGKILL)

        apply(folder, die)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    recover(folder / ".git", HEAD)
    expected = old if POINTS.index(point) <= POINTS.index(LAST_OLD) else new_state
    assert state(folder) == expected
    assert not (folder / ".git" / recovery.FOLDER).exists()
    assert not (folder / ".git/index.lock").exists()


@pytest.mark.parametrize("point", POINTS[: POINTS.index(LAST_OLD) + 1])
@pytest.mark.parametrize("failure", [OSError(errno.ENOSPC, "No space left"), KeyboardInterrupt()])
def test_a_failure_at_any_point_leaves_the_old(folder, point, failure):
    def fail(reached: str) -> None:
        if reached == point:
            raise failure

    old = state(folder)
    with pytest.raises(type(failure)):
        apply(folder, fail)
    assert state(folder) == old
    assert not (folder / ".git" / recovery.FOLDER).exists()
    apply(folder, lambda _: None)


@pytest.mark.parametrize("killed_after", range(6))
def test_an_undoing_that_is_killed_is_resumed(folder, killed_after, monkeypatch):
    old = state(folder)
    stop_at(folder, "index replaced")
    restore, calls = recovery._restore, iter(range(100))

    def restore_some(*arguments):
        if next(calls) == killed_after:
            raise RuntimeError("killed")
        return restore(*arguments)

    monkeypatch.setattr(recovery, "_restore", restore_some)
    with pytest.raises(RuntimeError):
        recover(folder / ".git", HEAD)
    monkeypatch.undo()
    recovered = recover(folder / ".git", HEAD)
    assert recovered is not None
    assert recovered.undone
    assert state(folder) == old


def stop_at(folder: Path, point: str) -> None:
    """Stop a change as a kill does: nothing is undone."""
    child = os.fork()
    if child == 0:
        apply(folder, lambda reached: os._exit(0) if reached == point else None)
        os._exit(1)
    assert os.waitpid(child, 0)[1] == 0


def test_what_was_edited_after_a_kill_is_put_aside(folder):
    stop_at(folder, "file 3")
    (folder / "changed.txt").write_text("edited since\n")
    (folder / "added/deep/b.txt").write_text("this too\n")
    recovered = recover(folder / ".git", HEAD)
    assert recovered is not None
    assert {path.name for path in recovered.aside} == {
        "changed.txt.edited-after-interruption",
        "b.txt.edited-after-interruption",
    }
    assert (folder / "changed.txt").read_text() == "old\n"
    assert (folder / "changed.txt.edited-after-interruption").read_text() == "edited since\n"
    aside = folder / "added/deep/b.txt.edited-after-interruption"
    assert aside.read_text() == "this too\n"


def test_a_commit_after_a_kill_is_left_alone(folder):
    stop_at(folder, "file 3")
    before = state(folder)
    with pytest.raises(UpdateError, match="something has been committed since"):
        recover(folder / ".git", "1" * 40)
    assert state(folder) == before


def test_files_on_another_disk_than_git_are_copied(folder, monkeypatch):
    """As in a worktree on another disk: a rename from git's folder is refused by the system."""
    rename = Path.replace

    def replace(self: Path, target: Path) -> Path:
        if (".git" in self.parts) != (".git" in target.parts):
            raise OSError(errno.EXDEV, "Invalid cross-device link")
        return rename(self, target)

    monkeypatch.setattr(Path, "replace", replace)
    old = state(folder)
    stop_at(folder, "file 5")
    assert (folder / "changed.txt").read_text() == "new\n"
    recover(folder / ".git", HEAD)
    assert state(folder) == old


def test_a_lock_of_git_itself_is_not_taken_away(folder):
    (folder / ".git/index.lock").write_text("git's own")
    old = state(folder)
    with pytest.raises(FileExistsError):
        apply(folder, lambda _: None)
    assert state(folder) == old
    assert (folder / ".git/index.lock").read_text() == "git's own"
