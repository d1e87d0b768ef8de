"""What stands in the way of an update is said in a line, with what to run; nothing changes."""

import shutil
import subprocess

import pytest
from copier import run_update
from copier.errors import CopierError
from plumbum import ProcessExecutionError
from ragseam.template import is_relative_path
from rendering import ANSWERS_FILE, run
from scene import QUESTIONS, Scene, ragseam, snapshot


def edit_answers(scene: Scene, old: str, new: str) -> None:
    scene.edit({ANSWERS_FILE: scene.read(ANSWERS_FILE).replace(old, new)})


def dirty(scene):
    scene.edit({"guide.md": "half an edit\n", "new.md": "untracked\n"}, commit_it=False)


def outside_git(scene):
    shutil.rmtree(scene.service / ".git")


def uncommitted(scene):
    outside_git(scene)
    run("git init --quiet", scene.service)


def tag_gone(scene):
    run("git tag -d 1.0.0", scene.template)
    edit_answers(scene, "_commit: 1.0.0", "_commit: 0.9.9")


def template_moved(scene):
    scene.template.rename(scene.template.with_name("elsewhere"))


def shallow_template(scene):
    shallow = scene.template.with_name("shallow")
    run(f"git clone --quiet --depth 1 --branch 1.1.0 file://{scene.template} {shallow}",
        scene.template)  # fmt: skip
    edit_answers(scene, str(scene.template), str(shallow))


def relative_path(scene):
    edit_answers(scene, str(scene.template), "../template")


def relative_path_below(scene):
    edit_answers(scene, str(scene.template), "build/template")


def no_answers_file(scene):
    scene.edit({ANSWERS_FILE: None})


def answers_of_no_version(scene):
    edit_answers(scene, "_commit: 1.0.0\n", "")


def answers_that_are_no_yaml(scene):
    scene.edit({ANSWERS_FILE: "a: [\n"})


def template_outside_git(scene):
    shutil.rmtree(scene.template / ".git")


def render_that_fails(scene):
    scene.release({"broken.md.jinja": "{{ 1 / 0 }}"}, "1.2.0")


def questionnaire_that_is_broken(scene):
    scene.release({"copier.yml": QUESTIONS + "x: ["}, "1.2.0")


CASES = {
    dirty: ("not committed: guide.md, new.md", "stash --include-untracked"),
    outside_git: ("is in no git repository", "git init && git add --all && git commit"),
    uncommitted: ("is not committed yet", "git add --all && git commit"),
    tag_gone: ("no longer has 0.9.9", "_commit"),
    template_moved: ("there is no template to read at", "_src_path"),
    shallow_template: ("is a shallow clone without 1.0.0", "fetch --unshallow --tags"),
    relative_path: ("by a relative path, ../template", "_src_path"),
    relative_path_below: ("by a relative path, build/template", "_src_path"),
    no_answers_file: (f"has no {ANSWERS_FILE}", "made by `ragseam new`"),
    answers_of_no_version: ("has no _commit", "tag it was made from"),
    answers_that_are_no_yaml: ("can't be read", "checkout HEAD"),
    template_outside_git: ("is not the top of a git repository", "_src_path"),
    render_that_fails: ("1.2.0 can't be rendered", ""),
    questionnaire_that_is_broken: ("no template to read", ""),
}


@pytest.mark.parametrize("spoil", CASES, ids=lambda spoil: spoil.__name__)
def test_it_says_what_is_wrong_and_what_to_run(scene, spoil):
    scene.release({"guide.md": "new\n"})
    spoil(scene)
    before = snapshot(scene.service)
    done = scene.update()
    assert done.returncode == 2, done.stdout
    complaint, fix = CASES[spoil]
    assert complaint in done.stderr.splitlines()[0]
    assert fix in done.stderr
    assert "Traceback" not in done.stderr
    assert snapshot(scene.service) == before


@pytest.mark.parametrize("spoil", [tag_gone, template_moved, render_that_fails])
def test_plain_copier_raises_what_is_no_message(scene, spoil):
    scene.release({"guide.md": "new\n"})
    spoil(scene)
    with pytest.raises((ValueError, ProcessExecutionError, ZeroDivisionError, TypeError)) as raised:
        scene.plain()
    assert not isinstance(raised.value, CopierError)


def test_plain_copier_leaves_half_an_update_when_a_render_fails(scene):
    scene.release({"guide.md": "new\n", "z-broken.md.jinja": "{{ 1 / 0 }}"})
    copy = scene.service.with_name("plain")
    shutil.copytree(scene.service, copy)
    with pytest.raises(ZeroDivisionError):
        run_update(copy, defaults=True, overwrite=True, quiet=True)
    assert (copy / "guide.md").read_text() == "new\n"


def test_nothing_to_update_is_status_3(scene):
    done = scene.update()
    assert done.returncode == 3, done.stderr
    assert "at 1.0.0 already: nothing to update" in done.stdout
    assert scene.plan()["status"] == "nothing"


def test_a_downgrade_is_refused(scene):
    scene.release({"guide.md": "new\n"})
    assert scene.update().returncode == 0
    scene.edit({})
    done = scene.update("--vcs-ref", "1.0.0")
    assert done.returncode == 2
    assert "1.0.0 is older than 1.1.0, which the service is at" in done.stderr


def test_a_version_that_is_not_there_is_refused(scene):
    done = scene.update("--vcs-ref", "7.7.7")
    assert done.returncode == 2
    assert "has no version 7.7.7" in done.stderr


def test_a_prerelease_is_taken_when_asked_for(scene):
    scene.release({"guide.md": "new\n"}, "2.0.0rc1")
    assert scene.update().returncode == 3
    assert scene.update("--prereleases").returncode == 0
    assert scene.answers()["_commit"] == "2.0.0rc1"
    scene.edit({})
    done = scene.update()
    assert done.returncode == 3
    assert "the newest release, 1.0.0, is older" in done.stdout


def test_several_versions_at_once(scene):
    for minor in range(1, 5):
        scene.release({f"part{minor}.md": "x\n", "guide.md": f"{minor}\n"}, f"1.{minor}.0")
    assert scene.update().returncode == 0
    assert snapshot(scene.service) == snapshot(scene.fresh("1.4.0"))


def test_without_a_terminal_it_says_how_to_go_on(scene):
    scene.release({"guide.md": "new\n"})
    before = snapshot(scene.service)
    done = ragseam("update", scene.service)
    assert done.returncode == 2
    assert "--yes" in done.stderr
    assert "~ guide.md" in done.stdout
    assert snapshot(scene.service) == before


def test_a_dry_run_changes_nothing(scene):
    scene.release({"guide.md": "new\n"})
    before = snapshot(scene.service), scene.git("status", "--porcelain")
    done = scene.update("--dry-run")
    assert done.returncode == 0
    assert "~ guide.md" in done.stdout
    assert (snapshot(scene.service), scene.git("status", "--porcelain")) == before


def test_json_with_yes_applies_and_prints_one_document(scene):
    scene.release({"guide.md": "new\n"})
    done = scene.update("--json")
    assert '"status": "applied"' in done.stdout
    assert scene.read("guide.md") == "new\n"


def test_a_second_update_at_the_same_time_is_refused(scene):
    from ragseam.update.journal import locked

    scene.release({"guide.md": "new\n"})
    with locked(scene.service / ".git"):
        done = scene.update()
    assert done.returncode == 2
    assert "another update is at work in this repository (process" in done.stderr
    assert scene.update().returncode == 0


def test_an_index_that_git_is_writing_is_left_alone(scene):
    scene.release({"guide.md": "new\n"})
    lock = scene.service / ".git/index.lock"
    lock.write_text("")
    before = snapshot(scene.service)
    done = scene.update()
    assert done.returncode == 2
    assert "index.lock" in done.stderr
    assert snapshot(scene.service) == before
    assert lock.exists()


def test_a_service_in_a_shallow_clone(scene, tmp_path):
    scene.edit({"guide.md": scene.read("guide.md") + "ours\n"})
    scene.release({"added.md": "new\n"})
    clone = tmp_path / "clone"
    subprocess.run(
        ["git", "clone", "-q", "--depth=1", f"file://{scene.service}", clone], check=True
    )
    done = Scene(scene.template, clone).update()
    assert done.returncode == 0, done.stderr
    assert (clone / "added.md").exists()
    assert (clone / "guide.md").read_text().endswith("ours\n")


def test_a_service_made_from_a_relative_path_can_be_updated(scene, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    options = ("--template", "template", "--defaults", "--quiet")
    assert ragseam("new", tmp_path / "a/b", *options).returncode in (0, None)
    made = Scene(scene.template, tmp_path / "a/b")
    assert made.answers()["_src_path"] == str(scene.template)


@pytest.mark.parametrize(
    ("source", "relative"),
    [
        ("template", True),
        ("../template", True),
        ("build/template.git", True),
        ("/srv/template", False),
        ("~/template", False),
        ("gh:ragseam/ragseam", False),
        ("https://example.org/template.git", False),
        ("git+https://example.org/template", False),
        ("git@example.org:template.git", False),
        ("file:///srv/template", False),
    ],
)
def test_a_relative_path_is_told_from_an_address(source, relative):
    assert is_relative_path(source) is relative
