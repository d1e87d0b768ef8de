"""Any answer is either refused with advice, or rendered exactly."""

import re
from pathlib import Path

import pytest
from carried import assert_exact, carried
from hypothesis import example, given, settings
from jinja2.sandbox import SandboxedEnvironment
from rendering import Answered, Complain, load_answers, render_into
from texts import ANY_NAME, ANY_TEXT, HOSTILE, LINES, WORDS, fits_a_line, fits_a_project

NO_FREE_TEXT = ["/evals", "/tests", "/docs"]
"""Folders that hold nothing of a description: left out of whole renders, to have more of them."""


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_a_description_is_refused_or_rendered_exactly(
    engine: SandboxedEnvironment, complain: Complain, answered: Answered, text: str
):
    complaint = complain("description", text)
    if not fits_a_line(text):
        assert complaint.startswith("Type ")
    else:
        assert complaint == ""
        context = answered(description=text)
        assert_exact(carried(engine, context), context["_copier_answers"])


@pytest.mark.parametrize("name", HOSTILE, ids=ascii)
def test_a_hostile_project_name_is_refused_with_advice(complain: Complain, name: str):
    if fits_a_project(name):
        assert complain("project_name", name) == ""
    else:
        assert re.match("Type |The name .* is taken", complain("project_name", name))


@settings(max_examples=700, deadline=None)
@given(text=ANY_TEXT)
@example("a" * 200).via("longest")
def test_descriptions_at_random(
    engine: SandboxedEnvironment, complain: Complain, answered: Answered, text: str
):
    complaint = complain("description", text)
    assert (complaint == "") == fits_a_line(text)
    if not complaint:
        context = answered(description=text)
        assert_exact(carried(engine, context), context["_copier_answers"])


@settings(max_examples=500, deadline=None)
@given(name=ANY_NAME)
@example("a " * 24 + "aa").via("longest")
def test_project_names_at_random(
    engine: SandboxedEnvironment, complain: Complain, answered: Answered, name: str
):
    complaint = complain("project_name", name)
    assert (complaint == "") == fits_a_project(name)
    if not complaint:
        context = answered(project_name=name)
        for derived in ("package_name", "slug"):
            assert complain(derived, context[derived]) == ""
        assert_exact(carried(engine, context), context["_copier_answers"])


@pytest.mark.slow
@settings(max_examples=24, deadline=None)
@given(name=WORDS.filter(fits_a_project), text=LINES)
@example(name="Acme Search", text=HOSTILE[5]).via("expressions of a workflow")
def test_copier_whole_renders_what_fits(
    template_folder: Path, tmp_path_factory: pytest.TempPathFactory, name: str, text: str
):
    destination = tmp_path_factory.mktemp("whole") / "service"
    answers = {"project_name": name, "description": text}
    render_into(template_folder, destination, answers, exclude=NO_FREE_TEXT)
    paths = ("pyproject.toml", "README.md", "LICENSE", ".copier-answers.yml")
    files = {path: (destination / path).read_text(encoding="utf-8") for path in paths}
    assert_exact(files, load_answers(destination))


@pytest.mark.slow
@settings(max_examples=24, deadline=None)
@given(
    name=ANY_NAME.filter(lambda name: not fits_a_project(name)),
    text=ANY_TEXT.filter(lambda text: not fits_a_line(text)),
)
def test_copier_whole_refuses_what_does_not(
    template_folder: Path, tmp_path_factory: pytest.TempPathFactory, name: str, text: str
):
    destination = tmp_path_factory.mktemp("refused") / "service"
    for answer in ({"project_name": name}, {"description": text}):
        with pytest.raises(ValueError, match="Validation error for question .*(Type|is taken)"):
            render_into(template_folder, destination, answer)
        assert not destination.exists()
