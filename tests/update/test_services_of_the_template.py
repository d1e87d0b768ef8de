"""The template itself: an untouched service, and one that a team has worked on."""

import shutil
from pathlib import Path

import pytest
from rendering import commit, run, source_files
from scene import ragseam

NEXT = "1000.0.0"


@pytest.fixture(scope="module")
def template(copier_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The template at 99.99.99, and again with changes at 1000.0.0."""
    template = shutil.copytree(copier_template, tmp_path_factory.mktemp("own") / "template")
    python = template / "templates/{{python_layer}}/src/{{package_name}}/rag"
    config = next(python.glob("errors.py*"))
    config.write_text('"""Changed."""\n\n' + config.read_text())
    shared = template / "templates/{{shared_layer}}"
    (shared / "docs/new.md").write_text("# New\n")
    for path in shared.glob("evals/corpus/*.md"):
        path.write_text(path.read_text() + "\nChanged.\n")
    run("git add --all", template)
    run("git commit --quiet --message next", template)
    run(f"git tag {NEXT}", template)
    return template


@pytest.fixture
def service(template: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "service"
    render_into_tag(template, folder, "99.99.99")
    commit(folder)
    return folder


def render_into_tag(template: Path, folder: Path, tag: str) -> None:
    done = ragseam(
        *("new", folder, "--template", template, "--vcs-ref", tag, "--defaults", "--quiet")
    )
    assert done.returncode in (0, None), done.stderr


pytestmark = pytest.mark.xdist_group("template-update")


def contents(folder: Path) -> dict[str, bytes]:
    """Files less the corpus, which an update leaves alone."""
    return {
        name: path.read_bytes()
        for name, path in source_files(folder).items()
        if not name.startswith("evals/corpus/")
    }


def test_an_untouched_service_equals_a_fresh_one(template, service, tmp_path):
    done = ragseam("update", service, "--yes")
    assert done.returncode == 0, done.stdout + done.stderr
    fresh = tmp_path / "fresh" / "service"
    render_into_tag(template, fresh, NEXT)
    assert contents(service) == contents(fresh)


def test_work_of_a_team_stays(service):
    edited = service / "src/acme_search/rag/errors.py"
    edited.write_text(edited.read_text() + "\n\nclass OurError(Exception):\n    pass\n")
    (service / "README.md").write_text("# Ours\n")
    shutil.rmtree(service / "evals/corpus")
    (service / "evals/corpus").mkdir()
    (service / "evals/corpus/ours.md").write_text("# Ours\n")
    (service / ".env").write_text("RAG_X=1\n")
    run("git add --all", service)
    run("git commit --quiet --message ours", service)
    done = ragseam("update", service, "--yes")
    assert done.returncode == 0, done.stdout + done.stderr
    text = edited.read_text()
    assert text.startswith('"""Changed."""\n')
    assert "class OurError" in text
    assert (service / "README.md").read_text() == "# Ours\n"
    assert [path.name for path in (service / "evals/corpus").iterdir()] == ["ours.md"]
    assert (service / ".env").read_text() == "RAG_X=1\n"
