"""The matrix is computed from the questions alone, and every two choices meet in it."""

from itertools import combinations

import pytest
from choices import is_possible, read_choices
from ragseam.questions import read_questions
from ragseam.template import Rendering, load_questions
from ragseam.variants import Variant, list_variants

COLOURS = {
    "language": {"type": "str", "choices": {"One": "one", "Two": "two"}, "default": "one"},
    "colour": {
        "type": "str",
        "choices": {
            "Red": "red",
            "Blue": {"value": "blue", "validator": "{% if language != 'one' %}no{% endif %}"},
        },
        "default": "red",
    },
    "shape": {"type": "str", "choices": ["round", "square"], "default": "round"},
}


@pytest.fixture(scope="module")
def variants(template_folder) -> list[Variant]:
    return list_variants(load_questions(str(template_folder), Rendering()))


def default(name: str, answers: dict) -> object:
    if name == "embedding" and answers.get("language") == "typescript":
        return "hash"
    return read_choices()[name][0]


def test_every_possible_pair_of_choices_meets(variants):
    choices = read_choices()
    rows = [
        {name: variant.answers.get(name, default(name, variant.answers)) for name in choices}
        for variant in variants
    ]
    for one, other in combinations(choices, 2):
        met = [(row[one], row[other]) for row in rows]
        for first in choices[one]:
            for second in choices[other]:
                if is_possible({one: first, other: second}):
                    assert (first, second) in met, f"{one}={first} never meets {other}={second}"


def test_every_variant_is_one_that_the_template_takes(variants):
    for variant in variants:
        choices = read_choices()
        row = {name: variant.answers.get(name, default(name, variant.answers)) for name in choices}
        assert is_possible(row), variant


def test_names_and_answers_are_there_once_and_in_the_same_order(variants, template_folder):
    assert len({variant.name for variant in variants}) == len(variants)
    answers = [variant.answers for variant in variants]
    assert all(answers.count(each) == 1 for each in answers)
    assert list_variants(load_questions(str(template_folder), Rendering())) == variants


def names(declared: dict) -> dict[str, dict]:
    return {v.name: v.answers for v in list_variants(read_questions(declared))}


def test_single_choices_come_first_and_pairs_after_them():
    assert names(COLOURS) == {
        "default": {},
        "colour-blue": {"colour": "blue"},
        "shape-square": {"shape": "square"},
        "two": {"language": "two"},
        "two-shape-square": {"language": "two", "shape": "square"},
        "pairs-01": {"colour": "blue", "shape": "square"},
    }


def test_a_new_option_is_in_the_matrix_without_anyone_adding_it():
    size = {"type": "str", "choices": ["small", "large"], "default": "small"}
    found = names({**COLOURS, "size": size})
    assert found["size-large"] == {"size": "large"}
    for other in ({"language": "two"}, {"colour": "blue"}, {"shape": "square"}):
        assert any({**answers, **other, "size": "large"} == answers for answers in found.values())
