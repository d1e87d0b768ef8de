"""Renders that hold every choice between them install, and pass the checks that they bring."""

from pathlib import Path
from typing import Any

import pytest
from choices import COVER, read_choices
from ragseam.node import install_shared
from ragseam.pairwise import each_choice
from rendering import commit, install, render_into, run
from uv import find_uv_bin

DEFAULT, *OTHERS = each_choice(COVER, read_choices())
NAMES = {"project_name": "Zebra 9 Notes", "env_prefix": "ZEBRA", "description": 'Says "why" \\'}
SIZES = {"chunk_chars": 600, "chunk_overlap_chars": 60, "candidate_k": 30, "rerank_top_n": 5}
SAMPLE = [DEFAULT, *({**NAMES, **answers} for answers in OTHERS[:-1]), {**SIZES, **OTHERS[-1]}]
PYTHON = [answers for answers in SAMPLE if answers["language"] == "python"]
TYPESCRIPT = [
    {"language": "typescript"},
    *({**SIZES, **answers} for answers in SAMPLE if answers["language"] == "typescript"),
]


def named(answers: dict[str, Any]) -> Any:
    """One variant, in one worker."""
    name = "-".join(str(answers.get(question, "default")) for question in DEFAULT)
    return pytest.param(answers, id=name, marks=pytest.mark.xdist_group(name))


def test_the_sample_is_of_six_or_more():
    assert len(SAMPLE) >= 6
    assert len(PYTHON) >= 4
    assert {answers.get("linter", "biome") for answers in TYPESCRIPT} == {"biome", "eslint"}


@pytest.mark.slow
@pytest.mark.parametrize("answers", [named(answers) for answers in PYTHON])
def test_a_variant_passes_its_own_checks(
    template_folder: Path, tmp_path: Path, answers: dict[str, Any]
):
    service = render_into(template_folder, tmp_path / "service", answers)
    commit(service)
    install(service)
    run(f"{find_uv_bin()} run --quiet poe check", service)
    run("ruff format --quiet .", service)
    assert run("git status --porcelain", service) == "?? uv.lock\n"


@pytest.mark.slow
@pytest.mark.parametrize("answers", [named(answers) for answers in TYPESCRIPT])
def test_a_variant_in_typescript_passes_its_own_checks(
    node: None, template_folder: Path, tmp_path: Path, answers: dict[str, Any]
):
    service = render_into(template_folder, tmp_path / "service", answers)
    commit(service)
    install_shared(service)
    run("npm run --silent check", service)
    run("npm run --silent format", service)
    assert run("git status --porcelain", service) == ""
