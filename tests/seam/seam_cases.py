"""Cases of `cases.json`: files to lay over a service, and what its checks must say then.

A file is text to append, or `{"bytes": hex}`, `{"link": target}` or `{"remove": true}`. A case that
is rejected names the place and the rule that its message holds. `commands` has the service's own
commands judge it as well, and `imports` says that import-linter rejects it by itself. A case that
`forges` defines `f`, which makes passages from genuine ones; answer() must refuse those too.
"""

import json
import shutil
from pathlib import Path
from typing import Any

Case = dict[str, Any]

PACKAGE = "acme_search"
CHECKED = ("src", "tests/architecture", ".importlinter", "pyproject.toml")
CASES: list[Case] = json.loads(Path(__file__).with_name("cases.json").read_text(encoding="utf-8"))


def named(cases: list[Case]) -> dict[str, Any]:
    """Arguments that run a test once for each case, under the case's name."""
    return {"argvalues": cases, "ids": [case["name"] for case in cases]}


def lay(service: Path, folder: Path, case: Case) -> Path:
    """Copy what is checked of a service, and lay a case over it."""
    for name in CHECKED:
        if (service / name).is_dir():
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(service / name, folder / name, ignore=ignored)
        else:
            shutil.copy(service / name, folder / name)
    for name, content in case["files"].items():
        _lay_file(folder / name.replace("{package}", PACKAGE), content)
    return folder


def _lay_file(path: Path, content: str | dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    match content:
        case str(text):
            with path.open("a", encoding="utf-8", newline="\n") as file:
                file.write(text.replace("{package}", PACKAGE))
        case {"bytes": digits}:
            path.write_bytes(bytes.fromhex(digits))
        case {"link": target}:
            path.symlink_to(target)
        case {"remove": True}:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        case _:
            raise ValueError(f"unknown content of a case: {content}")
