"""What can be rendered: the default, and one variant per choice that is not the default."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from .errors import VerifyError
from .questions import Question


@dataclass(frozen=True, slots=True)
class Variant:
    """A rendering that differs from the default in one answer; `answers` holds what differs."""

    name: str
    answers: dict[str, object] = field(default_factory=dict[str, object])


def list_variants(questions: Sequence[Question]) -> list[Variant]:
    """The default first, then the choices in the order in which they are asked."""
    return [Variant("default"), *_alternatives(questions)]


def _alternatives(questions: Sequence[Question]) -> Iterator[Variant]:
    for question in questions:
        if not question.settable:
            continue
        for value in question.choices.values():
            if question.multiselect:
                answer = [value]
            elif value != question.default:
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
