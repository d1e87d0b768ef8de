"""`make docs`: writes the pages that repeat `copier.yml`, the commands and the decisions."""

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from html import unescape
from pathlib import Path

from .questions import Question, describe_type
from .stages import find_uv, service_environment
from .template import Rendering, default_source, load_questions, render

MADE_BY = "<!-- Made by `make docs`; edit the source instead. -->"
SERVICE = "acme-search"


def main() -> None:
    """Render and install the default service, and write every page."""
    source = default_source()
    with tempfile.TemporaryDirectory() as folder:
        service = Path(folder) / "service"
        render(source, service, {}, Rendering(vcs_ref="HEAD", defaults=True, quiet=True))
        environment = service_environment()
        subprocess.run([find_uv(), "sync", "--quiet"], cwd=service, env=environment, check=True)
        pages = build_pages(source, service / ".venv" / "bin")
    for name, text in pages.items():
        (Path(source) / "docs" / name).write_text(text, encoding="utf-8")


def build_pages(source: str, programs: Path) -> dict[str, str]:
    """The text of each page by its path; `programs` holds the default service's command."""
    questions = load_questions(source, Rendering(vcs_ref="HEAD"))
    return {
        "reference/questions.md": "\n".join(_question_lines(questions)) + "\n",
        "reference/ragseam.md": _generator_page(),
        "reference/service.md": _service_page(programs),
        "decisions/README.md": _decisions_page(Path(source) / "docs" / "decisions"),
    }


def _question_lines(questions: Sequence[Question]) -> Iterator[str]:
    yield from (MADE_BY, "", "# Questions", "")
    yield "What the template asks, in this order. Give an answer without being asked by"
    yield "`--data NAME=VALUE`. Answers set *defaults*: a rendered service can change each of them"
    yield "later by an environment variable, its names excepted."
    settable = [question for question in questions if question.settable]
    asked = [question for question in settable if question.asked is True]
    conditional = [question for question in settable if isinstance(question.asked, str)]
    derived = [question for question in settable if question.asked is False]
    yield from _section("Always asked", asked)
    yield from _section("Asked when an earlier answer calls for it", conditional)
    yield from _section("Not asked, and taken when given", derived)


def _section(title: str, questions: Sequence[Question]) -> Iterator[str]:
    yield from ("", f"## {title}", "", "| Name | Takes | Default | |", "|---|---|---|---|")
    for question in questions:
        default = str(question.default).lower() if question.kind == "bool" else question.default
        shown = str(default).replace("|", "\\|")
        yield f"| `{question.name}` | {describe_type(question)} | `{shown}` | {question.help} |"


def _generator_page() -> str:
    """Help of `ragseam`, as Typer writes it."""
    typer = [sys.executable, "-m", "typer", "ragseam.cli", "utils", "docs", "--name", "ragseam"]
    done = subprocess.run(typer, capture_output=True, text=True, check=True)
    return f"{MADE_BY}\n\n{unescape(done.stdout).strip()}\n"


def _service_page(programs: Path) -> str:
    """What `--help` prints, for the command and for each below it."""
    sections = [f"{MADE_BY}\n\n# `{SERVICE}`\n\nThe command of a service is its `slug` answer."]
    for command, text in _help_texts(programs, [SERVICE]):
        sections.append(f"## `{command}`\n\n```text\n{text.strip()}\n```")
    return "\n\n".join(sections) + "\n"


def _help_texts(programs: Path, command: list[str]) -> Iterator[tuple[str, str]]:
    environment = {**service_environment(), "COLUMNS": "80"}
    program = [str(programs / command[0]), *command[1:], "--help"]
    done = subprocess.run(program, capture_output=True, text=True, check=True, env=environment)
    yield " ".join(command), done.stdout
    _, _, below = done.stdout.partition("Commands:\n")
    for name in re.findall(r"^  (\S+)", below, re.MULTILINE):
        yield from _help_texts(programs, [*command, name])


def _decisions_page(folder: Path) -> str:
    lines = [MADE_BY, "", "# Decisions", ""]
    lines.append("One page for each choice that somebody may want to make again. To add one, copy")
    lines += ["[0000-template.md](0000-template.md) under the next free number.", ""]
    for path in sorted(folder.glob("[0-9]*.md")):
        if path.name != "0000-template.md":
            title = path.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")
            lines.append(f"- [{title}]({path.name})")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
