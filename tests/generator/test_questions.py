import pytest
from hypothesis import given
from hypothesis import strategies as st
from ragseam.errors import AnswerError
from ragseam.questions import check_answers, read_questions
from ragseam.variants import list_single_variants, list_variants, select_variants

DECLARED = {
    "name": {"type": "str", "default": "x", "help": "Name"},
    "size": {"type": "int", "default": 5},
    "share": {"type": "float", "default": 0.5},
    "loud": {"type": "bool", "default": False},
    "colour": {"type": "str", "choices": {"Red, warm": "red", "Blue": "blue"}, "default": "red"},
    "metal": {
        "type": "str",
        "choices": [["Iron", {"value": "iron", "validator": "{{ 'no' if loud }}"}], "tin"],
        "default": "tin",
    },
    "parts": {"type": "str", "multiselect": True, "choices": ["a", "b"], "default": "[]"},
    "derived": {"type": "str", "default": "{{ name }}", "ask": False},
    "hidden": {"type": "str", "default": ".", "when": False},
}
QUESTIONS = read_questions(DECLARED)


@pytest.mark.parametrize(
    ("name", "value", "answer"),
    [
        ("size", "7", 7),
        ("size", 7, 7),
        ("size", "-7", -7),
        ("share", ".25", 0.25),
        ("share", "1e-3", 0.001),
        ("loud", "YES", True),
        ("loud", False, False),
        ("loud", "0", False),
        ("colour", "blue", "blue"),
        ("metal", "iron", "iron"),
        ("parts", "[b, a]", ["b", "a"]),
        ("parts", [], []),
        ("name", "{{ 1 }}", "{{ 1 }}"),
        ("derived", "y", "y"),
    ],
)
def test_text_stands_for_the_type_that_it_spells(name, value, answer):
    assert check_answers(QUESTIONS, {name: value}) == {name: answer}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("size", ""),
        ("size", "7\n"),
        ("size", "٧"),
        ("size", "7.0"),
        ("size", True),
        ("share", "nan"),
        ("share", "inf"),
        ("loud", "maybe"),
        ("loud", "2"),
        ("loud", None),
        ("colour", "Red, warm"),
        ("colour", ""),
        ("metal", "Iron"),
        ("parts", "a"),
        ("parts", "[a, c]"),
        ("parts", "[a"),
        ("name", 5),
        ("name", None),
        ("hidden", "x"),
    ],
)
def test_another_type_is_refused_by_name(name, value):
    with pytest.raises(AnswerError, match=f"^{name}: "):
        check_answers(QUESTIONS, {name: value})


@given(st.dictionaries(st.text(), st.text(), min_size=1))
def test_each_unknown_name_is_told(given_answers):
    unknown = {name: value for name, value in given_answers.items() if name not in DECLARED}
    if not unknown:
        return
    with pytest.raises(AnswerError) as caught:
        check_answers(QUESTIONS, unknown)
    assert len(caught.value.faults) == len(unknown)


def test_variants_are_the_default_and_each_other_choice():
    variants = {variant.name: variant.answers for variant in list_single_variants(QUESTIONS)}
    assert variants == {
        "default": {},
        "colour-blue": {"colour": "blue"},
        "metal-iron": {"metal": "iron"},
        "parts-a": {"parts": ["a"]},
        "parts-b": {"parts": ["b"]},
    }


def test_selected_variants_keep_their_order():
    variants = list_variants(QUESTIONS)
    selected = select_variants(variants, ["parts-a", "default"])
    assert [variant.name for variant in selected] == ["default", "parts-a"]
