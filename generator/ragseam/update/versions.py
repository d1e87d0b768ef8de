"""The version that a service is at and the one to take, and which answers still fit."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ..errors import AnswerError, TemplateError
from ..questions import Question, cast_answer, check_answers
from ..releases import Release, read_release
from .git import GitError, git_line
from .project import Project, UpdateError


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked for: answers to change, and a version other than the newest release."""

    answers: Mapping[str, object] = field(default_factory=dict[str, object])
    ref: str | None = None
    prereleases: bool = False


@dataclass(frozen=True, slots=True)
class Versions:
    """The version that a service is at, the one asked for, and the answers given, cast."""

    old: Release
    new: Release
    answers: Mapping[str, object]
    reason: str = ""
    """Why there is nothing to update; empty when there is something."""


def find_versions(project: Project, request: Request) -> Versions:
    """Both versions.

    Raises:
        UpdateError: one of them is not there, or the new one is older.
        AnswerError: an answer, given or recorded, is none that the new version takes.
    """
    new = _read_new(project, request)
    old = _read_old(project)
    answers = check_answers(new.questions, request.answers)
    reason = ""
    if old.version > new.version:
        if request.ref is not None:
            raise UpdateError(
                f"{new.label} is older than {old.label}, which the service is at",
                fix="Only later versions can be taken. To go back, revert the commit of the "
                "update in the service's own history.",
            )
        reason = f"at {old.label}; the newest release, {new.label}, is older"
        new = old
    elif old.commit == new.commit:
        reason = f"at {old.label} already"
    if reason and any(project.answers.get(name) != value for name, value in answers.items()):
        reason = ""
    if not reason:
        _check_recorded(new.questions, project.answers, answers)
    return Versions(old, new, answers, reason)


def _read_new(project: Project, request: Request) -> Release:
    try:
        return read_release(project.source, request.ref, prereleases=request.prereleases)
    except TemplateError as error:
        if request.ref is not None and _is_there(project.source):
            raise UpdateError(
                f"the template at {project.source} has no version {request.ref}",
                fix="Give --vcs-ref one of its tags, or leave it out for the newest release.",
            ) from error
        raise UpdateError(
            f"there is no template to read at {project.source}: {error.what}",
            fix=f"If it has moved, write its new address into _src_path of "
            f"{project.path / project.answers_file}, and commit.",
        ) from error


def _is_there(source: str) -> bool:
    try:
        read_release(source, "HEAD")
    except TemplateError:
        return False
    return True


def _read_old(project: Project) -> Release:
    try:
        return read_release(project.source, project.ref)
    except TemplateError as error:
        if _is_shallow(project.source):
            raise UpdateError(
                f"the template at {project.source} is a shallow clone without {project.ref}, "
                "which the service was made from",
                fix=f"git -C {project.source} fetch --unshallow --tags",
            ) from error
        raise UpdateError(
            f"the template at {project.source} no longer has {project.ref}, "
            "which the service was made from",
            fix="Bring the tag back there, or write the nearest version that it has into _commit "
            f"of {project.path / project.answers_file}, and commit.",
        ) from error


def _is_shallow(source: str) -> bool:
    folder = Path(source).expanduser()
    try:
        return folder.is_dir() and git_line(folder, "rev-parse", "--is-shallow-repository") == (
            "true"
        )
    except GitError:
        return False


def _check_recorded(
    questions: tuple[Question, ...], recorded: Mapping[str, object], given: Mapping[str, object]
) -> None:
    """Refuse recorded answers that are no choice any more, which Copier resets in silence."""
    faults: list[str] = []
    for question in questions:
        name = question.name
        if not question.settable or not question.choices or name not in recorded or name in given:
            continue
        try:
            cast_answer(question, recorded[name])
        except ValueError as error:
            faults.append(f"{name}: {error}")
    if faults:
        names = dict.fromkeys(fault.partition(":")[0] for fault in faults)
        options = " ".join(f"--data {name}=VALUE" for name in names)
        raise AnswerError(
            [f"the new version no longer takes an answer of this service: {fault}"
             for fault in faults],
            fix=f"Choose anew: ragseam update {options}",
        )  # fmt: skip


def require_kept_answers(
    questions: tuple[Question, ...],
    old: Mapping[str, object],
    new: Mapping[str, object],
    given: Mapping[str, object],
) -> None:
    """Make sure that Copier has kept each answer that it was not told to change.

    Raises:
        AnswerError: it has not, as with an answer that a validator of the new version rejects.
    """
    faults = [
        f"{question.name}: {old[question.name]!r} is not valid in the new version, "
        f"and would become {new[question.name]!r}"
        for question in questions
        if question.settable
        and question.name in old
        and question.name in new
        and question.name not in given
        and old[question.name] != new[question.name]
    ]
    if faults:
        raise AnswerError(faults, fix="Answer it yourself: ragseam update --data NAME=VALUE")
