"""The programs that a service needs."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass

from ..errors import VerifyError
from ..stages import find_uv
from .finding import Finding, Level

CHECK = "tools"
TIMEOUT_S = 20.0


@dataclass(frozen=True, slots=True)
class Tool:
    """A program, the oldest version that will do, and where to get it."""

    name: str
    oldest: tuple[int, ...]
    install: str


UV = Tool("uv", (0, 9), "See https://docs.astral.sh/uv/getting-started/installation/")
GIT = Tool("git", (2, 30), "See https://git-scm.com/downloads")
NODE = Tool("node", (20,), "See https://nodejs.org/en/download")


def check_toolchain(language: object) -> Iterator[Finding]:
    """One finding for each program that a service in `language` needs."""
    try:
        uv = find_uv()
    except VerifyError:
        uv = None
    yield _check_tool(UV, uv)
    yield _check_tool(GIT, shutil.which("git"))
    if language == "typescript":
        yield _check_tool(NODE, shutil.which("node"))


def _check_tool(tool: Tool, program: str | None) -> Finding:
    version = _read_version(program) if program else None
    if program is None:
        text = f"{tool.name} is not installed"
        return Finding(CHECK, Level.PROBLEM, text, f"no {tool.name}", tool.install)
    if version is None:
        text = f"{program} does not tell its version"
        return Finding(CHECK, Level.PROBLEM, text, f"{tool.name}?", tool.install)
    written = ".".join(map(str, version))
    if version < tool.oldest:
        oldest = ".".join(map(str, tool.oldest))
        text = f"{tool.name} {written} is older than {oldest}"
        return Finding(CHECK, Level.PROBLEM, text, f"{tool.name} {written}", tool.install)
    return Finding(CHECK, Level.OK, f"{tool.name} {written}", "ok")


def _read_version(program: str) -> tuple[int, ...] | None:
    try:
        done = subprocess.run(
            [program, "--version"], capture_output=True, text=True, timeout=TIMEOUT_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.search(r"\d+(?:\.\d+)+", done.stdout)
    return tuple(map(int, found[0].split("."))) if found and done.returncode == 0 else None
