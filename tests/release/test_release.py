"""One command makes a release, and refuses to make one that a service can't take."""

import datetime
import shutil
import sys
import tomllib
from pathlib import Path

import pytest
from ragseam.errors import ReleaseError
from ragseam.release import dated, release, released_versions
from rendering import ROOT, commit, run
from uv import find_uv_bin

TODAY = datetime.date(2026, 1, 31)
CHANGELOG = "# Changelog\n\n## Unreleased\n\n- More.\n\n## 0.1.0 (2026-01-01)\n\n- All.\n"
PROJECT = '[project]\nname = "ragseam"\nversion = "0.1.0"\nrequires-python = ">=3.11"\n'


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small checkout with a release behind it, and with something to release."""
    checkout = tmp_path_factory.mktemp("release") / "checkout"
    (checkout / "templates").mkdir(parents=True)
    (checkout / "templates" / "a.txt").write_text("a\n")
    (checkout / "copier.yml").write_text(
        "_subdirectory: templates\nname: {type: str, default: A}\n"
    )
    (checkout / "pyproject.toml").write_text(PROJECT)
    (checkout / "CHANGELOG.md").write_text(CHANGELOG)
    run(f"{find_uv_bin()} lock --quiet", checkout)
    commit(checkout)
    run("git tag 0.1.0", checkout)
    return checkout


@pytest.fixture
def checkout(released: Path, tmp_path: Path) -> Path:
    return shutil.copytree(released, tmp_path / "checkout")


def make(checkout: Path, version: str, check=lambda checkout: None) -> list[str]:
    said: list[str] = []
    release(checkout, version, today=TODAY, check=check, say=said.append)
    return said


def state(checkout: Path) -> tuple[str, str, str]:
    commands = ("git status --porcelain", "git rev-parse HEAD", "git tag")
    return tuple(run(command, checkout) for command in commands)


def test_a_release_is_one_commit_and_one_tag_of_one_version(checkout: Path):
    said = make(checkout, "0.2.0")
    assert list(map(str, released_versions(checkout))) == ["0.1.0", "0.2.0"]
    assert run("git describe --exact-match", checkout).strip() == "0.2.0"
    assert run("git log -1 --format=%s", checkout).strip() == "Release 0.2.0"
    assert 'version = "0.2.0"' in (checkout / "pyproject.toml").read_text()
    assert 'version = "0.2.0"' in (checkout / "uv.lock").read_text()
    assert run("git status --porcelain", checkout) == ""
    assert said[0] == "Compare the questionnaire with 0.1.0."
    assert said[-1] == "Tagged 0.2.0. Next: git push --follow-tags"


def test_entries_move_below_the_version_and_its_date():
    text = dated(CHANGELOG, "0.2.0", TODAY)
    assert "## Unreleased\n\n## 0.2.0 (2026-01-31)\n\n- More.\n\n## 0.1.0" in text


@pytest.mark.parametrize(
    ("version", "complaint"),
    [
        ("0.1.0", "0.1.0 is released already"),
        ("0.0.9", "0.1.0 is released already"),
        ("v0.2.0", "not in normal form"),
        ("next", "is no version"),
    ],
)
def test_a_version_that_is_not_the_next_one_is_refused(
    checkout: Path, version: str, complaint: str
):
    with pytest.raises(ReleaseError, match=complaint):
        make(checkout, version)


def test_a_dirty_tree_is_refused(checkout: Path):
    (checkout / "templates" / "a.txt").write_text("b\n")
    with pytest.raises(ReleaseError, match="not committed"):
        make(checkout, "0.2.0")


def test_nothing_to_tell_is_nothing_to_release(checkout: Path):
    (checkout / "CHANGELOG.md").write_text("# Changelog\n\n## Unreleased\n\n## 0.1.0\n\n- All.\n")
    run("git commit --quiet --all --message empty", checkout)
    before = state(checkout)
    with pytest.raises(ReleaseError, match="nothing under"):
        make(checkout, "0.2.0")
    assert state(checkout) == before


def test_what_would_hurt_a_service_is_refused(checkout: Path):
    (checkout / "templates" / "a.txt").unlink()
    run("git commit --quiet --all --message drop", checkout)
    before = state(checkout)
    with pytest.raises(ReleaseError, match=r"(?s)rendered from 0.1.0 would lose.*path-removed"):
        make(checkout, "0.2.0")
    assert state(checkout) == before


def test_failing_history_tests_leave_the_tree_as_it_was(checkout: Path):
    def fail(checkout: Path) -> None:
        raise ReleaseError("the history tests fail")

    before = state(checkout)
    with pytest.raises(ReleaseError, match="history"):
        make(checkout, "0.2.0", fail)
    assert state(checkout) == before


def test_a_commit_that_is_refused_leaves_the_tree_as_it_was(checkout: Path):
    hook = checkout / ".git" / "hooks" / "pre-commit"
    hook.write_text("#!/bin/sh\necho no >&2\nexit 1\n")
    hook.chmod(0o755)
    before = state(checkout)
    with pytest.raises(ReleaseError, match="no"):
        make(checkout, "0.2.0")
    assert state(checkout) == before


def test_version_tag_and_command_are_one():
    tags = run("git tag --points-at HEAD", ROOT).split()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    version = project["version"]
    assert run(f"{sys.executable} -m ragseam --version", ROOT).strip() == version
    assert not tags or version in tags
