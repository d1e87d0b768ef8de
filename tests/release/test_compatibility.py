"""A template that would take something from an older service is not released."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from ragseam.compatibility import find_breaks
from rendering import copy_template

QUESTIONS = """\
_subdirectory: template
_envops: {undefined: jinja2.StrictUndefined}
_exclude: ["*.pyc", "{% if _copier_operation == 'update' %}/retired{% endif %}"]
name: {type: str, default: Acme, validator: "{% if name | length > 50 %}too long{% endif %}"}
color:
  type: str
  choices: {Red: red, Blue: blue}
  default: red
  ask: false
count: {type: int, default: 5, validator: "{% if not 1 <= count <= 1000 %}no{% endif %}"}
weight: {type: float, default: "{{ {'red': 0.3, 'blue': 0.5}[color] }}", when: false}
"""


@pytest.fixture
def released(tmp_path: Path) -> Path:
    template = tmp_path / "released"
    for path in ("kept.txt", "retired/old.txt", "{{name}}.txt"):
        file = template / "template" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("text\n")
    (template / "copier.yml").write_text(QUESTIONS)
    return template


def edit(old: str, new: str) -> Callable[[Path], None]:
    def change(template: Path) -> None:
        text = (template / "copier.yml").read_text()
        assert old in text
        (template / "copier.yml").write_text(text.replace(old, new))

    return change


def exclude(pattern: str) -> Callable[[Path], None]:
    """Ask a new question, `shade`, and exclude a pattern."""

    def change(template: Path) -> None:
        edit("count:", "shade: {type: str, default: dark}\ncount:")(template)
        edit('"*.pyc"', f'"*.pyc", "{pattern}"')(template)

    return change


def drop(path: str) -> Callable[[Path], None]:
    return lambda template: (template / "template" / path).unlink()


CHANGES = {
    "a question is renamed": (edit("count", "number"), "question-removed", "count"),
    "a choice is removed": (edit(", Blue: blue", ""), "choice-removed", "blue"),
    "a choice is renamed": (edit("Blue: blue", "Blue: azure"), "choice-removed", "blue"),
    "a type is changed": (edit("type: int", "type: float"), "type-changed", "count"),
    "a bound is raised": (edit("1 <= count", "2 <= count"), "validator-tightened", "count"),
    "a length is cut": (edit("length > 50", "length > 20"), "validator-tightened", "name"),
    "a computed value moves": (edit("'blue': 0.5", "'blue': 0.4"), "default-changed", "weight"),
    "a file is dropped": (drop("kept.txt"), "path-removed", "kept.txt"),
    "an exclusion asks for a new answer": (
        exclude("{% if shade == 'dark' %}/dark{% endif %}"),
        "exclusion-undefined",
        "shade",
    ),
    "a named file is dropped": (drop("{{name}}.txt"), "path-removed", "{{name}}.txt"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_what_would_hurt_is_named_with_a_way_round(released: Path, what: str):
    change, rule, where = CHANGES[what]
    following = shutil.copytree(released, released.with_name("following"))
    change(following)
    (found,) = find_breaks(released, following)
    assert found.rule == rule
    assert where in found.what
    assert found.way_round.endswith(".")


HARMLESS = {
    "nothing": lambda template: None,
    "a bound is lowered": edit("1 <= count", "0 <= count"),
    "a recorded default moves": edit("default: red", "default: blue"),
    "a choice is added": edit("Blue: blue", "Blue: blue, Green: green"),
    "an excluded path is dropped": drop("retired/old.txt"),
    "a question is added": edit("count:", "shade: {type: str, default: dark}\ncount:"),
}


@pytest.mark.parametrize("what", HARMLESS)
def test_what_hurts_nobody_passes(released: Path, what: str):
    following = shutil.copytree(released, released.with_name("following"))
    HARMLESS[what](following)
    assert find_breaks(released, following) == []


def test_an_exclusion_may_ask_for_a_new_answer_with_a_default(released: Path):
    following = shutil.copytree(released, released.with_name("following"))
    exclude("{% if shade | default('') == 'dark' %}/dark{% endif %}")(following)
    assert find_breaks(released, following) == []


def test_a_choice_without_a_computed_value_is_found(released: Path):
    following = shutil.copytree(released, released.with_name("following"))
    edit("'blue': 0.5", "'green': 0.5")(following)
    assert [found.rule for found in find_breaks(released, following)] == ["default-changed"]


def test_this_template_hurts_nobody_who_has_it(tmp_path: Path):
    template = copy_template(tmp_path)
    assert find_breaks(template, template) == []
