"""The command `ragseam`: parses, calls and prints."""

import importlib.metadata
import json
import sys
import tempfile
import traceback
from contextlib import ExitStack
from datetime import datetime
from functools import partial
from pathlib import Path

import typer
from rich.table import Table
from rich.text import Text

from . import options as cli
from .answers import read_answers, require_answers
from .doctor.command import doctor
from .errors import RagseamError, VerifyError
from .page import write_page
from .progress import new_console, shown_progress
from .questions import check_answers
from .report import print_results, write_json, write_junit
from .template import Rendering, default_source, full_address, load_questions, render
from .update.command import update
from .variants import Variant, list_variants, select_variants
from .verify import Service, ServiceResult, verify

ERROR, CHECK_FAILED = 2, 3

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    help="Start a retrieval-augmented generation service, and verify the ones you can start.",
)
output, messages = new_console(), new_console(stderr=True)


@app.callback()
def common(*, version: cli.Version = False) -> None:
    """Options of the command itself."""
    if version:
        typer.echo(importlib.metadata.version("ragseam"))
        raise typer.Exit


@app.command()
def new(
    destination: cli.Destination,
    template: cli.Template = "",
    data: cli.Data = None,
    data_file: cli.DataFile = None,
    answers_file: cli.AnswersFile = None,
    exclude: cli.Exclude = None,
    vcs_ref: cli.VcsRef = None,
    pretend: cli.Pretend = False,
    skip: cli.Skip = None,
    quiet: cli.Quiet = False,
    prereleases: cli.Prereleases = False,
    trust: cli.Trust = False,
    skip_tasks: cli.SkipTasks = False,
    no_cleanup: cli.NoCleanup = False,
    defaults: cli.Defaults = False,
    force: cli.Force = False,
    overwrite: cli.Overwrite = False,
    ask: cli.Ask = None,
    verify_it: cli.Verify = False,
) -> None:
    """Render a service into a new folder, as `copier copy` does, and check the answers first."""
    rendering = Rendering(
        answers_file=answers_file,
        vcs_ref=vcs_ref,
        exclude=tuple(exclude or ()),
        use_prereleases=prereleases,
        skip_if_exists=tuple(skip or ()),
        cleanup_on_error=not no_cleanup,
        defaults=defaults or force,
        overwrite=overwrite or force,
        pretend=pretend,
        quiet=quiet,
        unsafe=trust,
        skip_tasks=skip_tasks,
        ask=tuple(ask or ()),
    )
    source = full_address(template) if template else default_source()
    questions = load_questions(source, rendering)
    answers = check_answers(questions, read_answers(data or [], data_file))
    if not rendering.defaults and not sys.stdin.isatty():
        require_answers(questions, answers)
    render(source, destination, answers, rendering)
    if verify_it and not pretend:
        exit_by(verify_shown([Service(destination.name, destination.resolve())], jobs=2))


app.command()(update)
app.command()(doctor)


@app.command()
def variants(
    template: cli.Template = "",
    vcs_ref: cli.VcsRef = None,
    as_json: cli.Json = False,
    github: cli.GithubMatrix = False,
) -> None:
    """List what can be rendered: the default, and each choice that differs from it."""
    listed = list_variants(load_questions(template or default_source(), Rendering(vcs_ref=vcs_ref)))
    if github:
        typer.echo(json.dumps({"include": [{"name": variant.name} for variant in listed]}))
    elif as_json:
        rows = [{"name": variant.name, "answers": variant.answers} for variant in listed]
        typer.echo(json.dumps({"schema": "ragseam.variants.v1", "variants": rows}, indent=2))
    else:
        output.print(draw_variants(listed))


@app.command("verify")
def verify_command(
    path: cli.ServicePath = None,
    every: cli.EveryVariant = False,
    only: cli.Only = None,
    template: cli.Template = "",
    vcs_ref: cli.VcsRef = "HEAD",
    jobs: cli.Jobs = 2,
    keep: cli.Keep = None,
    json_file: cli.JsonFile = None,
    junit_file: cli.JunitFile = None,
    html_file: cli.HtmlFile = None,
) -> None:
    """Install services and run their own checks, side by side; status 3 when one fails."""
    if (path is None) == (not every and not only):
        raise VerifyError("nothing to verify", fix="Give either the folder of a service, or --all.")
    with ExitStack() as stack:
        if path is not None:
            services = [Service(path.resolve().name, path.resolve())]
        else:
            folder = keep or Path(stack.enter_context(tempfile.TemporaryDirectory()))
            services = rendered_variants(template, vcs_ref, only or [], folder.resolve())
        results = verify_shown(services, jobs)
        # Before the renders are removed, which takes minutes for all of them.
        if json_file:
            write_json(results, json_file)
        if junit_file:
            write_junit(results, junit_file)
        if html_file:
            write_page(results, html_file, made=datetime.now().astimezone())
    exit_by(results)


def rendered_variants(
    template: str, vcs_ref: str | None, only: list[str], folder: Path
) -> list[Service]:
    """Services to render below `folder`, one for each variant asked for."""
    source = template or default_source()
    options = Rendering(vcs_ref=vcs_ref, defaults=True, overwrite=True, quiet=True)
    snapshot = Path(source) / "tests" / "tree" / "files.txt"
    return [
        Service(
            variant.name,
            folder / variant.name,
            partial(render, source, folder / variant.name, variant.answers, options),
            snapshot if snapshot.is_file() else None,
            is_fresh=True,
        )
        for variant in select_variants(list_variants(load_questions(source, options)), only)
    ]


def verify_shown(services: list[Service], jobs: int) -> list[ServiceResult]:
    """Verify, with progress on standard error and the results on standard output."""
    with shown_progress(messages, [service.name for service in services]) as progress:
        results = verify(services, jobs=jobs, progress=progress)
    print_results(results, output)
    return results


def exit_by(results: list[ServiceResult]) -> None:
    """Leave with status 3 unless everything passed."""
    if not all(result.passed for result in results):
        raise typer.Exit(CHECK_FAILED)


def draw_variants(variants: list[Variant]) -> Table:
    """One row per variant, with the answers in which it differs."""
    table = Table("name", "answers", box=None, pad_edge=False)
    for variant in variants:
        answers = (f"{name}={value}" for name, value in variant.answers.items())
        table.add_row(variant.name, Text(" ".join(answers)))
    return table


def main() -> None:
    """Run the command; every error leaves with status 2, and an expected one without traceback."""
    try:
        app()
    except RagseamError as error:
        messages.print(Text(f"error: {error.what}", "red"), soft_wrap=True)
        if error.fix:
            messages.print(Text(error.fix), soft_wrap=True)
    except Exception:  # noqa: BLE001
        traceback.print_exc()
    sys.exit(ERROR)
