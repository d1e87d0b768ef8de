"""A service beside the template: its version, its answers, and its boundary files."""

import difflib
import tempfile
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

from ..errors import TemplateError
from ..questions import cast_answer
from ..releases import Release, later_releases, read_release
from ..template import Rendering, render
from ..update.project import Project
from ..update.tree import Entry, Tree, read_entry, read_folder
from .finding import Finding, Level, shown

VERSION, ANSWERS, BOUNDARY = "version", "answers", "boundary"
BOUNDARY_FILES = (".importlinter", "tests/architecture/*", ".dependency-cruiser.*")
SHOWN_LINES = 6


def check_origin(project: Project) -> Iterator[Finding]:
    """Findings that need the template; one alone when it can't be read."""
    try:
        release = read_release(project.source, project.ref)
        later = later_releases(release)
    except TemplateError as error:
        text = f"{project.ref} of the template at {project.source} can't be read: {error.what}"
        yield Finding(
            VERSION,
            Level.PROBLEM,
            text,
            "unreadable",
            f"ragseam update {project.path}    # says what to mend",
        )
        return
    yield _check_version(project, release, later)
    faults = list(_answer_faults(project, release))
    with tempfile.TemporaryDirectory() as folder:
        rendered = Path(folder) / "service"
        try:
            _render(project, rendered)
        except TemplateError as error:
            faults = faults or [error.what]
        yield from faults_found(project, faults)
        if rendered.exists():
            yield from check_boundary(project.path, read_folder(rendered))


def _check_version(project: Project, release: Release, later: list[str]) -> Finding:
    if not later:
        return Finding(VERSION, Level.OK, f"at {release.label}, the newest", release.label)
    text = f"at {release.label}; {len(later)} later: {shown(later)}"
    brief = f"{release.label}, {len(later)} behind"
    return Finding(VERSION, Level.NOTE, text, brief, f"ragseam update {project.path}")


def _answer_faults(project: Project, release: Release) -> Iterator[str]:
    """What the questionnaire of the service's own version says to its answers."""
    asked = {question.name: question for question in release.questions}
    for name, answer in project.answers.items():
        if name.startswith("_"):
            continue
        if name not in asked:
            yield f"{name}: the template asks no such question"
        elif asked[name].choices:
            try:
                cast_answer(asked[name], answer)
            except ValueError as error:
                yield f"{name}: {error}"
    for name, question in asked.items():
        if question.settable and question.asked is True and name not in project.answers:
            yield f"{name}: not answered"


def _render(project: Project, folder: Path) -> None:
    answers = {name: value for name, value in project.answers.items() if name[0] != "_"}
    options = Rendering(
        vcs_ref=project.ref, answers_file=project.answers_file,
        defaults=True, overwrite=True, quiet=True,
    )  # fmt: skip
    render(project.source, folder, answers, options)


def faults_found(project: Project, faults: list[str]) -> Iterator[Finding]:
    """One problem for each fault among the answers, or that there is none."""
    if not faults:
        answers = sum(not name.startswith("_") for name in project.answers)
        yield Finding(ANSWERS, Level.OK, f"{answers} answers, all valid", "ok")
    for fault in faults:
        name = fault.partition(":")[0]
        known = name if name.isidentifier() else "NAME"
        yield Finding(
            ANSWERS,
            Level.PROBLEM,
            fault,
            f"{len(faults)} invalid",
            f"git -C {project.path} log -p -- {project.answers_file}    # then restore it, or: "
            f"ragseam update {project.path} --data {known}=VALUE",
        )


def check_boundary(path: Path, rendered: Tree) -> Iterator[Finding]:
    """The files that keep generation from fetching its own context, beside the rendered ones."""
    expected = {
        name: entry
        for name, entry in rendered.items()
        if any(fnmatch(name, pattern) for pattern in BOUNDARY_FILES)
    }
    changed = 0
    for name, entry in sorted(expected.items()):
        there = read_entry(path / name)
        if there is None:
            changed += 1
            yield Finding(
                BOUNDARY,
                Level.PROBLEM,
                f"{name} is gone",
                "gone",
                f"git -C {path} log --diff-filter=D -- {name}    # then bring it back",
            )
        elif there.with_lf.content != entry.with_lf.content:
            changed += 1
            yield _changed(path, name, entry, there)
    if expected and not changed:
        text = f"{len(expected)} files, as the template has them"
        yield Finding(BOUNDARY, Level.OK, text, "ok")


def _changed(path: Path, name: str, rendered: Entry, there: Entry) -> Finding:
    before, after = (
        entry.with_lf.content.decode(errors="replace").splitlines() for entry in (rendered, there)
    )
    lines = [
        line
        for line in difflib.unified_diff(before, after, lineterm="", n=0)
        if not line.startswith(("---", "+++", "@@"))
    ]
    added = sum(line.startswith("+") for line in lines)
    more = [f"… {len(lines) - SHOWN_LINES} more"] if len(lines) > SHOWN_LINES else []
    return Finding(
        BOUNDARY,
        Level.NOTE,
        f"{name} is changed: {added} lines added, {len(lines) - added} removed",
        "changed",
        f"uv --directory {path} run poe boundary    # does it still reject what it should?",
        (*lines[:SHOWN_LINES], *more),
    )
