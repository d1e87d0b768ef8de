"""What in a template would hurt the services that were rendered from an older one.

Copier says nothing when an update drops an answer or a file, so it is found out before a release.
"""

import fnmatch
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import cast

import yaml

from .questions import Question
from .template import OpenTemplate, Rendering, load_questions, open_template
from .variants import list_variants

NUMBERS = (0, 1, 2, 5, 8, 10, 20, 50, 60, 99, 100, 101, 200, 500, 1000, 1200, 5000, 20_000, 100_000)
TEXTS = (
    "A", "b2", "Acme Search", "acme-search", "acme_search", "Data.Search 2", "A" * 50, "Größe",
    "UPPER CASE", "it's \"quoted\"", "50 % of it: {{ x }} #1", "emoji 🙂", "x" * 200, "",
)  # fmt: skip
"""Answers that somebody may have given; tried on every free question."""

_LAYER = re.compile(r"\{\{ ?\w+_layer ?\}\}")
_TAGS = re.compile(r"\{%.*?%\}|\{\{.*?\}\}")


@dataclass(frozen=True, slots=True)
class Break:
    """One thing that an existing service would lose: the rule, where, and the way round."""

    rule: str
    what: str
    way_round: str


def find_breaks(old: Path, new: Path) -> list[Break]:
    """Compare two folders of one template, the released one and the next, question by question.

    Validators are tried on `NUMBERS` and `TEXTS`: a difference that shows on none is missed.

    Raises:
        TemplateError: one of them can't be read or rendered.
    """
    before = load_questions(str(old), Rendering())
    after = {question.name: question for question in load_questions(str(new), Rendering())}
    opened = open_template(str(old)), open_template(str(new))
    kept = [(question, after[question.name]) for question in before if question.name in after]
    return [
        *(_removed(question) for question in before if question.name not in after),
        *chain.from_iterable(_question_breaks(*pair) for pair in kept),
        *_tightened(*opened, [question for question, _ in kept]),
        *_computed_breaks(*opened, [question for question, _ in kept]),
        *_path_breaks(old, new),
        *_exclusion_breaks(*opened),
    ]


def _removed(question: Question) -> Break:
    return Break(
        "question-removed",
        f"{question.name} is asked no more, so its answer is dropped",
        "Keep it with `ask: false`: it is recorded, and nobody is asked.",
    )


def _question_breaks(before: Question, after: Question) -> Iterator[Break]:
    gone = [value for value in before.choices.values() if value not in after.choices.values()]
    if gone:
        yield Break(
            "choice-removed",
            f"{before.name} no longer takes {', '.join(map(str, gone))}",
            "Keep the choice, with a label that says what replaces it.",
        )
    if (before.kind, before.multiselect) != (after.kind, after.multiselect):
        yield Break(
            "type-changed",
            f"{before.name} was {before.kind} and is {after.kind}",
            "Ask a new question, and derive its default from the old answer.",
        )


def _tightened(
    old: OpenTemplate, new: OpenTemplate, questions: Sequence[Question]
) -> Iterator[Break]:
    for question in questions:
        if question.choices or not question.settable or question.kind == "bool":
            continue
        probes = NUMBERS if question.kind in ("int", "float") else TEXTS
        refused = [
            probe
            for probe in probes
            if old.takes(question.name, probe) and not new.takes(question.name, probe)
        ]
        if refused:
            yield Break(
                "validator-tightened",
                f"{question.name} no longer takes {refused[0]!r}",
                "Accept what was accepted; warn in the help text, or check it in the service.",
            )


def _computed_breaks(
    old: OpenTemplate, new: OpenTemplate, questions: Sequence[Question]
) -> Iterator[Break]:
    """Compare what is computed, variant by variant."""
    moved: dict[str, str] = {}
    for variant in list_variants(questions):
        recorded = old.recorded | variant.answers
        before, after = old.computed(recorded), new.computed(recorded)
        for name in before.keys() & after.keys():
            if before[name] != after[name]:
                moved.setdefault(name, f"{before[name]} became {after[name]} ({variant.name})")
    for name, how in sorted(moved.items()):
        yield Break(
            "default-changed",
            f"{name}: {how}",
            "Record it with `ask: false`, so that services keep theirs, and change the default.",
        )


def _path_breaks(old: Path, new: Path) -> Iterator[Break]:
    """Files of the template that went; a path that is excluded under any condition is retired."""
    retired = _excluded(new)
    for path in sorted(_paths(old) - _paths(new)):
        if not any(_covers(pattern, path) for pattern in retired):
            yield Break(
                "path-removed",
                f"{path} is rendered no more, so an update deletes it",
                "List it in `_exclude` of copier.yml, so that services keep theirs.",
            )


def _exclusion_breaks(old: OpenTemplate, new: OpenTemplate) -> Iterator[Break]:
    """Copier renders the older version with the newer exclusions, and with the older answers."""
    known = {**old.recorded, **old.computed(old.recorded)}
    for pattern in new.unknown_exclusions(known):
        yield Break(
            "exclusion-undefined",
            f"{pattern!r} in `_exclude` asks for an answer that older services don't have",
            "Give it a default there, as in `{% if linter | default('biome') … %}`.",
        )


def _paths(template: Path) -> set[str]:
    """Paths as services have them, whatever the layer; names that answers fill stay as they are."""
    settings = yaml.safe_load((template / "copier.yml").read_text(encoding="utf-8"))
    root = template / settings.get("_subdirectory", ".")
    files = (path.relative_to(root) for path in root.rglob("*") if path.is_file())
    inside = (path.parts[1:] if _LAYER.fullmatch(path.parts[0]) else path.parts for path in files)
    return {"/".join(parts).removesuffix(".jinja") for parts in inside if parts[0] != "_macros"}


def _excluded(template: Path) -> list[str]:
    """Patterns of `_exclude`, whatever their condition."""
    settings = yaml.safe_load((template / "copier.yml").read_text(encoding="utf-8"))
    patterns = cast("list[str]", settings.get("_exclude", []))
    return [_TAGS.sub("", pattern).strip().strip("/") for pattern in patterns]


def _covers(pattern: str, path: str) -> bool:
    return fnmatch.fnmatchcase(path, pattern) or path.startswith(f"{pattern}/")
