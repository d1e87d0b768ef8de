"""An update brings what is new in the template, and leaves alone what is the service's."""

import shutil
import subprocess
from pathlib import Path

import pytest
from copier import run_update
from rendering import commit, load_answers, render_into, run

CORPUS, GOLDEN = "evals/corpus/overview.md", "evals/golden/queries.jsonl"
DELETED = "evals/corpus/feeding.md"


@pytest.fixture
def template(copier_template: Path, tmp_path: Path) -> Path:
    """A repository of the template at 99.99.99, to be released again."""
    return shutil.copytree(copier_template, tmp_path / "template")


@pytest.fixture
def untouched(template: Path, tmp_path: Path) -> Path:
    service = render_into(template, tmp_path / "service", {"chunk_chars": 500})
    commit(service)
    return service


def release(template: Path, tag: str) -> None:
    """Change a shared file, every corpus file, and the list of golden queries."""
    shared = template / "templates/{{shared_layer}}"
    for path in (*shared.glob("evals/corpus/*.md"), shared / GOLDEN):
        path.write_text(path.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    ignored = shared / ".gitignore"
    ignored.write_text(ignored.read_text(encoding="utf-8") + "/new-in-template/\n")
    run("git commit --quiet --all --message next", template)
    run(f"git tag {tag}", template)


def update(service: Path, **answers: object) -> None:
    """Update as `copier update --defaults` does, without `--trust`."""
    run_update(service, data=answers, defaults=True, overwrite=True, quiet=True, unsafe=False)


def test_what_is_new_arrives(template: Path, untouched: Path):
    release(template, "100.0.0")
    update(untouched)
    assert "/new-in-template/\n" in (untouched / ".gitignore").read_text(encoding="utf-8")
    assert "_commit: 100.0.0" in (untouched / ".copier-answers.yml").read_text(encoding="utf-8")


def test_the_corpus_and_the_golden_queries_are_the_services_own(template: Path, untouched: Path):
    (untouched / CORPUS).write_text("our own\n", encoding="utf-8")
    (untouched / DELETED).unlink()
    golden = (untouched / GOLDEN).read_bytes()
    run("git commit --quiet --all --message ours", untouched)
    release(template, "100.0.0")
    update(untouched)
    assert (untouched / CORPUS).read_text(encoding="utf-8") == "our own\n"
    assert not (untouched / DELETED).exists()
    assert (untouched / GOLDEN).read_bytes() == golden


def test_answers_stay_and_a_new_project_name_renames_no_package(template: Path, untouched: Path):
    before = load_answers(untouched)
    release(template, "100.0.0")
    update(untouched, project_name="Renamed Search")
    assert load_answers(untouched) == {**before, "project_name": "Renamed Search"}
    assert (untouched / "src/acme_search/rag/config.py").exists()
    assert (untouched / "README.md").read_text(encoding="utf-8").startswith("# Renamed Search\n")


def test_a_choice_changed_in_an_update_swaps_its_files(template: Path, untouched: Path):
    release(template, "100.0.0")
    update(untouched, ci="gitlab")
    assert (untouched / ".gitlab-ci.yml").exists()
    assert not (untouched / ".github").exists()


def test_nothing_to_do_leaves_git_clean(untouched: Path):
    update(untouched)
    status = subprocess.check_output(["git", "status", "--porcelain"], cwd=untouched, text=True)
    assert status == ""
