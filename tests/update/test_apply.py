"""From a plan to files: what has changed meanwhile, what fails, what an earlier kill has left."""

import errno
import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest
from copier import run_copy
from ragseam.update.apply import apply_plan
from ragseam.update.plan import Plan, make_plan
from ragseam.update.project import UpdateError, open_project
from ragseam.update.versions import Request
from rendering import run
from scene import Scene, commit, ragseam, snapshot


@pytest.fixture
def planned(scene: Scene, tmp_path: Path) -> Plan:
    """An update that changes, adds and removes a file, and keeps an ignored one."""
    scene.edit({"notes.log": "ours\n"}, commit_it=False)
    scene.release(
        {"guide.md": "new\n", "added.md": "new\n", "run.sh": None, "notes.log": "theirs\n"}
    )
    (tmp_path / "scratch").mkdir()
    return make_plan(open_project(scene.service), Request(), tmp_path / "scratch")


def test_what_changes_between_showing_and_applying_stops_it(scene, planned):
    (scene.service / "notes.log.from-template").write_text("ours too\n")
    before = snapshot(scene.service)
    with pytest.raises(UpdateError, match="not committed|has changed since"):
        apply_plan(planned)
    (scene.service / "notes.log.from-template").unlink()
    scene.edit({"guide.md": "edited since\n"})
    with pytest.raises(UpdateError, match="has changed since"):
        apply_plan(planned)
    assert {**snapshot(scene.service), "guide.md": before["guide.md"]} == {
        name: entry for name, entry in before.items() if name != "notes.log.from-template"
    }


@pytest.mark.parametrize("point", ["staged 1", "file 2", "index built"])
def test_a_full_disk_is_told_and_nothing_has_changed(scene, planned, point):
    def fail(reached: str) -> None:
        if reached == point:
            raise OSError(errno.ENOSPC, "No space left on device")

    before, status = snapshot(scene.service), scene.git("status", "--porcelain")
    with pytest.raises(UpdateError, match="No space left on device"):
        apply_plan(planned, fail)
    assert snapshot(scene.service) == before
    assert scene.git("status", "--porcelain") == status


def test_the_next_update_undoes_what_a_killed_one_has_written_and_goes_on(scene, planned):
    child = os.fork()
    if child == 0:
        apply_plan(planned, lambda point: os._exit(0) if point == "file 2" else None)
        os._exit(1)
    assert os.waitpid(child, 0)[1] == 0
    assert "an update was interrupted" in ragseam("doctor", scene.service).stdout
    done = scene.update()
    assert done.returncode == 1, done.stderr
    assert "An earlier update was interrupted; everything is as it was" in done.stderr
    assert scene.read("guide.md") == "new\n"
    assert scene.read("notes.log") == "ours\n"
    assert not (scene.service / "run.sh").exists()


def on_terminal(service: Path, typed: bytes) -> tuple[int, str]:
    """Exit status and output of `ragseam update` on a terminal, answered by `typed`."""
    controller, terminal = pty.openpty()
    command = [sys.executable, "-m", "ragseam", "update", str(service)]
    process = subprocess.Popen(command, stdin=terminal, stdout=terminal, stderr=terminal)
    os.close(terminal)
    shown, deadline = b"", time.monotonic() + 120
    while time.monotonic() < deadline:
        if select.select([controller], [], [], 0.2)[0]:
            try:
                shown += os.read(controller, 65536)
            except OSError:
                break
            if b"Apply?" in shown and typed:
                os.write(controller, typed)
                typed = b""
    return process.wait(10), shown.decode()


@pytest.mark.parametrize(
    ("typed", "status", "text"),
    [(b"n\n", 2, "A guide."), (b"\x04", 2, "A guide."), (b"y\n", 0, "n")],
)
def test_on_a_terminal_it_asks(scene, typed, status, text):
    scene.release({"guide.md": "new\n"})
    left, shown = on_terminal(scene.service, typed)
    assert left == status, shown
    assert "~ guide.md" in shown
    assert ("Nothing has been changed." in shown) is (status == 2)
    assert scene.read("guide.md").startswith(text)


def test_an_answers_file_of_another_name(scene, tmp_path):
    service = tmp_path / "other" / "service"
    run_copy(
        str(scene.template), service, vcs_ref="1.0.0", answers_file=".rag.yml",
        defaults=True, quiet=True,
    )  # fmt: skip
    run("git init --quiet", service)
    commit(service)
    scene.release({"guide.md": "new\n"})
    assert ragseam("update", service, "--yes").returncode == 2
    done = ragseam("update", service, "--yes", "--answers-file", ".rag.yml")
    assert done.returncode == 0, done.stderr
    assert "_commit: 1.1.0" in (service / ".rag.yml").read_text()
    assert not (service / ".copier-answers.yml").exists()
