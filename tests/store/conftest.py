"""A copy of the installed service, in which heavier tests of its store run as its own tests."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from rendering import copy_source, environment, run

RunOverlay = Callable[[str], str]


@pytest.fixture(scope="session")
def store_service(service: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    copied = copy_source(service, tmp_path_factory.mktemp("store") / "service")
    for overlay in (Path(__file__).parent / "overlay").glob("*.py"):
        shutil.copy(overlay, copied / "tests" / "store" / f"test_{overlay.name}")
    return copied


@pytest.fixture
def run_overlay(service: Path, store_service: Path) -> RunOverlay:
    """Runs a file of `overlay/` with the service's own tools."""

    def run_overlay(name: str) -> str:
        test = f"tests/store/test_{name}"
        return run(
            f"pytest -p no:cacheprovider --tb=short {test}",
            store_service,
            environment(service, store_service),
        )

    return run_overlay
