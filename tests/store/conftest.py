"""Copies of the installed services, in which heavier tests of their store run as their own."""

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


@pytest.fixture
def run_typescript_overlay(typescript_service: Path, tmp_path: Path) -> RunOverlay:
    """The same in TypeScript."""
    copied = copy_source(typescript_service, tmp_path / "service")
    (copied / "node_modules").symlink_to(typescript_service / "node_modules")

    def run_overlay(name: str) -> str:
        test = f"test/rag/store/{name}"
        shutil.copy(Path(__file__).parent / "overlay" / name, copied / test)
        return run(f"node node_modules/vitest/vitest.mjs run {test}", copied)

    return run_overlay
