"""Renders that hold every choice between them install, and pass the checks that they bring."""

from pathlib import Path
from typing import Any

import pytest
from choices import COVER, read_choices
from pairwise import each_choice
from rendering import commit, install, render_into, run
from uv import find_uv_bin

SAMPLE = each_choice(COVER, read_choices())


def named(answers: dict[str, Any]) -> Any:
    """One variant, in one worker."""
    name = "-".join(str(answer) for question, answer in answers.items() if question != "store")
    return pytest.param(answers, id=name, marks=pytest.mark.xdist_group(name))


def test_the_sample_is_of_six_or_more():
    assert len(SAMPLE) >= 6


@pytest.mark.slow
@pytest.mark.parametrize("answers", map(named, SAMPLE))
def test_a_variant_passes_its_own_checks(
    template_folder: Path, tmp_path: Path, answers: dict[str, Any]
):
    service = render_into(template_folder, tmp_path / "service", answers)
    commit(service)
    install(service)
    run(f"{find_uv_bin()} run --quiet poe check", service)
    run("ruff format --quiet .", service)
    assert run("git status --porcelain --untracked-files=no", service) == ""
