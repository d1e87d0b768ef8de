"""Reads and renders the template. It and `releases.py` are all that imports Copier."""

import contextlib
import importlib.metadata
import io
import json
import re
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


def full_address(source: str) -> str:
    """`source`, with a relative path made absolute: what an answers file records holds anywhere."""
    return str(Path(source).resolve()) if is_relative_path(source) else source


def is_relative_path(source: str) -> bool:
    """Whether `source` is a path that depends on the working folder, rather than an address."""
    return not re.match(r"/|~|[\w+.@-]+:", source)


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
            translated(f"no template to read at {source}: ", fix=SOURCE_FIX),
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
    _exclude: tuple[str, ...]

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
                known[name] = self._computed_text(str(details.get("default", "")), known)
        return {name: str(known[name]) for name in known.keys() - answers.keys()}

    def _computed_text(self, expression: str, answers: Mapping[str, object]) -> str:
        """The value, or why it can't be computed, which differs from any value."""
        try:
            return self._render(expression, answers)
        except jinja2.UndefinedError as error:
            return f"no value ({error})"

    def unknown_exclusions(self, answers: Mapping[str, object]) -> list[str]:
        """Patterns of `_exclude` that need more than `answers`, those of an older service."""
        return [
            pattern
            for pattern in self._exclude
            if not _renders(self._environment, pattern, {**answers, "_copier_operation": "update"})
        ]

    def _render(self, expression: str, answers: Mapping[str, object]) -> str:
        return self._environment.from_string(expression).render({**self._defaults, **answers})


def open_template(source: str) -> OpenTemplate:
    """Open the template at `source`, a folder.

    Raises:
        TemplateError: it can't be read, or its defaults are not valid.
    """
    nothing = Rendering(exclude=("*",), pretend=True, defaults=True, quiet=True, skip_tasks=True)
    with tempfile.TemporaryDirectory() as folder, translated():
        worker = copier.run_copy(source, Path(folder) / "unused", **asdict(nothing))
    return OpenTemplate(
        worker.jinja_env,
        worker.template.questions_data,
        dict(worker.answers.combined),
        tuple(worker.template.exclude),
    )


def _renders(environment: jinja2.Environment, text: str, names: Mapping[str, object]) -> bool:
    try:
        environment.from_string(text).render(names)
    except jinja2.UndefinedError:
        return False
    return True


def render(
    source: str, destination: Path, answers: Mapping[str, object], options: Rendering
) -> None:
    """Render the template at `source` into `destination`, as `copier copy` does.

    Raises:
        TemplateError: an answer fails its validator, there is no template at `source`, or
            Copier stopped for another reason; the cause is chained.
    """
    with warnings.catch_warnings(), contextlib.ExitStack() as stack:
        stack.enter_context(translated())
        warnings.simplefilter("ignore", DirtyLocalWarning)
        if options.quiet:
            stack.enter_context(contextlib.redirect_stderr(io.StringIO()))
        address = published_address()
        stack.enter_context(template_at_hand(source, options.vcs_ref, address=address))
        copier.run_copy(source, destination, dict(answers), **asdict(options))


@contextlib.contextmanager
def translated(doing: str = "", fix: str = "") -> Generator[None]:
    """Raise what Copier raises as a `TemplateError` that begins with `doing`."""
    try:
        yield
    except (CopierError, Exception) as error:  # an expression of a template may raise anything
        git: str = getattr(error, "stderr", "")
        detail = git.strip().splitlines()[-1] if git else str(error) or type(error).__name__
        raise TemplateError(f"{doing}{detail}", fix=fix) from error
