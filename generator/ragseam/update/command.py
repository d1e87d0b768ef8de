"""The command `ragseam update`."""

import json
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text
from typer import Argument, Option

from .. import options as cli
from ..answers import read_answers
from ..errors import RagseamError
from ..progress import new_console
from .apply import apply_plan
from .git import GitError, git_line
from .journal import locked
from .plan import make_plan
from .project import ANSWERS_FILE, UpdateError, find_git_dir, open_project
from .recovery import recover
from .report import plan_record, print_outcome, print_plan
from .versions import Request

CLEAN, LEFT_TO_DO, ERROR, NOTHING = 0, 1, 2, 3

Service = Annotated[Path, Argument(exists=True, file_okay=False, help="Folder of the service.")]
DryRun = Annotated[bool, Option("--dry-run", "-n", help="Stop after showing what would happen.")]
Json = Annotated[bool, Option("--json", help="Print one JSON document; stop there without --yes.")]
Yes = Annotated[bool, Option("--yes", "-y", help="Apply without asking.")]


def update(
    path: Service = Path(),
    data: cli.Data = None,
    data_file: cli.DataFile = None,
    answers_file: cli.AnswersFile = None,
    vcs_ref: cli.VcsRef = None,
    prereleases: cli.Prereleases = False,
    dry_run: DryRun = False,
    as_json: Json = False,
    yes: Yes = False,
) -> None:
    """Bring a service to a later version of its template, and lose nothing of it.

    Shows first what will happen. Status 0: done; 1: done, and conflicts or kept files are left
    to decide on; 2: error, nothing changed; 3: nothing to update.
    """
    output, messages = new_console(), new_console(stderr=True)
    request = Request(read_answers(data or [], data_file), vcs_ref, prereleases)
    git_dir = find_git_dir(path)
    with locked(git_dir), tempfile.TemporaryDirectory() as scratch:
        for line in recovered_lines(path, git_dir):
            messages.print(Text(line), soft_wrap=True)
        with messages.status("Trying the update on a copy"):
            project = open_project(path, answers_file or ANSWERS_FILE)
            plan = make_plan(project, request, Path(scratch))
        if not as_json:
            print_plan(plan, output)
        applied = False
        if not plan.nothing and not dry_run and (yes or not as_json and confirmed()):
            with blamed_on_interrupt():
                apply_plan(plan)
            applied = True
    if as_json:
        typer.echo(json.dumps(plan_record(plan, applied=applied), indent=2, ensure_ascii=False))
    elif applied:
        print_outcome(plan, output)
    elif not plan.nothing and not dry_run:
        output.print("\nNothing has been changed.")
        raise typer.Exit(ERROR)
    raise typer.Exit(NOTHING if plan.nothing else CLEAN if plan.is_clean else LEFT_TO_DO)


def recovered_lines(path: Path, git_dir: Path) -> Generator[str]:
    """Finish or undo what an earlier update was doing when it was killed, and say so."""
    try:
        head = git_line(path, "rev-parse", "--verify", "HEAD")
    except GitError:
        return
    try:
        recovered = recover(git_dir, head)
    except OSError as error:
        raise UpdateError(
            f"an interrupted update can't be undone: {error}", fix="Mend that, and update again."
        ) from error
    if recovered and recovered.undone:
        yield "An earlier update was interrupted; everything is as it was before it."
    for aside in recovered.aside if recovered else ():
        yield f"What you have edited since is in {aside}."


def confirmed() -> bool:
    """Whether the person at the terminal says yes.

    Raises:
        RagseamError: there is nobody to ask.
    """
    if not sys.stdin.isatty():
        raise RagseamError(
            "there is no terminal to ask on; nothing has been changed",
            fix="Add --yes to apply the update, or --dry-run to look only.",
        )
    try:
        return typer.confirm("\nApply?", default=False)
    except typer.Abort:
        return False


@contextmanager
def blamed_on_interrupt() -> Generator[None]:
    """Say that an interrupted update has been undone."""
    try:
        yield
    except KeyboardInterrupt as error:
        raise RagseamError("interrupted; everything is as it was") from error
