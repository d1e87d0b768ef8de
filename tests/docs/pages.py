"""Runs the `console` blocks of a page as one session, and compares what they print.

A line that starts with `$ ` is a command; the lines below it are what it prints, where a line
`...` stands for any lines. Numbers that differ from run to run are compared by their place only.
A word `exit=1` behind the fence is the status with which the last command of the block ends.
"""

import re
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

FENCE = re.compile(r"^```console(?: exit=(\d+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TIMING = re.compile(r"\b\d+(\.\d+)?(?=\s?(ms|s)\b)")


@dataclass(frozen=True, slots=True)
class Command:
    """A command of a page, what it should print, and its exit status."""

    line: str
    printed: str
    status: int


def read_commands(page: Path) -> Iterator[Command]:
    """Commands of a page in order.

    Raises:
        ValueError: a block does not begin with a command.
    """
    for status, block in FENCE.findall(page.read_text(encoding="utf-8")):
        before, *commands = re.split(r"^\$ ", block, flags=re.MULTILINE)
        if before or not commands:
            raise ValueError(f"{page}: a console block begins without a command: {block!r}")
        for position, command in enumerate(commands, start=1):
            line, _, printed = command.replace("\\\n", "").partition("\n")
            last = position == len(commands)
            yield Command(line, printed, int(status or 0) if last else 0)


def run_page(page: Path, folder: Path, environment: Mapping[str, str]) -> int:
    """Run a page's commands, beginning in `folder`; `cd` holds for the commands after it.

    Returns:
        How many commands ran.

    Raises:
        AssertionError: a command prints something else, or ends with another status.
    """
    count = 0
    for count, command in enumerate(read_commands(page), start=1):  # noqa: B007
        if command.line.startswith("cd "):
            folder = (folder / command.line.removeprefix("cd ")).resolve()
            continue
        done = subprocess.run(
            ["bash", "-c", command.line],
            cwd=folder, env=environment, stdin=subprocess.DEVNULL, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8",
        )  # fmt: skip
        assert done.returncode == command.status, f"$ {command.line}\n{done.stdout}"
        if command.printed:
            assert matches(command.printed, done.stdout), (
                f"{page.name}: $ {command.line}\nshould print\n{command.printed}\n"
                f"but prints\n{done.stdout}"
            )
    return count


def matches(shown: str, printed: str) -> bool:
    """Whether `printed` is what a page shows, timings and trailing space aside."""
    parts = [re.escape(part) for part in re.split(r"^\.\.\.\n", _plain(shown), flags=re.MULTILINE)]
    return re.fullmatch(r"(?:.*\n)*?".join(parts), _plain(printed)) is not None


def _plain(text: str) -> str:
    lines = (TIMING.sub("#", line).rstrip() for line in text.strip("\n").splitlines())
    return "".join(f"{re.sub(r' {2,}', '  ', line)}\n" for line in lines)
