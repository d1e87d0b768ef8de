"""Any answer is either refused with advice, or rendered exactly."""

import ast
import re
import tomllib
import unicodedata
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st
from jinja2.sandbox import SandboxedEnvironment
from markdown_it import MarkdownIt
from rendering import Answered, Complain, load_answers, render_into
from reserved_words import as_package, reserved_words

HOSTILE = [
    "\"quotes\" and 'quotes'",
    '"""',
    "back\\slash \\n \\u0041 \\",
    "emoji 👩‍👩‍👧‍👦 🇩🇪 𝕏",
    "{{ project_name }} {% raw %} {# x #}",
    "${{ github.token }} $(id) `id` ${HOME}",
    "# heading",
    "key: value # comment",
    "- item",
    "-- --trust",
    "> quote | pipe & <b>bold</b> ![x](y) [^1] ~~z~~ _a_ **b**",
    "1. one",
    "&lt;b&gt; &#35; &copy; AT&T",
    "<https://example.org> <b>",
    "--- ",
    "===",
    "../x",
    "class",
    "json",
    "NUL",
    "",
    " ",
    "two\nlines",
    "trailing\n",
    "carriage\rreturn",
    "nul\x00byte",
    "escape\x1b[31m",
    "delete\x7f",
    "next\x85line",
    "separator\u2028line",
    "bidi\u202eoverride",
    "mark\u200f",
    "lone\ud800surrogate",
    "\ufeffmark",
    "\ufffe",
    "x" * 200,
    "x" * 201,
    "x" * 500,
    "yes",
    "null",
    "1e3",
    "0x10",
    "!!python/object:os.system",
    "*anchor",
    "%directive",
    "@at",
    "𝒶" * 200,
]

PLAIN = {"text", "text_special"}
REFUSED_CATEGORIES = {"Cc", "Cs", "Zl", "Zp"}
DIRECTION = set("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")

ODD = st.sampled_from(
    "\"'\\{}%#$:\n\r\t-<>&|`*_[]()!~.,@=+ 🙂é\u0301中\u202e\u2028\x00\x85\ud800\ufffe"
)
ANY_TEXT = st.text(st.one_of(ODD, st.characters()), max_size=260)
WORDS = st.from_regex(r"\A[A-Za-z][A-Za-z0-9]{0,7}([ ._-][A-Za-z0-9]{1,6}){0,7}\Z")
ANY_NAME = st.one_of(WORDS, st.sampled_from(sorted(reserved_words())), ANY_TEXT)


def fits_a_line(text: str) -> bool:
    """What a description may be, said without the template's own pattern."""
    plain = not any(
        unicodedata.category(character) in REFUSED_CATEGORIES
        or character in DIRECTION
        or character in "\ufeff\ufffe\uffff"
        for character in text
    )
    return plain and 0 < len(text) <= 200 and text == text.strip()


def fits_a_project(name: str) -> bool:
    shape = re.fullmatch(r"[A-Za-z][A-Za-z0-9]*(?:[ ._-][A-Za-z0-9]+)*", name, re.ASCII)
    return bool(shape) and len(name) <= 50 and as_package(name) not in reserved_words()


LINES = st.one_of(st.sampled_from(HOSTILE), ANY_TEXT).filter(fits_a_line)


def read_markdown(text: str) -> list[str]:
    """The headings and paragraphs of a page, as their reader sees them."""
    return [
        "".join(child.content for child in token.children or () if child.type in PLAIN)
        for token in MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text)
        if token.type == "inline"
    ]


def assert_exact(files: dict[str, str], answers: dict[str, Any]) -> None:
    """Every file that carries an answer holds it to the letter."""
    project = tomllib.loads(files["pyproject.toml"])["project"]
    assert project["description"] == answers["description"]
    assert project["name"] == answers["slug"]
    assert project["scripts"] == {answers["slug"]: f"{answers['package_name']}.cli:main"}
    recorded = yaml.safe_load(files[".copier-answers.yml"])
    assert {name: recorded[name] for name in answers} == answers
    heading, paragraph = read_markdown(files["README.md"])[:2]
    assert (heading, paragraph) == (answers["project_name"], answers["description"])
    assert f"(c) The {answers['project_name']} authors" in files["LICENSE"]
    for name, text in files.items():
        if name.endswith(".py"):
            ast.parse(text)
        elif name.endswith((".yml", ".yaml")):
            yaml.safe_load(text)


def answer_files(engine: SandboxedEnvironment, context: dict[str, Any]) -> dict[str, str]:
    """Every file of the template that carries an answer, rendered in memory."""
    names = [
        name
        for name in engine.list_templates(filter_func=lambda name: name.endswith(".jinja"))
        if name.startswith("templates/") and "/_macros/" not in name
    ]
    assert len(names) >= 5
    rendered = {name: engine.get_template(name).render(context) for name in names}
    outside_layers = {
        engine.from_string(name.removeprefix("templates/")).render(context): text
        for name, text in rendered.items()
    }
    return {
        name.removeprefix("./").removesuffix(".jinja"): text
        for name, text in outside_layers.items()
    }


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
        assert_exact(answer_files(engine, context), context["_copier_answers"])


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
        assert_exact(answer_files(engine, context), context["_copier_answers"])


@settings(max_examples=700, deadline=None)
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
        assert_exact(answer_files(engine, context), context["_copier_answers"])


@pytest.mark.slow
@settings(max_examples=24, deadline=None)
@given(name=WORDS.filter(fits_a_project), text=LINES)
@example(name="Acme Search", text=HOSTILE[5]).via("expressions of a workflow")
def test_copier_whole_renders_what_fits(
    template_folder: Path, tmp_path_factory: pytest.TempPathFactory, name: str, text: str
):
    destination = tmp_path_factory.mktemp("whole") / "service"
    render_into(template_folder, destination, {"project_name": name, "description": text})
    carried = ("pyproject.toml", "README.md", "LICENSE", ".copier-answers.yml")
    files = {file: (destination / file).read_text(encoding="utf-8") for file in carried}
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
