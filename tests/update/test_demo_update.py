"""The demo stops when there is no history, and when an update has lost something."""

import pytest
from ragseam import demo_update
from ragseam.errors import RagseamError
from rendering import run
from scene import commit, write


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A folder to run the demo in: a repository of one commit."""
    write(tmp_path, {"copier.yml": "x: 1\n"})
    run("git init --quiet", tmp_path)
    commit(tmp_path)
    monkeypatch.chdir(tmp_path)
    (tmp_path / demo_update.FOLDER).mkdir(parents=True)
    return tmp_path


def test_without_a_history_there_is_no_older_version(checkout):
    with pytest.raises(RagseamError, match="no history"):
        demo_update.tag_history()


def test_the_older_version_is_as_far_back_as_the_history_goes(checkout):
    for _ in range(6):
        commit(checkout)
    assert demo_update.tag_history() == 5
    tags = run("git tag", checkout / demo_update.TEMPLATE).split()
    assert tags == [demo_update.OLD, demo_update.NEW]


def made_service(folder):
    write(
        folder,
        {
            demo_update.ERRORS: "class RagError(Exception): ...\n",
            "README.md": "# Acme Search\n\nIt answers.\n",
            demo_update.REMOVED: "x\n",
            **dict.fromkeys(demo_update.EDITS, ""),
            ".gitignore": ".env\n",
        },
    )
    demo_update.work_on(folder)
    return folder


def test_work_that_is_there_is_shown(tmp_path, capsys):
    demo_update.require_work(made_service(tmp_path))
    shown = capsys.readouterr().out
    for name in (*demo_update.EDITS, *demo_update.IGNORED, demo_update.ERRORS):
        assert f"✓ {name}" in shown


@pytest.mark.parametrize(
    "lost", [demo_update.ERRORS, "README.md", *demo_update.EDITS, *demo_update.IGNORED]
)
def test_work_that_is_lost_stops_the_demo(tmp_path, lost):
    service = made_service(tmp_path)
    (service / lost).write_text("the template's\n")
    with pytest.raises(RagseamError, match=f"{lost} has lost"):
        demo_update.require_work(service)


def test_what_was_removed_and_is_back_stops_the_demo(tmp_path):
    service = made_service(tmp_path)
    (service / demo_update.REMOVED).write_text("back\n")
    with pytest.raises(RagseamError, match="is back"):
        demo_update.require_work(service)
