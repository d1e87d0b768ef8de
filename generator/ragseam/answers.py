"""Answers as given on a command line: `NAME=VALUE`, a YAML file, or a terminal to ask on."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

import yaml

from .errors import AnswerError
from .questions import Question


def read_answers(pairs: Sequence[str], path: Path | None) -> dict[str, object]:
    """Answers from the file at `path`, overridden by `pairs`; not yet checked.

    Raises:
        AnswerError: a pair has no `=`, or the file is no YAML mapping.
    """
    answers = _read_file(path) if path else {}
    if stray := [pair for pair in pairs if "=" not in pair]:
        raise AnswerError([f"{pair!r} is no answer" for pair in stray], fix="Write NAME=VALUE.")
    return answers | dict(pair.split("=", 1) for pair in pairs)


def _read_file(path: Path) -> dict[str, object]:
    try:
        loaded = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise AnswerError([f"{path} is not YAML: {error}"]) from error
    if not isinstance(loaded, Mapping):
        raise AnswerError([f"{path} holds no answers"], fix="Write one `name: value` a line.")
    return {str(name): value for name, value in cast("Mapping[object, object]", loaded).items()}


def require_answers(questions: Sequence[Question], answers: Mapping[str, object]) -> None:
    """Make sure that nothing needs to be asked, since there is no terminal to ask on.

    Raises:
        AnswerError: a question without condition has no answer.
    """
    open_questions = [
        question.name
        for question in questions
        if question.settable and question.asked is True and question.name not in answers
    ]
    if open_questions:
        raise AnswerError(
            [f"there is no terminal to ask for {', '.join(open_questions)}"],
            fix="Add --defaults, or answer with --data NAME=VALUE.",
        )
