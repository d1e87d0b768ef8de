"""Reads and renders the template. The only module that imports Copier."""

import contextlib
import importlib.metadata
import io
import json
import subprocess
import tempfile
import warnings
from collections.abc import Generator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any
from urllib.request import url2pathname

import copier
import jinja2
from copier.errors import CopierError, DirtyLocalWarning
from packaging.version import InvalidVersion, Version

from .bundle import template_at_hand
from .errors import TemplateError
from .questions import Question, read_questions

SOURCE_FIX = "Give --template a folder or a git address, and --vcs-ref a tag or commit of it."


@dataclass(frozen=True, slots=True)
class Rendering:
    """How to render, under the names that `copier.run_copy` gives its arguments."""

    answers_file: str | None = None
    vcs_ref: str | None = None
    exclude: tuple[str, ...] = ()
    use_prereleases: bool = False
    skip_if_exists: tuple[str, ...] = ()
    cleanup_on_error: bool = True
    defaults: bool = False
    overwrite: bool = False
    pretend: bool = False
    quiet: bool = False
    unsafe: bool = False
    skip_tasks: bool = False
    ask: tuple[str, ...] = ()


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


def default_source() -> str:
    """Where the template is when nobody says: the checkout or the address of this install.

    An install from a package index records neither; it uses the published address.
    """
    distribution = importlib.metadata.distribution("ragseam")
    if recorded := distribution.read_text("direct_url.json"):
        url = json.loads(recorded)["url"]
        if not url.startswith("file:"):
            return url
        checkout = Path(url2pathname(url.removeprefix("file://")))
        if (checkout / "copier.yml").is_file():
            return str(checkout)
    return published_address()


def published_address() -> str:
    """The template's own repository, from which every service takes its updates."""
    addresses = importlib.metadata.distribution("ragseam").metadata.get_all("Project-URL", [])
    return dict(address.split(", ", 1) for address in addresses)["Repository"] + ".git"


def load_questions(source: str, options: Rendering) -> list[Question]:
    """Questions of the template at `source`, in the order asked; renders nothing.

    Raises:
        TemplateError: there is no template at `source`, or none at `options.vcs_ref`.
    """
    nothing = replace(
        options, exclude=("*",), pretend=True, defaults=True, quiet=True, skip_tasks=True, ask=()
    )
    with (
        tempfile.TemporaryDirectory() as folder,
        contextlib.redirect_stderr(io.StringIO()),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore")
        with (
            _translated(f"no template to read at {source}: ", fix=SOURCE_FIX),
            template_at_hand(source, options.vcs_ref, address=published_address()),
        ):
            worker = copier.run_copy(source, Path(folder) / "unused", **asdict(nothing))
            questions = read_questions(worker.template.questions_data)
    if not questions:
        raise TemplateError(f"{source} is no template: it asks no questions")
    return questions


@dataclass(frozen=True, slots=True)
class OpenTemplate:
    """A template whose expressions can be evaluated, with its default answers."""

    _environment: jinja2.Environment
    _declared: Mapping[str, Mapping[str, Any]]
    _defaults: Mapping[str, object]

    @property
    def recorded(self) -> dict[str, object]:
        """The default of every question whose answer a service keeps."""
        return {
            name: self._defaults[name]
            for name, details in self._declared.items()
            if details.get("when", True) is not False
        }

    def takes(self, name: str, value: object) -> bool:
        """Whether the validator of a question takes a value, other answers being the defaults."""
        validator = str(self._declared[name].get("validator", ""))
        return not self._render(validator, {name: value}).strip()

    def computed(self, answers: Mapping[str, object]) -> dict[str, str]:
        """What is computed at each render, as text by name, in the order declared."""
        known = dict(answers)
        for name, details in self._declared.items():
            if details.get("when", True) is False:
                known[name] = self._render(str(details.get("default", "")), known)
        return {name: str(known[name]) for name in known.keys() - answers.keys()}

    def _render(self, expression: str, answers: Mapping[str, object]) -> str:
        return self._environment.from_string(expression).render({**self._defaults, **answers})


def open_template(source: str) -> OpenTemplate:
    """Open the template at `source`, a folder.

    Raises:
        TemplateError: it can't be read, or its defaults are not valid.
    """
    nothing = Rendering(exclude=("*",), pretend=True, defaults=True, quiet=True, skip_tasks=True)
    with tempfile.TemporaryDirectory() as folder, _translated():
        worker = copier.run_copy(source, Path(folder) / "unused", **asdict(nothing))
    return OpenTemplate(
        worker.jinja_env, worker.template.questions_data, dict(worker.answers.combined)
    )


def render(
    source: str, destination: Path, answers: Mapping[str, object], options: Rendering
) -> None:
    """Render the template at `source` into `destination`, as `copier copy` does.

    Raises:
        TemplateError: an answer fails its validator, there is no template at `source`, or
            Copier stopped for another reason; the cause is chained.
    """
    with warnings.catch_warnings(), contextlib.ExitStack() as stack:
        stack.enter_context(_translated())
        warnings.simplefilter("ignore", DirtyLocalWarning)
        if options.quiet:
            stack.enter_context(contextlib.redirect_stderr(io.StringIO()))
        address = published_address()
        stack.enter_context(template_at_hand(source, options.vcs_ref, address=address))
        copier.run_copy(source, destination, dict(answers), **asdict(options))


def read_release(source: str, ref: str | None = None, *, prereleases: bool = False) -> Release:
    """The version of the template at `source` that `ref` names; the newest tag without one.

    Raises:
        TemplateError: there is no template at `source`, it is not in git, or has no such version.
    """
    with _silent(), _translated():
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
    with _silent(), _translated():
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


@contextlib.contextmanager
def _translated(doing: str = "", fix: str = "") -> Generator[None]:
    try:
        yield
    except (CopierError, Exception) as error:  # an expression of a template may raise anything
        git: str = getattr(error, "stderr", "")
        detail = git.strip().splitlines()[-1] if git else str(error) or type(error).__name__
        raise TemplateError(f"{doing}{detail}", fix=fix) from error
