"""The rendered boundary check as a function."""

import importlib
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

Judge = Callable[[Path], list[Any]]


@pytest.fixture(scope="session")
def plain_service(render: Callable[..., Path]) -> Path:
    """A default service, rendered and not installed."""
    return render()


@pytest.fixture(scope="session")
def judge(plain_service: Path) -> Iterator[Judge]:
    """Lists the violations in a folder, by every rule of the rendered check.

    A module that is the same in two cases is parsed and checked once, which is what lets
    hundreds of cases take seconds.
    """
    sys.path.insert(0, str(plain_service / "tests"))
    check = importlib.import_module("architecture.test_boundary")
    sources = importlib.import_module("architecture.sources")
    parse = sources._parse
    parsed: dict[tuple[Path, bytes], Any] = {}

    def parse_once(path: Path, root: Path) -> Any:
        key = (path.relative_to(root), path.read_bytes())
        if key not in parsed:
            parsed[key] = parse(path, root)
        return parsed[key]

    @cache
    def breaches(rule: Callable[[Any], Iterator[Any]], source: Any) -> list[Any]:
        return list(rule(source))

    def violations(service: Path) -> list[Any]:
        modules, misplaced = sources.read_sources(service)
        found = list(misplaced)
        for rule in check.RULES:
            found += (one for module in modules for one in breaches(rule, module))
        for rule in check.RULES_OVER_ALL:
            found += rule(modules)
        return found

    sources._parse = parse_once
    yield violations
    sys.path.remove(str(plain_service / "tests"))
    for name in [name for name in sys.modules if name.partition(".")[0] == "architecture"]:
        del sys.modules[name]
