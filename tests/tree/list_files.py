"""Writes files.txt: every path of a render, and the answer on which it depends.

    python tests/tree/list_files.py

Run it after adding or dropping a file, and read the difference before committing it.
"""

import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from choices import read_choices
from ragseam import trial
from rendering import copy_template, render_into, source_files

SNAPSHOT = Path(__file__).with_name("files.txt")


def expected_files(answers: dict[str, Any]) -> list[str]:
    """Paths of the snapshot that stand in a render of `answers`, sorted."""
    return sorted(trial.expected_files(SNAPSHOT.read_text(encoding="utf-8"), answers))


def answers(name: str, value: Any) -> dict[str, Any]:
    """One answer, with the language for which it makes a difference."""
    return {name: value, "language": "typescript"} if name == "linter" else {name: value}


def list_files() -> list[str]:
    """One line per path: alone if it is always there, else with `question=choice`."""
    with tempfile.TemporaryDirectory() as folder:
        template = copy_template(Path(folder, "template"))
        present = {
            (name, str(value)): set(
                source_files(
                    render_into(template, Path(folder, name, str(value)), answers(name, value))
                )
            )
            for name, values in read_choices().items()
            for value in values
        }
    always = set.intersection(*present.values())
    conditional = {
        f"{path}  {name}={value}"
        for name, values in read_choices().items()
        for value in map(str, values)
        for path in present[name, value] - always
        if any(path not in present[name, str(other)] for other in values)
    }
    return sorted(always | conditional)


if __name__ == "__main__":
    SNAPSHOT.write_text("\n".join(list_files()) + "\n", encoding="utf-8")
