"""A small template in git, a service made from it, and both kinds of update."""

import contextlib
import io
import json
import os
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import yaml
from copier import run_copy, run_update
from ragseam.cli import main
from rendering import ANSWERS_FILE, run

Files = Mapping[str, str | bytes | None]

QUESTIONS = """\
_subdirectory: files
_exclude: [".git", "{% if _copier_operation == 'update' %}/evals/corpus{% endif %}",
  "{% if ci != 'github' %}/.github{% endif %}", "{% if language != 'python' %}/src{% endif %}",
  "{% if language != 'typescript' %}/ts{% endif %}"]
project_name: {type: str, default: Acme}
package_name: {type: str, default: "{{ project_name | lower }}", ask: false}
colour: {type: str, default: red, choices: [red, green, blue]}
ci: {type: str, default: github, choices: [github, none]}
language: {type: str, default: python, choices: [python, typescript]}
"""
LINES = "".join(f"line {number}\n" for number in range(1, 21))
BINARY = b"\x89PNG\0template\0"
FIRST: Files = {
    "copier.yml": QUESTIONS,
    "files/{{_copier_conf.answers_file}}.jinja": "{{ _copier_answers|to_nice_yaml }}",
    "files/README.md.jinja": "# {{ project_name }}\n\n" + LINES,
    "files/guide.md": "A guide.\n" + LINES,
    "files/.gitignore": "*.log\n/local/\n",
    "files/logo.png": BINARY,
    "files/run.sh": "#!/bin/sh\n" + LINES,
    "files/evals/corpus/doc.md": "A document.\n",
    "files/.github/checks.yml": "on: push\n" + LINES,
    "files/src/{{package_name}}/stage.py": "def stage():\n    return 1\n" + "# x\n" * 20,
    "files/ts/stage.ts": "export const stage = 1;\n",
}


@dataclass(frozen=True, slots=True)
class Completed:
    """What a command printed, and its exit status."""

    returncode: int | str | None
    stdout: str
    stderr: str


def ragseam(*arguments: object) -> Completed:
    """Run `ragseam` in this process, without a terminal."""
    code: int | str | None = None
    with (
        patch("sys.argv", ["ragseam", *map(str, arguments)]),
        patch("sys.stdin", io.StringIO()),
        contextlib.redirect_stdout(io.StringIO()) as output,
        contextlib.redirect_stderr(io.StringIO()) as errors,
    ):
        try:
            main()
        except SystemExit as left:
            code = left.code
    return Completed(code, output.getvalue(), errors.getvalue())


def write(folder: Path, files: Files) -> None:
    """Write files by path; None removes."""
    for name, content in files.items():
        path = folder / name
        if content is None:
            path.unlink()
            with contextlib.suppress(OSError):
                path.parent.rmdir()
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)


def commit(folder: Path, message: str = "change", *, force: bool = False) -> None:
    run("git add --all --force" if force else "git add --all", folder)
    subprocess.run(["git", "commit", "-qm", message, "--allow-empty"], cwd=folder, check=True)


def release(template: Path, tag: str, files: Files) -> None:
    """Change files of the template, and tag it; paths are below its `files` folder."""
    write(template, {name if name == "copier.yml" else f"files/{name}": content
                     for name, content in files.items()})  # fmt: skip
    commit(template, tag, force=True)
    run(f"git tag {tag}", template)


def snapshot(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Mode and content of every file and link outside git's own folder."""
    found: dict[str, tuple[int, bytes]] = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if ".git" in path.relative_to(folder).parts:
            continue
        if path.is_symlink():
            found[name] = (0, os.fsencode(path.readlink()))
        elif path.is_file():
            found[name] = (path.stat().st_mode & 0o777, path.read_bytes())
    return found


@dataclass(frozen=True)
class Scene:
    """The template at 1.0.0 and a service made from it, both in git."""

    template: Path
    service: Path

    def edit(self, files: Files, *, commit_it: bool = True) -> None:
        """Change files of the service, and commit what git does not ignore."""
        write(self.service, files)
        if commit_it:
            commit(self.service)

    def release(self, files: Files, tag: str = "1.1.0") -> None:
        release(self.template, tag, files)

    def read(self, name: str) -> str:
        return (self.service / name).read_text(encoding="utf-8")

    def git(self, *arguments: str) -> str:
        return subprocess.run(
            ["git", *arguments], cwd=self.service, check=True, capture_output=True, text=True
        ).stdout

    def update(self, *arguments: object) -> "Completed":
        """`ragseam update --yes`."""
        return ragseam("update", self.service, "--yes", *arguments)

    def plan(self, *arguments: object) -> dict[str, Any]:
        """What `ragseam update --json` prints."""
        return json.loads(ragseam("update", self.service, "--json", *arguments).stdout)

    def plain(self, **options: Any) -> Path:
        """A copy of the service after plain `copier update --defaults`."""
        copy = self.service.with_name("plain")
        shutil.copytree(self.service, copy, symlinks=True)
        run_update(copy, defaults=True, overwrite=True, quiet=True, unsafe=False, **options)
        return copy

    def fresh(self, tag: str, **answers: Any) -> Path:
        """A fresh render at a tag."""
        folder = self.service.with_name("fresh") / self.service.name
        run_copy(str(self.template), folder, answers, vcs_ref=tag, defaults=True, quiet=True)
        return folder

    def answers(self) -> dict[str, Any]:
        return yaml.safe_load(self.read(ANSWERS_FILE))


def make_first(folder: Path) -> None:
    """Make the template at 1.0.0 and the service, below `folder`."""
    template, service = folder / "template", folder / "service"
    write(template, FIRST)
    (template / "files/run.sh").chmod(0o755)
    run("git init --quiet", template)
    commit(template, "1.0.0")
    run("git tag 1.0.0", template)
    run_copy(str(template), service, defaults=True, quiet=True)
    run("git init --quiet", service)
    run("git config core.autocrlf false", service)
    commit(service, "rendered")


def copy_first(first: Path, folder: Path) -> Scene:
    """A scene of one's own below `folder`."""
    for name in ("template", "service"):
        shutil.copytree(first / name, folder / name, symlinks=True)
    answers = folder / "service" / ANSWERS_FILE
    answers.write_text(answers.read_text().replace(str(first), str(folder)))
    commit(folder / "service", "rendered")
    return Scene(folder / "template", folder / "service")
