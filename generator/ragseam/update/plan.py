"""What an update will do, found out in throw-away repositories; the service is only read."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import yaml

from ..errors import TemplateError
from ..releases import Release, update_in_place
from ..template import Rendering, render
from .git import commit_all, git_line, init_beside, renames
from .merge import Hunk, same
from .place import Kept, Moves, Note, Place, Placer
from .plain import Loss, find_losses, run_plain
from .project import Project, UpdateError, require_clean, require_full_address
from .tree import SUBMODULE, Entry, list_committed, read_committed, read_entry, read_folder
from .versions import Request, Versions, find_versions, require_kept_answers


@dataclass(frozen=True, slots=True)
class Answered:
    """A question of the new version, and the answer that it takes."""

    name: str
    help: str
    answer: object


@dataclass(frozen=True, slots=True)
class Plan:
    """What an update will do.

    `nothing` says why there is nothing to do, and is empty otherwise. `places` holds the paths
    to write, and what the conflicting ones are made of.
    """

    project: Project
    old: Release
    new: Release
    nothing: str = ""
    questions: tuple[Answered, ...] = ()
    dropped_questions: tuple[str, ...] = ()
    changed_answers: tuple[Answered, ...] = ()
    places: tuple[Place, ...] = ()
    kept: tuple[Kept, ...] = ()
    notes: tuple[Note, ...] = ()
    losses: tuple[Loss, ...] = ()

    @property
    def conflicts(self) -> dict[str, tuple[Hunk, ...]]:
        """Conflicting hunks by path."""
        return {place.path: place.hunks for place in self.places if place.hunks}

    @property
    def is_clean(self) -> bool:
        """Whether nothing is left to be done by hand."""
        return not self.conflicts and not self.kept


def make_plan(project: Project, request: Request, scratch: Path) -> Plan:
    """Find out what an update will do, below the empty folder `scratch`.

    Raises:
        UpdateError: the service or the template is in no state for it.
        AnswerError: an answer is none that the new version takes.
        TemplateError: one of the two versions can't be rendered.
    """
    require_clean(project)
    require_full_address(project)
    versions = find_versions(project, request)
    if versions.reason:
        return Plan(project, versions.old, versions.new, versions.reason)
    listed = list_committed(project)
    base, theirs, moved = _render_both(project, versions, scratch / "untouched")
    paths = {*base, *theirs, *moved.ours.values()}
    ours = read_committed(project, listed, paths)
    found = {path: read_entry(project.path / path) for path in paths if path not in listed}
    unheld = {path: entry for path, entry in found.items() if entry and path not in listed}
    placer = Placer(project, listed, base, ours, theirs, unheld, moved)
    placer.place_all()
    answers = _load(theirs, project.answers_file)
    require_kept_answers(versions.new.questions, project.answers, answers, versions.answers)
    known = {**ours, **unheld}
    result: dict[str, Entry | None] = {
        **known,
        **{place.path: place.entry for place in placer.places},
    }
    losses: list[Loss] = []
    if placer.kept or any(not same(base.get(path), entry) for path, entry in known.items()):
        plain = run_plain(project, versions, unheld, scratch / "plain")
        own = {path for path in listed if listed[path][0] != SUBMODULE} - known.keys()
        losses = find_losses(plain, base, known, theirs, result, own)
    return Plan(
        project,
        versions.old,
        versions.new,
        questions=_new_questions(versions, project.answers, answers),
        dropped_questions=tuple(sorted(_questions(project.answers) - _questions(answers))),
        changed_answers=_changed_answers(versions, project.answers, answers),
        places=tuple(placer.places),
        kept=tuple(sorted(placer.kept, key=lambda kept: kept.path)),
        notes=tuple(placer.notes),
        losses=tuple(losses),
    )


def _render_both(
    project: Project, versions: Versions, folder: Path
) -> tuple[dict[str, Entry], dict[str, Entry], Moves]:
    """What both versions render, the new one as an update of an untouched service."""
    recorded = {name: value for name, value in project.answers.items() if name[0] != "_"}
    options = Rendering(
        vcs_ref=project.ref, answers_file=project.answers_file,
        defaults=True, overwrite=True, quiet=True,
    )  # fmt: skip
    try:
        render(project.source, folder, recorded, options)
    except TemplateError as error:
        raise UpdateError(
            f"{versions.old.label}, which the service is at, can't be rendered again: {error.what}"
        ) from error
    answers_file = folder / project.answers_file
    answers_file.write_bytes((project.path / project.answers_file).read_bytes())
    init_beside(folder, project.path)
    commit_all(folder, versions.old.label)
    base = read_folder(folder)
    try:
        update_in_place(folder, versions.new, versions.answers, project.answers_file)
    except TemplateError as error:
        raise UpdateError(f"{versions.new.label} can't be rendered: {error.what}") from error
    theirs = read_folder(folder)
    old_tree = git_line(folder, "rev-parse", "HEAD^{tree}")
    commit_all(folder, versions.new.label)
    moved = renames(folder, old_tree, project.tree)
    ours = {
        old: new
        for old, new in moved.items()
        if len(base[old].content.split()) > 5 and new not in theirs
    }
    return base, theirs, Moves(ours, renames(folder, old_tree, "HEAD"))


def _load(tree: Mapping[str, Entry], answers_file: str) -> dict[str, object]:
    entry = tree.get(answers_file)
    loaded = yaml.safe_load(entry.content) if entry else None
    if not isinstance(loaded, dict):
        raise UpdateError(f"the new version of the template writes no {answers_file}")
    return cast("dict[str, object]", loaded)


def _questions(answers: Mapping[str, object]) -> set[str]:
    return {name for name in answers if not name.startswith("_")}


def _new_questions(
    versions: Versions, old: Mapping[str, object], new: Mapping[str, object]
) -> tuple[Answered, ...]:
    return tuple(
        Answered(question.name, question.help, new[question.name])
        for question in versions.new.questions
        if question.settable and question.name in new and question.name not in old
    )


def _changed_answers(
    versions: Versions, old: Mapping[str, object], new: Mapping[str, object]
) -> tuple[Answered, ...]:
    return tuple(
        Answered(question.name, question.help, new[question.name])
        for question in versions.new.questions
        if question.name in old
        and question.name in new
        and old[question.name] != new[question.name]
    )
