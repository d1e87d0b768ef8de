"""Versions of a template in git, and Copier's own update from one to another."""

import contextlib
import io
import subprocess
import warnings
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from pathlib import Path

import copier
from packaging.version import InvalidVersion, Version

from .errors import TemplateError
from .questions import Question, read_questions
from .template import SOURCE_FIX, translated


@dataclass(frozen=True, slots=True)
class Release:
    """One version of a template in git.

    `ref` is the tag, branch or commit that was asked for or found newest; `label` names the
    commit as an answers file does, and `commit` in full.
    """

    source: str
    ref: str | None
    label: str
    commit: str
    version: Version
    questions: tuple[Question, ...]
    address: str
    """`source` as git reads it."""


def read_release(source: str, ref: str | None = None, *, prereleases: bool = False) -> Release:
    """The version of the template at `source` that `ref` names; the newest tag without one.

    Raises:
        TemplateError: there is no template at `source`, it is not in git, or has no such version.
    """
    with _silent(), translated():
        worker = copier.Worker(  # pyright: ignore[reportPrivateImportUsage]
            src_path=source, vcs_ref=ref, use_prereleases=prereleases
        )
        with worker:
            template = worker.template
            questions = read_questions(template.questions_data)
            commit, label, version = template.commit_hash, template.commit, template.version
            address = template.url_expanded
    if commit is None or label is None or version is None:
        raise TemplateError(f"{source} is not the top of a git repository, so has no versions")
    return Release(source, ref, label, commit, version, tuple(questions), address)


def later_releases(release: Release) -> list[str]:
    """Tags of the template after `release`, the oldest first, prereleases left out.

    Raises:
        TemplateError: the template can't be reached.
    """
    command = ["git", "ls-remote", "--tags", "--refs", "--", release.address]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise TemplateError(f"no tags to read at {release.address}", fix=SOURCE_FIX)
    tags = [line.partition("refs/tags/")[2] for line in done.stdout.splitlines()]
    later: list[tuple[Version, str]] = []
    for tag in tags:
        with contextlib.suppress(InvalidVersion):
            version = Version(tag)
            if version > release.version and not version.is_prerelease:
                later.append((version, tag))
    return [tag for _, tag in sorted(later)]


def update_in_place(
    service: Path, release: Release, answers: Mapping[str, object], answers_file: str
) -> None:
    """Update the committed `service` as `copier update --defaults` does.

    Raises:
        TemplateError: Copier stopped; `service` may be left half updated.
    """
    with _silent(), translated():
        copier.run_update(
            service,
            dict(answers),
            answers_file=answers_file,
            vcs_ref=release.ref or release.label,
            defaults=True,
            overwrite=True,
            quiet=True,
        )


@contextlib.contextmanager
def _silent() -> Generator[None]:
    with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
