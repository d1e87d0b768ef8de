"""What can be chosen, read from copier.yml, and a pairwise cover of it."""

from typing import Any

import yaml
from ragseam.pairwise import pairwise
from rendering import ROOT


def read_choices() -> dict[str, list[Any]]:
    """Choices by question, the default first; none or one for a question that takes several."""
    declared = yaml.safe_load((ROOT / "copier.yml").read_text(encoding="utf-8"))
    choices: dict[str, list[Any]] = {}
    for name, question in declared.items():
        if name[0] == "_" or "choices" not in question:
            continue
        values = [
            choice["value"] if isinstance(choice, dict) else choice
            for choice in question["choices"].values()
        ]
        if question.get("multiselect"):
            choices[name] = [[], *([value] for value in values)]
        else:
            # A default that depends on the language is the first choice for the first of them.
            default = question["default"] if question["default"] in values else values[0]
            choices[name] = sorted(values, key=lambda value: value != default)
    return choices


ONLY_PYTHON = {
    "embedding": ("wordllama", "fastembed"),
    "rerank": ("maxsim", "cross-encoder"),
    "features": (["documents"],),
}


def is_possible(answers: dict[str, Any]) -> bool:
    """Whether the template takes these answers together; those that are missing fit."""
    language = answers.get("language")
    chosen = {name for name, values in ONLY_PYTHON.items() if answers.get(name) in values}
    if (language == "typescript" or answers.get("linter") == "eslint") and chosen:
        return False
    if language == "python" and answers.get("linter") == "eslint":
        return False
    token_vectors = answers.get("embedding") in (None, "wordllama", "fastembed")
    return answers.get("rerank") != "maxsim" or token_vectors


COVER = pairwise(read_choices(), is_possible)
