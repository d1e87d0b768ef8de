"""Renders services, installs them, and runs commands in them."""

import os
import shutil
import subprocess
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from copier import run_copy
from copier.errors import DirtyLocalWarning
from uv import find_uv_bin

Render = Callable[..., Path]
Complain = Callable[..., str]
Answered = Callable[..., dict[str, Any]]

ROOT = Path(__file__).resolve().parents[1]
ANSWERS_FILE = ".copier-answers.yml"
NOT_SOURCE = (".git", ".venv", "node_modules", "__pycache__", ".rag", "*_cache", ".hypothesis")


def copy_template(destination: Path) -> Path:
    """Copy the template out of git, so that Copier reads it where it is, and it holds still."""
    made = shutil.ignore_patterns("__pycache__", "*_cache")
    shutil.copytree(ROOT / "templates", destination / "templates", ignore=made)
    shutil.copy(ROOT / "copier.yml", destination)
    return destination


def render_into(
    template: Path,
    destination: Path,
    answers: Mapping[str, Any],
    exclude: Sequence[str] = (),
) -> Path:
    """Render as `copier copy --defaults` does, without `--trust`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DirtyLocalWarning)
        run_copy(
            str(template),
            destination,
            data=dict(answers),
            exclude=exclude,
            defaults=True,
            quiet=True,
            unsafe=False,
        )
    return destination


MADE_BY_TOOLS = (".git/", ".venv/", ".ruff_cache/", ".pytest_cache/", "node_modules/")


def load_answers(service: Path) -> dict[str, Any]:
    """What the answers file records, less Copier's own entries."""
    recorded = load_recorded(service)
    return {name: value for name, value in recorded.items() if not name.startswith("_")}


def load_recorded(service: Path) -> dict[str, Any]:
    """The answers file whole, with where the template came from and its version."""
    return yaml.safe_load((service / ANSWERS_FILE).read_text(encoding="utf-8"))


def source_files(service: Path) -> dict[str, Path]:
    """Every file that came from the template, by its path with `/`, sorted."""
    paths = (path for path in sorted(service.rglob("*")) if path.is_file())
    relative = {path.relative_to(service).as_posix(): path for path in paths}
    return {name: path for name, path in relative.items() if not name.startswith(MADE_BY_TOOLS)}


def run(command: str, cwd: Path, env: Mapping[str, str] | None = None) -> str:
    """Run a command of words, and return what it prints.

    Raises:
        AssertionError: its exit status is not 0; the message holds all that it printed.
    """
    done = subprocess.run(
        command.split(), cwd=cwd, env=env, text=True, encoding="utf-8",
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{command}: exit {done.returncode}\n{done.stdout}"
    return done.stdout


def commit(folder: Path) -> None:
    """Make `folder` a repository that holds what it holds."""
    run("git init --quiet", folder)
    run("git add --all", folder)
    run("git commit --quiet --message rendered", folder)


def install(service: Path) -> None:
    """Install a service and its tools into its own `.venv`."""
    run(f"{find_uv_bin()} sync --quiet", service)


def copy_source(service: Path, destination: Path) -> Path:
    """Copy an installed service without its environment, to be changed."""
    shutil.copytree(service, destination, ignore=shutil.ignore_patterns(*NOT_SOURCE))
    return destination


def environment(installed: Path, source: Path) -> dict[str, str]:
    """Variables under which the tools of `installed` work on the copy in `source`."""
    path = f"{installed / '.venv' / 'bin'}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "PYTHONPATH": str(source / "src")}
