"""Services in sub-folders, worktrees and beside submodules; line ends; things in the way."""

import shutil
import subprocess
from pathlib import Path

import pytest
from copier.errors import ForbiddenPathError
from rendering import run
from scene import LINES, Scene, commit, snapshot

NEXT = {
    "guide.md": "A guide.\n" + LINES.replace("line 10\n", "line ten\n"),
    "added/new.md": "new\n",
    "run.sh": None,
}
OURS = "A guide.\n" + LINES.replace("line 2\n", "line two\n")
BOTH = "A guide.\n" + LINES.replace("line 2\n", "line two\n").replace("line 10\n", "line ten\n")


def in_folder_of(scene: Scene, top: Path) -> Scene:
    """The service as `services/search` of a larger repository."""
    folder = top / "services/search"
    folder.parent.mkdir(parents=True)
    shutil.copytree(scene.service, folder, ignore=shutil.ignore_patterns(".git"))
    (top / "other.md").write_text("other\n")
    run("git init --quiet", top)
    commit(top)
    return Scene(scene.template, folder)


def test_a_service_in_a_folder_of_a_larger_repository(scene, tmp_path):
    scene.edit({"guide.md": OURS})
    scene.release(NEXT)
    inner = in_folder_of(scene, tmp_path / "mono")
    (tmp_path / "mono/other.md").write_text("at work here\n")
    before = snapshot(tmp_path / "mono")
    done = inner.update()
    assert done.returncode == 0, done.stderr
    assert inner.read("guide.md") == BOTH
    changed = {name for name, entry in snapshot(tmp_path / "mono").items()
               if before.get(name) != entry}  # fmt: skip
    assert {name.removeprefix("services/search/") for name in changed} == {
        *("guide.md", "added/new.md", ".copier-answers.yml")
    }
    assert "services/search/added/new.md" in inner.git("diff", "--name-only")


def test_a_conflict_in_a_sub_folder_is_one_to_git(scene, tmp_path):
    scene.edit({"guide.md": "A guide.\n" + LINES.replace("line 10\n", "line X\n")})
    scene.release(NEXT)
    inner = in_folder_of(scene, tmp_path / "mono")
    assert inner.update().returncode == 1
    assert inner.git("status", "--porcelain", "guide.md").startswith(("AA", "UU"))
    inner.git("restore", "--source=HEAD", "--staged", "--worktree", ".")
    assert inner.git("status", "--porcelain") == ""


def test_a_service_in_a_worktree(scene, tmp_path):
    scene.edit({"guide.md": OURS})
    scene.release(NEXT)
    scene.git("worktree", "add", "-q", str(tmp_path / "tree"))
    done = Scene(scene.template, tmp_path / "tree").update()
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "tree/guide.md").read_text() == BOTH
    assert scene.read("guide.md") == OURS


def test_a_submodule_is_left_as_it_is(scene, tmp_path):
    library = tmp_path / "library"
    library.mkdir()
    (library / "lib.py").write_text("x = 1\n")
    run("git init --quiet", library)
    commit(library)
    allow = ("-c", "protocol.file.allow=always")
    scene.git(*allow, "submodule", "add", "-q", str(library), "vendor")
    scene.edit({"guide.md": OURS})
    scene.release({**NEXT, "vendor/file.md": "the template's\n"})
    done = scene.update()
    assert done.returncode == 1, done.stderr
    assert scene.read("guide.md") == BOTH
    assert {path.name for path in (scene.service / "vendor").iterdir()} == {".git", "lib.py"}
    assert scene.read("vendor.from-template/file.md") == "the template's\n"
    assert "Subproject" not in scene.git("diff")


@pytest.mark.parametrize("converted", [True, False], ids=["autocrlf", "committed"])
def test_a_checkout_with_crlf_keeps_it_and_merges(scene, converted):
    scene.git("config", "core.autocrlf", str(converted).lower())
    scene.edit({"guide.md": OURS.replace("\n", "\r\n")})
    for path in scene.service.glob("*.md"):
        path.write_bytes(path.read_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))
    scene.edit({})
    scene.release(NEXT)
    wanted = BOTH.replace("\n", "\r\n").encode()
    assert ((scene.plain() / "guide.md").read_bytes() == wanted) is converted
    done = scene.update()
    assert done.returncode == 0, done.stdout + done.stderr
    assert (scene.service / "guide.md").read_bytes() == wanted
    assert scene.git("diff", "--stat", "guide.md").count("|") == 1


def test_a_file_in_the_way_of_a_folder_stops_plain_copier_midway(scene):
    scene.edit({"own": "a file where the template has a folder\n"})
    scene.release({"own/deep/file.md": "the template's\n", "guide.md": "new\n"})
    with pytest.raises(FileExistsError):
        scene.plain()
    done = scene.update()
    assert done.returncode == 1, done.stderr
    assert scene.read("own") == "a file where the template has a folder\n"
    assert scene.read("own.from-template/deep/file.md") == "the template's\n"
    assert scene.read("guide.md") == "new\n"
    assert "stops midway" in done.stdout


def test_nothing_is_written_through_a_link_to_a_folder(scene, tmp_path):
    (tmp_path / "outside").mkdir()
    (scene.service / "local").symlink_to(tmp_path / "outside")
    (scene.service / ".git/info/exclude").write_text("/local\n")
    scene.release({"local/cache.md": "the template's\n"})
    with pytest.raises(ForbiddenPathError):
        scene.plain()
    assert scene.update().returncode == 1
    assert list((tmp_path / "outside").iterdir()) == []
    assert scene.read("local.from-template/cache.md") == "the template's\n"


def test_a_folder_of_the_template_that_becomes_a_file_is_more_than_copier_can_do(scene):
    scene.release({"part/a.md": "a\n"}, "1.1.0")
    assert scene.update().returncode == 0
    scene.edit({})
    scene.release({"part/a.md": None, "guide.md": "new\n"}, "1.2.0")
    scene.release({"part": "a file now\n"}, "1.3.0")
    with pytest.raises(AssertionError):
        scene.plain()
    before = snapshot(scene.service)
    done = scene.update()
    assert done.returncode == 2
    assert "1.3.0 can't be rendered" in done.stderr
    assert snapshot(scene.service) == before
    assert scene.update("--vcs-ref", "1.2.0").returncode == 0


def test_names_of_every_kind(scene):
    names = ["with space.md", "ümlaut.md", "quote'.md", "[x].md", "-dash.md", "a:b.md", "tab\t.md"]
    scene.release({name: LINES for name in names}, "1.1.0")
    assert scene.update().returncode == 0
    scene.edit({name: LINES.replace("line 2\n", "ours\n") for name in names})
    scene.release({name: LINES.replace("line 10\n", "theirs\n") for name in names}, "1.2.0")
    done = scene.update()
    assert done.returncode == 0, done.stdout + done.stderr
    for name in names:
        assert "ours\n" in scene.read(name)
        assert "theirs\n" in scene.read(name)


def test_an_ignored_file_of_the_template_is_merged_and_an_edited_one_kept(scene):
    scene.release({"local/a.md": LINES, "local/b.md": LINES}, "1.1.0")
    assert scene.update().returncode == 0
    scene.edit({"local/a.md": LINES.replace("line 2\n", "ours\n"), "local/b.md": "rewritten\n"})
    assert scene.git("ls-files", "local") == ""
    later = LINES.replace("line 10\n", "theirs\n")
    scene.release({"local/a.md": later, "local/b.md": later}, "1.2.0")
    done = scene.update()
    assert done.returncode == 1, done.stderr
    assert scene.read("local/a.md") == later.replace("line 2\n", "ours\n")
    assert scene.read("local/b.md") == "rewritten\n"
    assert scene.read("local/b.md.from-template") == later


def test_a_folder_with_a_working_index_elsewhere_in_the_repository(scene, tmp_path):
    """What is staged outside the service stays staged."""
    inner = in_folder_of(scene, tmp_path / "mono")
    (tmp_path / "mono/other.md").write_text("staged\n")
    subprocess.run(["git", "add", "other.md"], cwd=tmp_path / "mono", check=True)
    scene.release(NEXT)
    assert inner.update().returncode == 0
    assert inner.git("diff", "--cached", "--name-only") == "other.md\n"
