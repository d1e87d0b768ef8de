"""The template's own Jinja environment and questions, without a render."""

from pathlib import Path
from typing import Any

import pytest
from copier._main import Worker
from jinja2.sandbox import SandboxedEnvironment
from rendering import Answered, Complain

DERIVED = ("package_name", "slug")


@pytest.fixture(scope="session")
def worker(template_folder: Path) -> Worker:
    return Worker(src_path=str(template_folder), defaults=True, quiet=True)


@pytest.fixture(scope="session")
def engine(worker: Worker) -> SandboxedEnvironment:
    return worker.jinja_env


@pytest.fixture(scope="session")
def questions(worker: Worker) -> dict[str, dict[str, Any]]:
    return worker.template.questions_data


@pytest.fixture(scope="session")
def complain(engine: SandboxedEnvironment, questions: dict[str, dict[str, Any]]) -> Complain:
    """What a question's validator says to an answer; nothing if it is valid."""
    validators = {
        name: engine.from_string(details["validator"])
        for name, details in questions.items()
        if "validator" in details
    }

    def complain(name: str, answer: object, **others: object) -> str:
        return validators[name].render({**others, name: answer}).strip()

    return complain


@pytest.fixture(scope="session")
def context(worker: Worker) -> dict[str, Any]:
    """Everything that a template file may name, under the default answers."""
    worker._ask()
    return dict(worker._render_context())


@pytest.fixture(scope="session")
def answered(
    engine: SandboxedEnvironment, questions: dict[str, dict[str, Any]], context: dict[str, Any]
) -> Answered:
    """The same under other answers, with the package and the command that follow from them."""
    derived = {name: engine.from_string(questions[name]["default"]) for name in DERIVED}

    def answered(**given: object) -> dict[str, Any]:
        answers = {**context, **given}
        answers |= {name: derived[name].render(answers) for name in DERIVED}
        recorded = {name: answers[name] for name in context["_copier_answers"]}
        return {**answers, "_copier_answers": recorded}

    return answered
