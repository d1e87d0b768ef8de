"""The questions of a template, and whether given answers fit them."""

import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

import jinja2
import yaml

from .errors import AnswerError

TRUE = frozenset({"true", "yes", "y", "on", "1"})
ENGINE = jinja2.Environment(undefined=jinja2.StrictUndefined)
FALSE = frozenset({"false", "no", "n", "off", "0"})

_Mapping: TypeAlias = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Question:
    """One question as the template declares it, before anything is rendered.

    `kind` is Copier's type name. `default` may be a Jinja expression over earlier answers.
    `choices` maps labels to values and is empty for a free answer. A question that is not
    `settable` is computed at each render; one that is not `asked` has a default that holds
    unless it is given, and `asked` may be a condition over earlier answers.
    """

    name: str
    kind: str
    default: object
    help: str
    choices: Mapping[str, object]
    multiselect: bool
    settable: bool
    asked: bool | str
    refusals: Mapping[str, str]

    def default_for(self, given: Mapping[str, object]) -> object:
        """The default once `given` is answered, if no other answer matters."""
        return _rendered(self.default, given)

    def is_asked(self, given: Mapping[str, object]) -> bool:
        """Whether it matters once `given` is answered; what only `advanced` opens, does."""
        return "language" not in str(self.asked) or _rendered(self.asked, given) == "True"

    def refuses(self, label: str, given: Mapping[str, object]) -> bool:
        """Whether a choice is refused once `given` is answered."""
        validator = self.refusals.get(label, "")
        return _rendered(validator, given) not in ("", validator)

    def takes(self, value: object, given: Mapping[str, object]) -> bool:
        """Whether this answer fits `given`; an answer to a question not asked is its default."""
        if not self.is_asked(given):
            return value == self.default_for(given)
        chosen = cast("list[object]", value) if self.multiselect else [value]
        labels = [label for label, choice in self.choices.items() if choice in chosen]
        return not any(self.refuses(label, given) for label in labels)


def read_questions(declared: Mapping[str, _Mapping]) -> list[Question]:
    """Questions in the order in which they are asked, from `copier.yml` as Copier loads it."""
    return [_read_question(name, details) for name, details in declared.items()]


def _read_question(name: str, details: _Mapping) -> Question:
    default = details.get("default")
    asked = details.get("ask", True)
    return Question(
        name=name,
        kind=str(details.get("type") or type(default).__name__),
        default=default,
        help=str(details.get("help", "")),
        choices=_read_choices(details.get("choices", ())),
        multiselect=bool(details.get("multiselect", False)),
        settable=details.get("when", True) is not False,
        asked=asked if isinstance(asked, str) else bool(asked),
        refusals=_read_refusals(details.get("choices", ())),
    )


def _read_refusals(declared: object) -> dict[str, str]:
    """Validators of choices, by label."""
    if not isinstance(declared, Mapping):
        return {}
    return {
        label: str(cast("_Mapping", choice).get("validator", ""))
        for label, choice in cast("_Mapping", declared).items()
        if isinstance(choice, Mapping)
    }


def _rendered(expression: object, given: Mapping[str, object]) -> object:
    """An expression over answers that are given; as it is when it asks for others."""
    if not isinstance(expression, str) or "{" not in expression:
        return expression
    try:
        return ENGINE.from_string(expression).render(given).strip()
    except jinja2.TemplateError:
        return expression


def _read_choices(declared: object) -> dict[str, object]:
    """Copier takes a mapping, a list of values, or a list of pairs of label and value.

    A value may be `{value, validator}`; whether it fits the other answers, Copier says.
    """
    if isinstance(declared, Mapping):
        pairs = list(cast("_Mapping", declared).items())
    else:
        pairs = [
            cast("tuple[object, object]", tuple(cast("list[object]", choice)))
            if isinstance(choice, list)
            else (choice, choice)
            for choice in cast("Sequence[object]", declared)
        ]
    return {
        str(label): cast("_Mapping", value)["value"] if isinstance(value, Mapping) else value
        for label, value in pairs
    }


def check_answers(questions: Sequence[Question], given: Mapping[str, object]) -> dict[str, object]:
    """Answers cast to their types, in the order given.

    Text stands for the type that it spells, as on a command line.

    Raises:
        AnswerError: a name is no question, or a value is of another type or no choice; the
            message names each, and `fix` lists what there is.
    """
    by_name = {question.name: question for question in questions if question.settable}
    faults: list[str] = []
    answers: dict[str, object] = {}
    for name, value in given.items():
        if (question := by_name.get(name)) is None:
            faults.append(_unknown(name, by_name))
            continue
        try:
            answers[name] = cast_answer(question, value)
        except ValueError as error:
            faults.append(f"{name}: {error}")
    if faults:
        raise AnswerError(faults, fix=describe_questions(questions))
    return answers


def _unknown(name: str, by_name: Mapping[str, Question]) -> str:
    near = difflib.get_close_matches(name, by_name, n=1)
    return f"{name}: no such question" + (f"; did you mean {near[0]}?" if near else "")


def cast_answer(question: Question, value: object) -> object:
    """`value` as the type of `question`.

    Raises:
        ValueError: it is not of that type, or none of the choices.
    """
    if question.multiselect:
        return _cast_list(question, value)
    answer = _cast_kind(question.kind, value)
    if question.choices and answer not in question.choices.values():
        raise ValueError(f"{answer!r} is no choice; choose one of {_listed(question)}")
    return answer


def _cast_list(question: Question, value: object) -> list[object]:
    try:
        parsed = yaml.safe_load(value) if isinstance(value, str) else value
    except yaml.YAMLError:
        parsed = None
    if not isinstance(parsed, list):
        raise ValueError(f"expected a list such as [{_listed(question)}], got {value!r}")
    chosen = [_cast_kind(question.kind, item) for item in cast("list[object]", parsed)]
    for item in chosen:
        if item not in question.choices.values():
            raise ValueError(f"{item!r} is no choice; choose among {_listed(question)}")
    return chosen


def _cast_kind(kind: str, value: object) -> object:
    if kind == "bool":
        return _cast_bool(value)
    if kind == "int":
        return int(_number(value, r"[+-]?\d+", "a whole number"))
    if kind == "float":
        return float(_number(value, r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", "a number"))
    if kind in {"str", "path"} and not isinstance(value, str):
        raise ValueError(f"expected text, got {value!r}; put it in quotes")
    return value


def _cast_bool(value: object) -> bool:
    spelt = str(value).lower()
    if spelt in TRUE | FALSE:
        return spelt in TRUE
    raise ValueError(f"expected true or false, got {value!r}")


def _number(value: object, pattern: str, wanted: str) -> str:
    if not isinstance(value, bool) and re.fullmatch(pattern, str(value), re.ASCII | re.IGNORECASE):
        return str(value)
    raise ValueError(f"expected {wanted}, got {value!r}")


def _listed(question: Question) -> str:
    return ", ".join(str(value) for value in question.choices.values())


def describe_questions(questions: Sequence[Question]) -> str:
    """One line per question that may be answered: its name, and what it takes."""
    open_questions = [question for question in questions if question.settable]
    width = max(len(question.name) for question in open_questions)
    lines = [
        f"  {question.name:<{width}}  {describe_type(question)}" for question in open_questions
    ]
    return "\n".join(["The template takes:", *lines])


def describe_type(question: Question) -> str:
    """What a question takes: its choices, or its type."""
    if question.choices:
        return f"any of: {_listed(question)}" if question.multiselect else _listed(question)
    kinds = {"str": "text", "int": "whole number", "float": "number", "bool": "true or false"}
    return kinds.get(question.kind, question.kind)
