"""Git as a child process, free of the caller's own `GIT_*` variables."""

import os
import subprocess
from pathlib import Path

from ..errors import RagseamError

IDENTITY = ("-c", "user.name=ragseam", "-c", "user.email=ragseam@localhost")
PLAIN = ("-c", "core.quotePath=off", "-c", "core.fsmonitor=false", "-c", "gc.auto=0")
UNHOOKED = ("-c", f"core.hooksPath={os.devnull}", "-c", "commit.gpgSign=false")


class GitError(RagseamError):
    """Git is missing, or ended with an error; `what` is the last line that it printed."""


def git(
    folder: Path,
    *arguments: str | Path,
    given: bytes | None = None,
    variables: dict[str, str] | None = None,
    accepted: tuple[int, ...] = (0,),
) -> bytes:
    """What `git` prints in `folder` when it reads `given`.

    Raises:
        GitError: its exit status is none of `accepted`.
    """
    environment = {name: text for name, text in os.environ.items() if not name.startswith("GIT_")}
    kept = ("GIT_CONFIG", "GIT_SSH", "GIT_ASKPASS", "GIT_TERMINAL_PROMPT", "GIT_CEILING")
    environment |= {name: os.environ[name] for name in os.environ if name.startswith(kept)}
    try:
        done = subprocess.run(
            ["git", *PLAIN, *IDENTITY, *UNHOOKED, *arguments],
            cwd=folder,
            input=given if given is not None else b"",
            env=environment | (variables or {}) | {"LC_ALL": "C"},
            capture_output=True,
        )
    except FileNotFoundError as error:
        raise GitError("git is not installed", fix="See https://git-scm.com/downloads.") from error
    if done.returncode not in accepted:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise GitError(said[-1] if said else f"git {arguments[0]} ended with {done.returncode}")
    return done.stdout


def git_line(folder: Path, *arguments: str | Path) -> str:
    """The one line that `git` prints."""
    return os.fsdecode(git(folder, *arguments)).removesuffix("\n")


def git_paths(folder: Path, *arguments: str | Path, given: bytes | None = None) -> list[str]:
    """What `git` prints between NUL bytes."""
    printed = git(folder, *arguments, given=given, accepted=(0, 1))
    return [os.fsdecode(path) for path in printed.split(b"\0") if path]


def init_beside(folder: Path, project: Path) -> None:
    """Make `folder` a repository that can read the objects of the one around `project`."""
    git(folder, "init", "--quiet")
    objects = Path(project, git_line(project, "rev-parse", "--git-path", "objects")).resolve()
    alternates = folder / ".git" / "objects" / "info" / "alternates"
    alternates.parent.mkdir(parents=True, exist_ok=True)
    alternates.write_bytes(os.fsencode(objects) + b"\n")
    for name in ("core.autocrlf", "core.eol", "core.fileMode", "core.symlinks"):
        if value := git(project, "config", "--get", name, accepted=(0, 1)).decode().strip():
            git(folder, "config", name, value)


def commit_all(folder: Path, message: str) -> None:
    """Commit what is in `folder`, less what it ignores."""
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--allow-empty", "--no-verify", "--message", message)


def renames(folder: Path, old: str, new: str) -> dict[str, str]:
    """New path by old path, of files that git takes to have moved from tree `old` to `new`."""
    options = ("-r", "-M", "--diff-filter=R", "--name-status", "-z")
    fields = iter(git_paths(folder, "diff-tree", *options, old, new))
    return {next(fields): next(fields) for _ in fields}
