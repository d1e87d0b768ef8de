"""`make demo`: a service from nothing to its first answer, as a commented shell session."""

import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

from .errors import RagseamError
from .node import find_npm
from .progress import new_console, shown_progress
from .report import print_results
from .stages import find_uv, service_environment
from .verify import Service, verify

FOLDER = Path("build/demo")
COMMANDS = {"python": "uv run acme-search {}", "typescript": "npm run -s {}"}
OPTIONS = {"python": " ", "typescript": " -- "}
"""What stands before the first option, so that it reaches the service."""

ANSWERABLE = "What do I do about E-312?"
UNANSWERABLE = "Who painted the ceiling of the Sistine Chapel?"
REFUSED = 1

console = new_console()


def main() -> None:
    """Run the demo, of the language given, in a checkout of the template."""
    started = time.perf_counter()
    shutil.rmtree(FOLDER, ignore_errors=True)
    try:
        show_service(*sys.argv[1:])
    except RagseamError as error:
        console.print(f"\nThe demo stopped: {error.what}\n{error.fix}", style="red", markup=False)
        sys.exit(2)
    explain(f"Done in {time.perf_counter() - started:.1f} s. Next:")
    ragseam = Path(sys.executable).with_name("ragseam")
    shown = ragseam.relative_to(Path.cwd()) if ragseam.is_relative_to(Path.cwd()) else ragseam.name
    start = f"{shown} new ../my-service"
    for what, why in [
        (start, "a service of your own, after a few questions"),
        (f"cd {FOLDER}", "this one: put documents into evals/corpus/, index, ask"),
        (f"{FOLDER}/docs/architecture.md", "the layout, the law, and every setting"),
    ]:
        console.print(f"  {what:<{len(start)}}  {why}", markup=False, soft_wrap=True)


def show_service(language: str = "python") -> None:
    """Render, check, index, search, ask and evaluate.

    Raises:
        RagseamError: a step failed, or there is no such language.
    """
    if language not in COMMANDS:
        raise RagseamError(
            f"there is no service in {language!r}", fix=f"LANGUAGE is one of {', '.join(COMMANDS)}."
        )
    command = COMMANDS[language]
    explain("Render the template with its default answers.")
    chosen = "" if language == "python" else f" --data language={language}"
    show(f"ragseam new {FOLDER} --defaults --quiet --vcs-ref HEAD{chosen}", Path())
    explain("Install the service and run its own checks.")
    check(FOLDER)
    explain("Index the manual that comes with it, and search it.")
    show(command.format("index"), FOLDER)
    show(command.format(f"search{OPTIONS[language]}'{ANSWERABLE}' --top 2"), FOLDER)
    explain("Ask what the manual answers, and what it does not.")
    show(command.format(f"ask '{ANSWERABLE}'"), FOLDER)
    show(command.format(f"ask '{UNANSWERABLE}'"), FOLDER, status=REFUSED)
    explain("Score retrieval on the golden queries.")
    show(command.format("eval"), FOLDER)


def explain(text: str) -> None:
    """Print what comes next, and why."""
    console.print(f"\n# {text}", style="bold", markup=False)


def check(folder: Path) -> None:
    """Verify the service in `folder`, one line per stage or a live table.

    Raises:
        RagseamError: a stage failed.
    """
    announce(f"ragseam verify {folder}")
    service = Service(folder.name, folder.resolve(), is_fresh=True)
    with shown_progress(console, [service.name]) as progress:
        results = verify([service], jobs=2, progress=progress)
    passed = all(result.passed for result in results)
    if console.is_terminal or not passed:
        print_results(results, console)
    if not passed:
        raise RagseamError("a check of the rendered service failed")


def show(command: str, folder: Path, status: int = 0) -> None:
    """Print a command and what it prints.

    Raises:
        RagseamError: it ends with another exit status than `status`.
    """
    announce(command)
    program, *arguments = shlex.split(command)
    launcher = {
        "uv": lambda: [find_uv()],
        "npm": lambda: [find_npm()],
        "ragseam": lambda: [sys.executable, "-m", "ragseam"],
    }[program]()
    done = subprocess.run(
        [*launcher, *arguments], cwd=folder, env=service_environment(), stdin=subprocess.DEVNULL
    )
    if done.returncode != status:
        raise RagseamError(f"`{command}` ended with status {done.returncode}, not {status}")


def announce(command: str) -> None:
    """Print a command line before it runs."""
    console.print(f"$ {command}", style="cyan", markup=False, soft_wrap=True)
    console.file.flush()


if __name__ == "__main__":
    main()
