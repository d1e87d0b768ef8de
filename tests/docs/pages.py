"""Runs the `console` blocks of a page as one session, and compares what they print.

A line that starts with `$ ` is a command; the lines below it are what it prints, where a line
`...` stands for any lines. Numbers with one decimal are timings and sizes, which differ from run
to run. A word `exit=1` behind the fence is the status with which the block's last command ends.
"""

import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

CONSOLE = r"(?: exit=(\d+))?"
DEMO = r" demo()"
COMMAND = re.compile(r"^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
TIMING = re.compile(r"(?<![\w.])\d+\.\d(?!\d|\.|%)")


@dataclass(frozen=True, slots=True)
class Command:
    """A command of a page, what the page shows of its output and where, and its exit status."""

    line: str
    shown: str
    span: tuple[int, int]
    status: int


def read_commands(text: str, words: str = CONSOLE) -> Iterator[Command]:
    """Commands of the `console` blocks whose fence has these further `words`, in order.

    Raises:
        ValueError: a block does not begin with a command.
    """
    fence = re.compile(rf"^```console{words}\n(.*?)^```$", re.MULTILINE | re.DOTALL)
    for block in fence.finditer(text):
        if not block[2].startswith("$ "):
            raise ValueError(f"a console block begins without a command: {block[2]!r}")
        found = list(COMMAND.finditer(text, *block.span(2)))
        for command in found:
            status = int(block[1] or 0) if command is found[-1] else 0
            line = command[1].replace("\\\n", " ")
            yield Command(line, command[2], command.span(2), status)


def run_page(page: Path, folder: Path, environment: Mapping[str, str]) -> list[str]:
    """Run a page's commands, beginning in `folder`; `cd` holds for the commands after it.

    Returns:
        What each command printed.

    Raises:
        AssertionError: a command ends with another status than the page says.
    """
    printed: list[str] = []
    for command in read_commands(page.read_text(encoding="utf-8")):
        if command.line.startswith("cd "):
            folder = (folder / command.line.removeprefix("cd ")).resolve()
            assert folder.is_dir(), command.line
            printed.append("")
            continue
        done = subprocess.run(
            ["bash", "-c", command.line],
            cwd=folder, env=environment, stdin=subprocess.DEVNULL, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8",
        )  # fmt: skip
        assert done.returncode == command.status, f"$ {command.line}\n{done.stdout}"
        printed.append(done.stdout)
    return printed


def refreshed(text: str, printed: Sequence[str], words: str = CONSOLE) -> str:
    """A page's text with what its commands printed, where it shows something else."""
    commands = list(read_commands(text, words))
    for command, output in reversed(list(zip(commands, printed, strict=True))):
        if command.shown and not matches(command.shown, output):
            start, end = command.span
            text = text[:start] + _trimmed(output) + text[end:]
    return text


def check_page(text: str, printed: Sequence[str], words: str = CONSOLE) -> None:
    """Compare what a page shows with what its commands printed.

    Raises:
        AssertionError: they differ.
    """
    for command, output in zip(read_commands(text, words), printed, strict=True):
        assert not command.shown or matches(command.shown, output), (
            f"$ {command.line}\nshould print\n{command.shown}\nbut prints\n{output}"
        )


def matches(shown: str, printed: str) -> bool:
    """Whether `printed` is what a page shows, timings and the width of gaps aside."""
    parts = re.split(r"^\.\.\.\n", _plain(shown), flags=re.MULTILINE)
    return re.fullmatch(r"(?:.*\n)*?".join(map(re.escape, parts)), _plain(printed)) is not None


def _plain(text: str) -> str:
    masked = TIMING.sub("#", _trimmed(text))
    return re.sub(r" {2,}", "  ", masked)


def _trimmed(text: str) -> str:
    return "".join(f"{line.rstrip()}\n" for line in text.strip("\n").splitlines())
