"""One update of a service with an edit of each kind: what plain Copier does, and what we do."""

import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from scene import BINARY, LINES, Completed, Scene, copy_first, make_first, snapshot, write

OTHER = LINES.replace("line 10\n", "line ten of the template\n")
OURS = LINES.replace("line 10\n", "line ten of the service\n")
APART = LINES.replace("line 2\n", "line two of the service\n")
BOTH = APART.replace("line 10\n", "line ten of the template\n")
EXTRA = {
    "files/both.md": LINES,
    "files/apart.md": LINES,
    "files/dropped.md": LINES,
    "files/gone.md": LINES,
    "files/renamed.md": "# Renamed\n" + LINES,
    "files/photo.png": BINARY,
    "files/plain.sh": "#!/bin/sh\n" + LINES,
    "files/moved.md": "# Moved\n" + LINES,
    "files/removed.md": LINES,
    "files/linked.md": LINES,
    "files/part/a.md": "a\n",
    "files/part/b.md": "b\n",
    "files/crlf.md": LINES,
    "files/end.md": "no newline at the end",
}
NEXT = {
    "both.md": OTHER,
    "apart.md": OTHER,
    "dropped.md": None,
    "gone.md": None,
    "renamed.md": None,
    "new-name.md": "# Renamed\n" + LINES,
    "photo.png": b"\0the template's newer\0",
    "plain.sh": "#!/bin/sh\n" + OTHER,
    "moved.md": "# Moved\n" + OTHER,
    "removed.md": OTHER,
    "linked.md": OTHER,
    "part/a.md": None,
    "part/b.md": None,
    "crlf.md": OTHER,
    "end.md": "another end",
    "evals/corpus/doc.md": "The template's document.\n",
    "notes.log": "the template's\n",
    "fine.log": "the same\n",
    "added.md": "new\n",
    "both-added.md": "the template's\n",
    "tool.sh": "#!/bin/sh\n",
}
EDITS = {
    "both.md": OURS,
    "apart.md": APART,
    "dropped.md": OURS,
    "renamed.md": "# Renamed\n" + OURS,
    "photo.png": b"\0ours\0",
    "logo.png": b"\0our logo\0",
    "moved.md": None,
    "docs/moved.md": "# Moved\n" + APART,
    "removed.md": None,
    "linked.md": None,
    "part/a.md": "a of ours\n",
    "part/own.md": "all our own\n",
    "crlf.md": APART.replace("\n", "\r\n"),
    "evals/corpus/doc.md": "Our document.\n",
    "both-added.md": "ours\n",
    "module.py": "x = 1\n",
}
IGNORED = {"notes.log": "ours\n", "fine.log": "the same\n", ".env": "SECRET=1\n"}


@dataclass(frozen=True)
class Updated:
    """The service before, after ours, after plain Copier, and what ours said."""

    scene: Scene
    before: dict[str, tuple[int, bytes]]
    planned: dict[str, tuple[int, bytes]]
    plan: dict[str, Any]
    done: Completed
    plain: Path

    def ours(self, name: str) -> str:
        return self.scene.read(name)

    def theirs(self, name: str) -> str:
        return (self.plain / name).read_text()

    def kept(self, name: str) -> dict[str, Any]:
        return next(kept for kept in self.plan["kept"] if kept["path"] == name)

    def lost(self, name: str) -> str:
        return next((loss["what"] for loss in self.plan["losses"] if loss["path"] == name), "")


@pytest.fixture(scope="module")
def updated(tmp_path_factory: pytest.TempPathFactory) -> Updated:
    first, folder = tmp_path_factory.mktemp("first"), tmp_path_factory.mktemp("many")
    write(first / "template", EXTRA)
    make_first(first)
    scene = copy_first(first, folder)
    scene.release(NEXT)
    (scene.template / "files/tool.sh").chmod(0o755)
    scene.release({}, "1.2.0")
    write(scene.service, EDITS)
    (scene.service / "linked.md").symlink_to("guide.md")
    (scene.service / "plain.sh").chmod(0o755)
    scene.edit({})
    write(scene.service, IGNORED)
    (scene.service / ".git/info/exclude").write_text("/.env\n")
    before = snapshot(scene.service)
    plain = scene.plain()
    plan = scene.plan()
    return Updated(scene, before, snapshot(scene.service), plan, scene.update(), plain)


pytestmark = pytest.mark.xdist_group("many-edits")


def test_showing_changes_nothing(updated):
    assert updated.planned == updated.before
    assert updated.plan["status"] == "planned"


def test_it_leaves_with_1_and_says_what_to_do_about_each(updated):
    assert updated.done.returncode == 1, updated.done.stderr
    todo = updated.done.stdout.partition("To do")[2]
    for path in ("both.md:10", "dropped.md", "renamed.md", "photo.png", "notes.log"):
        assert f"  {path}" in todo


def test_nothing_is_committed_or_staged_and_git_diff_holds_the_update(updated):
    scene = updated.scene
    assert scene.git("log", "-1", "--format=%s") == "change\n"
    assert scene.git("diff", "--cached", "--name-only", "--diff-filter=AMD") == ""
    changed = set(scene.git("diff", "--name-only", "--no-renames").split())
    assert {"added.md", "apart.md", "gone.md", "both.md", ".copier-answers.yml"} <= changed


def test_it_says_what_plain_copier_would_lose(updated):
    lost = {loss["path"] for loss in updated.plan["losses"]}
    assert lost == {
        *("dropped.md", "renamed.md", "part/a.md"),
        *("photo.png", "logo.png", "notes.log"),
    }


def test_lines_apart_are_merged(updated):
    assert updated.ours("apart.md") == BOTH == updated.theirs("apart.md")


def test_the_same_lines_conflict(updated):
    assert "<<<<<<< before updating" in updated.theirs("both.md")
    assert updated.ours("both.md") == updated.theirs("both.md")
    (conflict,) = [c for c in updated.plan["conflicts"] if c["path"] == "both.md"]
    assert conflict["hunks"] == [
        {"line": 10, "ours": "line ten of the service\n", "theirs": "line ten of the template\n"}
    ]
    assert updated.scene.git("ls-files", "-u", "both.md").count("\n") == 3


def test_an_edited_file_that_the_template_drops(updated):
    assert not (updated.plain / "dropped.md").exists()
    assert updated.ours("dropped.md") == OURS
    assert "has it no more" in updated.kept("dropped.md")["why"]
    assert "deleted" in updated.lost("dropped.md")


def test_an_untouched_file_that_the_template_drops(updated):
    assert not (updated.scene.service / "gone.md").exists()
    assert "gone.md" in updated.plan["files"]["removed"]


def test_an_edited_file_that_the_template_renames(updated):
    assert not (updated.plain / "renamed.md").exists()
    assert updated.ours("renamed.md") == "# Renamed\n" + OURS
    assert updated.ours("new-name.md") == "# Renamed\n" + LINES
    assert "new-name.md" in updated.kept("renamed.md")["todo"]


def test_a_replaced_binary_that_the_template_changes_too(updated):
    assert (updated.plain / "photo.png").read_bytes() == NEXT["photo.png"]
    assert (updated.scene.service / "photo.png").read_bytes() == EDITS["photo.png"]
    beside = updated.scene.service / updated.kept("photo.png")["beside"]
    assert beside.read_bytes() == NEXT["photo.png"]
    assert "overwritten" in updated.lost("photo.png")


def test_a_replaced_binary_that_the_template_leaves(updated):
    assert (updated.plain / "logo.png").read_bytes() == BINARY
    assert (updated.scene.service / "logo.png").read_bytes() == EDITS["logo.png"]
    assert updated.kept("logo.png")["beside"] is None


def test_an_ignored_file_where_the_template_adds_one(updated):
    assert updated.theirs("notes.log") == "the template's\n"
    assert updated.ours("notes.log") == "ours\n"
    assert updated.ours("notes.log.from-template") == "the template's\n"
    assert "overwritten" in updated.lost("notes.log")


def test_an_ignored_file_equal_to_the_added_one_is_not_mentioned(updated):
    assert updated.ours("fine.log") == "the same\n"
    assert "fine.log" not in json.dumps(updated.plan["kept"])


def test_a_file_that_both_have_added(updated):
    assert updated.ours("both-added.md") == updated.theirs("both-added.md")
    assert "ours\n=======\nthe template's\n" in updated.ours("both-added.md")


def test_an_executable_bit_that_the_service_has_set(updated):
    assert os.access(updated.scene.service / "plain.sh", os.X_OK)
    assert updated.ours("plain.sh") == "#!/bin/sh\n" + OTHER


def test_an_executable_bit_that_the_template_brings(updated):
    assert os.access(updated.scene.service / "tool.sh", os.X_OK)


def test_a_file_that_the_service_has_replaced_by_a_link(updated):
    assert (updated.scene.service / "linked.md").readlink() == Path("guide.md")
    assert updated.ours("guide.md") == "A guide.\n" + LINES
    assert updated.ours("linked.md.from-template") == OTHER


def test_a_file_that_the_service_has_moved_takes_the_changes_along(updated):
    assert not (updated.scene.service / "moved.md").exists()
    assert updated.ours("docs/moved.md") == "# Moved\n" + BOTH
    assert "line ten of the template" not in updated.theirs("docs/moved.md")


def test_a_file_that_the_service_has_removed_stays_away(updated):
    assert not (updated.plain / "removed.md").exists()
    assert not (updated.scene.service / "removed.md").exists()
    assert "removed.md" in [note["path"] for note in updated.plan["notes"]]


def test_a_dropped_folder_with_edited_and_own_files_in_it(updated):
    assert not (updated.plain / "part/a.md").exists()
    assert updated.ours("part/a.md") == "a of ours\n"
    assert updated.ours("part/own.md") == "all our own\n"
    assert not (updated.scene.service / "part/b.md").exists()


def test_line_ends_of_the_service_stay(updated):
    merged = (updated.scene.service / "crlf.md").read_bytes()
    assert merged == BOTH.replace("\n", "\r\n").encode()


def test_a_file_without_a_newline_at_its_end(updated):
    assert updated.ours("end.md") == "another end"


def test_the_corpus_and_the_environment_are_not_touched(updated):
    assert updated.ours("evals/corpus/doc.md") == "Our document.\n"
    assert updated.ours(".env") == "SECRET=1\n"


def test_nothing_that_the_service_had_is_less_than_before(updated):
    """Each file of the service that is not as the template made it is there, or in a conflict."""
    after = snapshot(updated.scene.service)
    edited = {**EDITS, **IGNORED}
    for name, content in edited.items():
        if content is None:
            continue
        wanted = content if isinstance(content, bytes) else content.encode()
        mine = {line.rstrip() for line in wanted.splitlines()}
        there = {line.rstrip() for line in after[name][1].splitlines()}
        replaced = {b"line 10"} & mine
        assert mine - replaced <= there, name


def test_what_it_says_at_the_end_undoes_it(updated):
    copy = updated.scene.service.with_name("undone")
    shutil.copytree(updated.scene.service, copy, symlinks=True)
    undone = Scene(updated.scene.template, copy)
    undone.git("restore", "--source=HEAD", "--staged", "--worktree", ".")
    after = {name: entry for name, entry in snapshot(copy).items() if ".from-template" not in name}
    assert after == updated.before
