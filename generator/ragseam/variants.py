"""What can be rendered: the default, and one variant per choice that is not the default."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from .errors import VerifyError
from .questions import Question

LANGUAGE = "language"


@dataclass(frozen=True, slots=True)
class Variant:
    """A rendering that differs from the default in one answer; `answers` holds what differs."""

    name: str
    answers: dict[str, object] = field(default_factory=dict[str, object])


def list_variants(questions: Sequence[Question]) -> list[Variant]:
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
