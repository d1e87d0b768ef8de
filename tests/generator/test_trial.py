"""What is tried on a fresh render beyond its own checks, and that it finds what was planted."""

from pathlib import Path

import pytest
from ragseam.errors import TemplateError
from ragseam.trial import expected_files, find_faults, plant, stand_ins

FILES = {
    ".copier-answers.yml": "ci: github\n",
    "a.toml": "x = 1\n",
    "b.py": "x = 1\n",
    "evals/corpus/braces.md": "{{ shown }}\n",
    "src/svc/rag/generate/answer.py": "\n",
}
SNAPSHOT = "\n".join([*FILES, ".gitlab-ci.yml  ci=gitlab"]) + "\n"


@pytest.fixture
def service(tmp_path: Path) -> Path:
    folder = tmp_path / "service"
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (tmp_path / "files.txt").write_text(SNAPSHOT)
    return folder


def test_a_sound_render_has_no_faults(service: Path):
    assert find_faults(service, service.with_name("files.txt")) == []


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        ("a.toml", "x = \n", "does not parse"),
        ("b.py", "x = (\n", "does not parse"),
        ("c.json", "{\n", "does not parse"),
        ("d.yml", "a: [\n", "does not parse"),
        ("e.jsonl", "{}\n{\n", "does not parse"),
        ("f.md", "{{ project_name }}\n", "Jinja is left over"),
        ("g.md", "{% if x %}\n", "Jinja is left over"),
        ("h.md.jinja", "text\n", "is a template still"),
    ],
)
def test_a_fault_in_a_file_is_told_with_its_path(service: Path, name: str, text: str, fault: str):
    (service / name).write_text(text)
    (found,) = find_faults(service)
    assert found.startswith(f"{name}: {fault}")


def test_a_file_too_many_and_a_file_too_few_are_told(service: Path):
    (service / "a.toml").rename(service / "z.toml")
    told = find_faults(service, service.with_name("files.txt"))
    assert told == ["z.toml: is not in files.txt", "a.toml: is missing"]


def test_a_path_may_depend_on_answers():
    assert expected_files("a\nb  ci=github\nc  ci=none x=1\n", {"ci": "none", "x": 1}) == {"a", "c"}


def test_a_fault_is_planted_in_generation(service: Path):
    planted = plant(service)
    assert planted == service / "src/svc/rag/generate/planted.py"
    assert "retrieve" in planted.read_text()


def test_without_generation_there_is_nothing_to_plant_in(tmp_path: Path):
    with pytest.raises(TemplateError, match="no rag/generate/"):
        plant(tmp_path)


@pytest.mark.parametrize(
    ("embedding", "rerank", "settings"),
    [
        ("wordllama", "maxsim", {}),
        ("hash", "lexical", {}),
        ("openai", "lexical", {"RAG_EMBEDDING": "hash"}),
        ("fastembed", "maxsim", {"RAG_EMBEDDING": "hash", "RAG_RERANK": "none"}),
        ("wordllama", "http", {"RAG_RERANK": "none"}),
    ],
)
def test_what_needs_an_endpoint_is_evaluated_by_its_stand_in(
    tmp_path: Path, embedding: str, rerank: str, settings: dict[str, str]
):
    answers = f"embedding: {embedding}\nrerank: {rerank}\n"
    (tmp_path / ".copier-answers.yml").write_text(answers)
    assert stand_ins(tmp_path) == settings
