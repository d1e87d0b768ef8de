"""The boundary, read from the syntax trees of all sources. The table is in layout.py."""

import configparser
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from . import rules_imports, rules_loading, rules_tokens
from .layout import LAW, PACKAGE, PARTS
from .sources import Source, Violation, read_sources

ROOT = Path(__file__).parents[2]
SOURCES, MISPLACED = read_sources(ROOT)
RULES: tuple[Callable[[Source], Iterator[Violation]], ...] = (
    rules_imports.check_libraries,
    rules_imports.check_empty_roots,
    rules_loading.check_loading,
    rules_loading.check_programs,
    rules_loading.check_builtins,
    rules_loading.check_hooks,
    rules_loading.check_environment,
    rules_tokens.check_tokens,
    rules_tokens.check_copies,
)
RULES_OVER_ALL: tuple[Callable[[Sequence[Source]], Iterator[Violation]], ...] = (
    rules_imports.check_parts,
    rules_imports.check_law,
    rules_imports.check_names,
    rules_imports.check_borrowed,
    rules_tokens.check_sealers,
)


def report(violations: Sequence[Violation]) -> str:
    return "\n" + "\n".join(sorted({str(violation) for violation in violations}))


def test_every_part_has_sources_that_can_be_checked():
    assert not MISPLACED, report(MISPLACED)
    assert {source.part for source in SOURCES} >= {*PARTS, "", "rag"}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_each_module_keeps_the_rule(rule):
    violations = [violation for source in SOURCES for violation in rule(source)]
    assert not violations, report(violations)


@pytest.mark.parametrize("rule", RULES_OVER_ALL, ids=lambda rule: rule.__name__)
def test_the_package_keeps_the_rule(rule):
    violations = list(rule(SOURCES))
    assert not violations, report(violations)


def test_import_linter_checks_the_same_layout():
    config = configparser.ConfigParser()
    assert config.read(ROOT / ".importlinter", encoding="utf-8"), ".importlinter is missing"
    for part, forbidden in LAW.items():
        contract = config[f"importlinter:contract:{part}-law"]
        assert contract["source_modules"].split() == [f"{PACKAGE}.rag.{part}"]
        named = contract["forbidden_modules"].split()
        assert {name.removeprefix(f"{PACKAGE}.rag.") for name in named} == forbidden
    layers = config["importlinter:contract:layers"]
    assert layers.getboolean("exhaustive")
    assert set(layers["layers"].replace("|", " ").split()) == set(PARTS)


def test_import_linter_makes_no_exception():
    text = (ROOT / ".importlinter").read_text(encoding="utf-8")
    assert "ignore_imports" not in text, "an ignored import is a hole: allow it in layout.py"
    setup = ROOT / "setup.cfg"
    assert not setup.exists() or "importlinter" not in setup.read_text(encoding="utf-8"), (
        "lint-imports reads setup.cfg first: keep its contracts in .importlinter"
    )
