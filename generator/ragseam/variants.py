"""What can be rendered: each choice alone, and few variants in which every two choices meet."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

from .errors import VerifyError
from .pairwise import pairwise
from .questions import Question

LANGUAGE = "language"


@dataclass(frozen=True, slots=True)
class Variant:
    """A rendering that differs from the default in one answer; `answers` holds what differs."""

    name: str
    answers: dict[str, object] = field(default_factory=dict[str, object])


def list_variants(questions: Sequence[Question]) -> list[Variant]:
    """Single choices, in the order asked, then a pairwise cover of all; stable in order."""
    single = list_single_variants(questions)
    known = [variant.answers for variant in single]
    pairs = [answers for answers in _pairwise_answers(questions) if answers not in known]
    numbered = (
        Variant(f"pairs-{number:02}", answers) for number, answers in enumerate(pairs, start=1)
    )
    return [*single, *numbered]


def _pairwise_answers(questions: Sequence[Question]) -> Iterator[dict[str, object]]:
    """Answers that differ from the defaults, for each row of a cover of the questions' choices."""
    by_name = {question.name: question for question in questions if question.settable}
    choices = {name: _values(question) for name, question in by_name.items() if question.choices}
    fitting = _fitting(by_name, choices)

    def is_possible(row: Mapping[str, object]) -> bool:
        return any(
            all(row.get(name, each[name]) == each[name] for name in each) for each in fitting
        )

    for row in pairwise(choices, is_possible):
        given: dict[str, object] = {}
        answers: dict[str, object] = {}
        for name, question in by_name.items():
            default = question.default_for(given)
            given[name] = row.get(name, default)
            if given[name] != default:
                answers[name] = given[name]
        yield answers


def _fitting(
    by_name: Mapping[str, Question], choices: Mapping[str, Sequence[object]]
) -> list[dict[str, object]]:
    """All answers that fit together, to those questions that have to do with one another."""
    conditions = " ".join(
        f"{name} {question.asked} {question.refusals}"
        for name, question in by_name.items()
        if question.refusals or isinstance(question.asked, str)
    )
    bound = [name for name in choices if re.search(rf"\b{name}\b", conditions)]
    rows = (
        dict(zip(bound, values, strict=True))
        for values in product(*(choices[name] for name in bound))
    )
    return [row for row in rows if all(by_name[name].takes(row[name], row) for name in bound)]


def _values(question: Question) -> list[object]:
    """The default first; none or one for a question that takes several."""
    values = list(question.choices.values())
    if question.multiselect:
        return [[], *([value] for value in values)]
    return sorted(values, key=lambda value: value != question.default_for({}))


def list_single_variants(questions: Sequence[Question]) -> list[Variant]:
    """The default first, then the choices in the order asked; the same for each other language.

    A choice that a language does not take, and a question that it is not asked, are left out.
    """
    languages = next((q for q in questions if q.name == LANGUAGE), None)
    if languages is None:
        return [Variant("default"), *_alternatives(questions, {})]
    listed: list[Variant] = []
    for language in languages.choices.values():
        answers: dict[str, object] = {} if language == languages.default else {LANGUAGE: language}
        prefix = f"{language}-" if answers else ""
        listed.append(Variant(f"{language}" if answers else "default", answers))
        others = [question for question in questions if question.name != LANGUAGE]
        for variant in _alternatives(others, {LANGUAGE: language}):
            listed.append(Variant(prefix + variant.name, {**answers, **variant.answers}))
    return listed


def _alternatives(questions: Sequence[Question], given: dict[str, object]) -> Iterator[Variant]:
    for question in questions:
        given = {**given, question.name: question.default_for(given)}
        if not question.settable or not question.is_asked(given):
            continue
        for label, value in question.choices.items():
            if question.refuses(label, given):
                continue
            if question.multiselect:
                answer = [value]
            elif value != question.default_for(given):
                answer = value
            else:
                continue
            name = f"{question.name}-{value}".replace("_", "-").lower()
            yield Variant(name, {question.name: answer})


def select_variants(variants: Sequence[Variant], names: Sequence[str]) -> list[Variant]:
    """The variants of these names, in their own order; all of them when no name is given.

    Raises:
        VerifyError: there is no variant of a name.
    """
    known = [variant.name for variant in variants]
    if unknown := [name for name in names if name not in known]:
        raise VerifyError(
            f"no such variant: {', '.join(unknown)}", fix=f"There are {', '.join(known)}."
        )
    return [variant for variant in variants if not names or variant.name in names]
