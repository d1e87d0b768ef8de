"""Updates killed for real, at random moments; KILLS=50 tries as many."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from ragseam.update import recovery
from ragseam.update.command import recovered_lines
from scene import LINES, Scene, snapshot

KILLS = int(os.environ.get("KILLS", "3"))
SECONDS = 6.0
WRITING_S = (0.05, 0.2, 0.8, 2.0)
"""Longest waits before a kill of an update that has begun to write, of which one is drawn."""


def kill_one(service: Path, chance: random.Random, *, while_writing: bool) -> None:
    """Start an update, and kill it at a random moment, or at one while it writes."""
    process = subprocess.Popen(
        [sys.executable, "-m", "ragseam", "update", str(service), "--yes"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    folder, deadline = service / ".git" / recovery.FOLDER, time.monotonic() + 60
    if while_writing:
        while not folder.exists() and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.0005)
        time.sleep(chance.uniform(0, chance.choice(WRITING_S)))
    else:
        time.sleep(chance.uniform(0, SECONDS))
    process.send_signal(signal.SIGKILL)
    process.wait()


def test_a_killed_update_is_old_or_new_after_the_next_call(scene: Scene):
    many = {f"many/{number}.md": f"{number}\n" + LINES for number in range(40)}
    scene.release(many, "1.1.0")
    assert scene.update().returncode == 0
    scene.edit({f"many/{number}.md": f"ours\n{LINES}" for number in range(0, 40, 3)})
    scene.edit({"notes.log": "ours\n"}, commit_it=False)
    later = {f"many/{number}.md": None for number in range(10)}
    later |= {f"many/{number}.md": f"{number}\n{LINES}theirs\n" for number in range(10, 40)}
    scene.release({**later, "notes.log": "theirs\n", "new/deep/file.md": "new\n"}, "1.2.0")
    old, clean = snapshot(scene.service), scene.git("status", "--porcelain")
    chance, found = random.Random(20), {"old": 0, "new": 0}
    new = None
    for number in range(KILLS):
        kill_one(scene.service, chance, while_writing=number % 2 == 0)
        list(recovered_lines(scene.service, scene.service / ".git"))
        after = snapshot(scene.service)
        if after == old:
            found["old"] += 1
            assert scene.git("status", "--porcelain") == clean
            continue
        found["new"] += 1
        new = new or after
        assert after == new
        assert after["notes.log"] == old["notes.log"]
        scene.git("restore", "--source=HEAD", "--staged", "--worktree", ".")
        for path in scene.service.rglob("*.from-template"):
            path.unlink()
        assert snapshot(scene.service) == old
    print(f"killed {KILLS} times:", found)  # noqa: T201
    assert scene.update().returncode == 1
    assert new in (None, snapshot(scene.service))
