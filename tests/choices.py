"""What can be chosen, read from copier.yml, and a pairwise cover of it."""

from typing import Any

import yaml
from pairwise import pairwise
from rendering import ROOT


def read_choices() -> dict[str, list[Any]]:
    """Choices by question, the default first; none or one for a question that takes several."""
    declared = yaml.safe_load((ROOT / "copier.yml").read_text(encoding="utf-8"))
    choices: dict[str, list[Any]] = {}
    for name, question in declared.items():
        if name[0] == "_" or "choices" not in question:
            continue
        values = list(question["choices"].values())
        if question.get("multiselect"):
            choices[name] = [[], *([value] for value in values)]
        else:
            choices[name] = sorted(values, key=lambda value: value != question["default"])
    return choices


COVER = pairwise(read_choices())
