"""How a service is installed and checked: what its own manifest says, for Python or Node."""

import itertools
import json
import shlex
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import VerifyError
from .node import find_npm
from .stages import find_uv

EVALUATE = ("index", "eval")


@dataclass(frozen=True, slots=True)
class Check:
    """One of a service's own checks: its name, and the command that runs it."""

    name: str
    command: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Toolchain:
    """What installs a service, and what its own `check` runs, in order.

    `boundary` is the command that refuses a module which crosses the boundary, and `evaluate`
    what indexes the sample corpus and scores retrieval on it.
    """

    install: tuple[str, ...]
    checks: tuple[Check, ...]
    boundary: tuple[str, ...]
    evaluate: tuple[Check, ...]


def read_toolchain(service: Path, *, share: bool = False) -> Toolchain:
    """The toolchain of a service; `share` lets renders of equal dependencies share packages.

    Raises:
        VerifyError: the folder is no service, declares no `check`, or lacks its installer.
    """
    if (service / "pyproject.toml").is_file():
        return _python(service)
    if (service / "package.json").is_file():
        return _node(service, share=share)
    raise VerifyError(
        f"{service} is no rendered service: it has no pyproject.toml and no package.json",
        fix="Give the folder of a service, or --all to render every variant.",
    )


def _python(service: Path) -> Toolchain:
    """Tasks of `poe check` by name, and plain commands, run by uv."""
    uv = find_uv()
    project = tomllib.loads((service / "pyproject.toml").read_text(encoding="utf-8"))
    tasks: dict[str, Any] = project.get("tool", {}).get("poe", {}).get("tasks", {})
    check: dict[str, Any] | list[Any] = tasks.get("check", [])
    sequence: list[Any] = check if isinstance(check, list) else check.get("sequence", [])
    if not sequence:
        raise VerifyError(f"{service}/pyproject.toml declares no sequence of tasks `check`")
    launcher = (uv, "run", "--no-sync", "--quiet")
    commands = project["project"].get("scripts", {})
    return Toolchain(
        install=(uv, "sync", "--quiet"),
        checks=tuple(_python_check(step, launcher) for step in sequence),
        boundary=(*launcher, "lint-imports"),
        evaluate=tuple(
            Check(verb, (*launcher, command, verb)) for command in commands for verb in EVALUATE
        ),
    )


def _python_check(step: str | dict[str, str], launcher: tuple[str, ...]) -> Check:
    """A step is a task's name or `{cmd = ...}`, which is named by its words before an option."""
    if isinstance(step, str):
        return Check(step, (*launcher, "poe", step))
    command = shlex.split(step["cmd"])
    words = itertools.takewhile(lambda word: not word.startswith("-"), command)
    return Check(" ".join(words), (*launcher, *command))


def _node(service: Path, *, share: bool) -> Toolchain:
    """Scripts that the script `check` runs one after the other, run by npm."""
    npm = find_npm()
    project = json.loads((service / "package.json").read_text(encoding="utf-8"))
    steps = [step.split() for step in project.get("scripts", {}).get("check", "").split("&&")]
    if not all(step[:2] == ["npm", "run"] and len(step) == 3 for step in steps):
        raise VerifyError(
            f"{service}/package.json declares no script `check` that can be taken apart",
            fix="Write it as `npm run a && npm run b`, one script for each check.",
        )
    shared = (sys.executable, "-m", "ragseam.node", str(service))
    plain = (npm, "install", "--no-audit", "--no-fund")
    run = (npm, "run", "--silent")
    return Toolchain(
        install=shared if share else plain,
        checks=tuple(Check(step[2], (*run, step[2])) for step in steps),
        boundary=(*run, "check:retrieval-seam"),
        evaluate=tuple(Check(verb, (*run, verb)) for verb in EVALUATE),
    )
