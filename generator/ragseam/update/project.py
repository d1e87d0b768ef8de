"""A service in its git repository, and what of it stands in the way of an update."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import cast

import yaml

from ..errors import RagseamError
from ..template import is_relative_path
from .git import GitError, git_line, git_paths

ANSWERS_FILE = ".copier-answers.yml"
SHOWN_PATHS = 5


class UpdateError(RagseamError):
    """The service can't be updated; nothing of it has been changed."""


@dataclass(frozen=True, slots=True)
class Project:
    """A committed service.

    `prefix` leads from the top of the repository to the service, and `tree` is the object name
    of what is committed of it. `git_dir` belongs to this working tree alone.
    """

    path: Path
    top: Path
    prefix: PurePosixPath
    git_dir: Path
    head: str
    tree: str
    answers: Mapping[str, object]
    answers_file: str

    @property
    def source(self) -> str:
        """Address of the template that it was made from."""
        return str(self.answers["_src_path"])

    @property
    def ref(self) -> str:
        """Version of the template that it was made from."""
        return str(self.answers["_commit"])


def find_git_dir(path: Path) -> Path:
    """Where git keeps what belongs to the working tree around `path`.

    Raises:
        UpdateError: `path` is in no repository.
    """
    try:
        return Path(git_line(path, "rev-parse", "--absolute-git-dir"))
    except GitError as error:
        if "not a git repository" not in error.what:
            raise
        raise UpdateError(
            f"{path} is in no git repository, so an update could not be looked at or undone",
            fix=f"cd {path} && git init && git add --all && git commit -m 'Before the update'",
        ) from error


def open_project(path: Path, answers_file: str = ANSWERS_FILE) -> Project:
    """The service at `path`, as committed.

    Raises:
        UpdateError: it is not in a repository, not committed, or not made from a template that
            its answers file names in full.
    """
    path = path.resolve()
    git_dir = find_git_dir(path)
    answers = read_recorded(path, answers_file)
    top = Path(git_line(path, "rev-parse", "--show-toplevel")).resolve()
    prefix = PurePosixPath(path.relative_to(top).as_posix())
    try:
        head = git_line(path, "rev-parse", "--verify", "HEAD^{commit}")
        below = "HEAD^{tree}" if path == top else f"HEAD:{prefix}"
        tree = git_line(path, "rev-parse", "--verify", below)
    except GitError as error:
        raise UpdateError(
            f"{path} is not committed yet",
            fix=f"cd {path} && git add --all && git commit -m 'Before the update'",
        ) from error
    return Project(path, top, prefix, git_dir, head, tree, answers, answers_file)


def read_recorded(path: Path, answers_file: str = ANSWERS_FILE) -> dict[str, object]:
    """The answers file, Copier's own entries among it.

    Raises:
        UpdateError: there is none, or it does not say which version of which template.
    """
    file = path / answers_file
    try:
        recorded = yaml.safe_load(file.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise UpdateError(
            f"{path} has no {answers_file}, so nothing says what it was made from",
            fix="Give the folder of a service made by `ragseam new` or `copier copy`, "
            "or bring the file back from its history.",
        ) from error
    except (yaml.YAMLError, UnicodeDecodeError, OSError) as error:
        said = str(error).splitlines()[0]
        raise UpdateError(
            f"{file} can't be read: {said}", fix=f"git -C {path} checkout HEAD -- {answers_file}"
        ) from error
    if not isinstance(recorded, dict):
        recorded = {}
    for name in ("_src_path", "_commit"):
        if not cast("dict[str, object]", recorded).get(name):
            raise UpdateError(
                f"{file} has no {name}, so there is no version to update from",
                fix="A template outside git has no versions. Name its git address in _src_path, "
                "the tag it was made from in _commit, and commit.",
            )
    return {str(name): value for name, value in cast("dict[object, object]", recorded).items()}


def require_clean(project: Project) -> None:
    """Make sure that everything in the service is committed.

    Raises:
        UpdateError: something is not; the message names the first few paths.
    """
    status = git_paths(project.path, "status", "--porcelain", "-z", "--no-renames", "--", ".")
    if not status:
        return
    more = [f"and {len(status) - SHOWN_PATHS} more"] if len(status) > SHOWN_PATHS else []
    named = ", ".join([entry[3:] for entry in status[:SHOWN_PATHS]] + more)
    raise UpdateError(
        f"{project.path} has changes that are not committed: {named}",
        fix=f"Commit them, or put them away: git -C {project.path} stash --include-untracked",
    )


def require_full_address(project: Project) -> None:
    """Make sure that the template's address means the same from every folder.

    Raises:
        UpdateError: it is a relative path.
    """
    if is_relative_path(project.source):
        raise UpdateError(
            f"{project.answers_file} names the template by a relative path, {project.source}",
            fix=f"Write its full path or git address into _src_path of "
            f"{project.path / project.answers_file}, and commit.",
        )
