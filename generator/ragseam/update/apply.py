"""Applies a plan: the files in one change, and git's index such that `git diff` holds it."""

import os
import tempfile
from pathlib import Path

from .git import git, git_line, git_paths
from .journal import Change, Watch, apply_changes
from .merge import with_line_ends_of
from .place import Place
from .plan import Plan
from .project import Project, UpdateError, require_clean
from .tree import check_out, read_entry, store_objects

NO_OBJECT = "0" * 40


def apply_plan(plan: Plan, watch: Watch = lambda _: None) -> None:
    """Write what `plan` says; nothing is committed or staged.

    Raises:
        UpdateError: the service has changed since it was planned, or something can't be
            written; the service is as it was.
    """
    project = plan.project
    _require_unchanged(plan)
    try:
        changes = _changes(project, plan.places)
        apply_changes(
            project.git_dir, project.head, changes, lambda index: _edit_index(plan, index), watch
        )
    except FileExistsError as error:
        raise UpdateError(
            f"git is at work in this repository: {error.filename} exists",
            fix="Wait until it has ended. If no git runs, delete that file.",
        ) from error
    except OSError as error:
        where = f" {error.filename}" if error.filename else ""
        raise UpdateError(
            f"can't write{where}: {error.strerror or error}",
            fix="Nothing of the service has been changed. Mend that, and update again.",
        ) from error


def _require_unchanged(plan: Plan) -> None:
    project = plan.project
    require_clean(project)
    moved_on = git_line(project.path, "rev-parse", "HEAD") != project.head
    unheld = (place for place in plan.places if not place.listed)
    if moved_on or any(read_entry(project.path / place.path) != place.before for place in unheld):
        raise UpdateError(
            f"{project.path} has changed since the update was planned", fix="Update again."
        )


def _changes(project: Project, places: tuple[Place, ...]) -> list[Change]:
    """Places as files of the working tree, with CR LF where the file there has it."""
    entries = {place.path: place.entry for place in places if place.entry}
    with tempfile.TemporaryDirectory() as folder:
        written = check_out(project, entries, Path(folder))
    changes: list[Change] = []
    for place in places:
        path = project.path / place.path
        entry = written[place.path] if place.entry else None
        changes.append(Change(path, entry and with_line_ends_of(read_entry(path), entry)))
    return changes


def _edit_index(plan: Plan, index: Path) -> None:
    """Tell `index` of the conflicts, and that the new files are meant to be added."""
    project = plan.project
    variables = {"GIT_INDEX_FILE": str(index)}
    if lines := _conflict_lines(plan):
        given = os.fsencode("".join(f"{line}\0" for line in lines))
        git(project.top, "update-index", "-z", "--index-info", given=given, variables=variables)
    added = [
        place.path for place in plan.places if place.listed and place.before is None and place.entry
    ]
    asked = b"".join(os.fsencode(path) + b"\0" for path in added)
    ignored = set(git_paths(project.path, "check-ignore", "-z", "--stdin", given=asked))
    if new := [path for path in added if path not in ignored]:
        given = b"".join(os.fsencode(f":(literal){path}") + b"\0" for path in new)
        git(
            project.path,
            *("add", "--intent-to-add", "--pathspec-from-file=-", "--pathspec-file-nul"),
            given=given,
            variables=variables,
        )


def _conflict_lines(plan: Plan) -> list[str]:
    """Input for `git update-index --index-info`: the three stages of each conflicting path."""
    project = plan.project
    lines: list[str] = []
    for place in plan.places:
        if not place.hunks:
            continue
        path = project.prefix / place.path
        lines.append(f"0 {NO_OBJECT}\t{path}")
        stages = [(stage, side) for stage, side in enumerate(place.sides, start=1) if side]
        with tempfile.TemporaryDirectory() as folder:
            contents = (side.content for _, side in stages)
            names = store_objects(project, contents, Path(folder))
        for (stage, side), name in zip(stages, names, strict=True):
            lines.append(f"{side.mode:o} {name} {stage}\t{path}")
    return lines
