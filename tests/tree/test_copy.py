"""Plain Copier is enough: from a folder or a git address, without --trust."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from rendering import load_answers, run, source_files

COPIER = f"{sys.executable} -m copier"
DATA = "--data project_name=Other_Search --data embedding=hash --data chunk_chars=500"


def tree(service: Path) -> dict[str, bytes]:
    """Bytes by path, less the line that names the source."""
    return {
        name: b"\n".join(
            line for line in path.read_bytes().split(b"\n") if not line.startswith(b"_src_path")
        )
        for name, path in source_files(service).items()
    }


def test_a_folder_and_a_git_address_render_alike(copier_template: Path, tmp_path: Path):
    for name, source in {"path": str(copier_template), "url": copier_template.as_uri()}.items():
        address = f"git+{source}" if name == "url" else source
        run(f"{COPIER} copy --defaults --quiet {address} {tmp_path / name}", tmp_path)
    assert tree(tmp_path / "path") == tree(tmp_path / "url")


@pytest.fixture(scope="module")
def given(copier_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A render of answers that were typed on the command line."""
    destination = tmp_path_factory.mktemp("given") / "service"
    command = f"{COPIER} copy --defaults --quiet {DATA} {copier_template} {destination}"
    run(command, destination.parent)
    return destination


def test_answers_given_on_the_command_line_are_rendered_and_recorded(given: Path):
    answers = load_answers(given)
    assert answers["project_name"] == "Other_Search"
    assert answers["package_name"] == "other_search"
    assert answers["slug"] == "other-search"
    assert answers["embedding"] == "hash"
    settings = (given / "src/other_search/rag/config.py").read_text(encoding="utf-8")
    assert "= 500\n" in settings


def test_the_answers_file_names_template_and_version(copier_template: Path, given: Path):
    recorded = yaml.safe_load((given / ".copier-answers.yml").read_text(encoding="utf-8"))
    assert recorded["_commit"] == "99.99.99"
    assert recorded["_src_path"] == str(copier_template)


def test_an_advanced_answer_is_recorded_without_the_advanced_questions(given: Path):
    """Unrecorded, it would go back to the default at the next update."""
    answers = load_answers(given)
    assert answers["advanced"] is False
    assert answers["chunk_chars"] == 500
    assert answers["chunk_overlap_chars"] == 62


@pytest.mark.parametrize(
    ("answer", "advice"),
    [
        ("project_name=json", "The name json is taken"),
        ("project_name=../x", "Type ASCII letters and digits"),
        ("description=", "Type some text"),
        ("chunk_chars=50", "Type a whole number from 100 to 20000."),
        ("chunk_overlap_chars=1200", "less than the chunk of 1200"),
        ("embedding=word2vec", "Invalid choice for 'embedding'"),
        ("rerank=maxsim --data embedding=hash", "MaxSim needs wordllama or fastembed"),
        ("package_name=class", "The name class is taken"),
        ("embedding=wordllama --data language=typescript", "WordLlama is for Python"),
        ("rerank=cross-encoder --data language=typescript", "The cross-encoder is for Python"),
        ("features=[documents] --data language=typescript", "The features are for Python"),
    ],
)
def test_a_refused_answer_writes_nothing_and_says_what_to_type(
    copier_template: Path, tmp_path: Path, answer: str, advice: str
):
    destination = tmp_path / "service"
    command = [*COPIER.split(), "copy", "--defaults", "--data", *answer.split()]
    done = subprocess.run(
        [*command, copier_template, destination], capture_output=True, text=True, env=os.environ
    )
    assert done.returncode != 0
    assert advice in done.stderr.splitlines()[-1]
    assert not destination.exists()
