"""An update brings what is new in the template, and leaves alone what is the service's."""

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from copier import run_update
from rendering import commit, load_answers, render_into, run

EDITED, KEPT, DELETED = (f"evals/corpus/{name}.md" for name in ("overview", "battery", "feeding"))
GOLDEN = "evals/golden/queries.jsonl"


@dataclass(frozen=True)
class Updated:
    """A service that has been updated, and what stood in it before."""

    path: Path
    answers: dict[str, Any]
    golden: str

    def read(self, name: str) -> str:
        return (self.path / name).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def template(copier_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository of the template at 99.99.99, to be released again; without most tests."""
    template = shutil.copytree(copier_template, tmp_path_factory.mktemp("update") / "template")
    run("git tag --delete 99.99.99", template)
    shutil.rmtree(template / "templates/{{python_layer}}/tests")
    run("git commit --quiet --all --message smaller", template)
    run("git tag 99.99.99", template)
    return template


def render_service(template: Path, destination: Path) -> Path:
    service = render_into(template, destination, {"chunk_chars": 500})
    commit(service)
    return service


def release(template: Path, tag: str) -> None:
    """Change a shared file, every corpus file, and the list of golden queries."""
    shared = template / "templates/{{shared_layer}}"
    for path in (*shared.glob("evals/corpus/*.md"), shared / GOLDEN):
        path.write_text(path.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    ignored = template / "templates/{{python_layer}}/.gitignore"
    ignored.write_text(ignored.read_text(encoding="utf-8") + "/new-in-template/\n")
    run("git commit --quiet --all --message next", template)
    run(f"git tag {tag}", template)


def update(service: Path, **answers: object) -> None:
    """Update as `copier update --defaults` does, without `--trust`."""
    run_update(service, data=answers, defaults=True, overwrite=True, quiet=True, unsafe=False)


def test_nothing_to_do_leaves_git_clean(template: Path, tmp_path: Path):
    service = render_service(template, tmp_path / "service")
    update(service)
    status = subprocess.check_output(["git", "status", "--porcelain"], cwd=service, text=True)
    assert status == ""


@pytest.fixture(scope="module")
def updated(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Updated:
    """A service with a corpus of its own, renamed and moved to GitLab in an update."""
    service = render_service(template, tmp_path_factory.mktemp("updated") / "service")
    before = Updated(service, load_answers(service), (service / GOLDEN).read_text(encoding="utf-8"))
    (service / EDITED).write_text("our own\n", encoding="utf-8")
    (service / DELETED).unlink()
    run("git commit --quiet --all --message ours", service)
    release(template, "100.0.0")
    update(service, project_name="Renamed Search", ci="gitlab")
    return before


pytestmark = pytest.mark.xdist_group("update")


def test_what_is_new_arrives(updated: Updated):
    assert "/new-in-template/\n" in updated.read(".gitignore")
    assert "_commit: 100.0.0" in updated.read(".copier-answers.yml")


def test_the_corpus_and_the_golden_queries_are_the_services_own(updated: Updated):
    assert updated.read(EDITED) == "our own\n"
    assert not updated.read(KEPT).endswith("\n\n")
    assert not (updated.path / DELETED).exists()
    assert updated.read(GOLDEN) == updated.golden


def test_answers_stay_and_a_new_project_name_renames_no_package(updated: Updated):
    changed = {"project_name": "Renamed Search", "ci": "gitlab"}
    assert load_answers(updated.path) == {**updated.answers, **changed}
    assert (updated.path / "src/acme_search/rag/config.py").exists()
    assert updated.read("README.md").startswith("# Renamed Search\n")


def test_a_choice_changed_in_an_update_swaps_its_files(updated: Updated):
    assert (updated.path / ".gitlab-ci.yml").exists()
    assert not (updated.path / ".github").exists()
