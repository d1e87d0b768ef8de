"""One template, committed once; services rendered from it, and one of them installed."""

import json
import os
import shutil
import signal
import sys
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock
from plumbum import local
from ragseam.node import install_shared
from rendering import ROOT, Render, commit, copy_template, install, render_into


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker here, so that one test file runs on its own too."""
    config.addinivalue_line("markers", "slow: installs a rendered service")
    # In the background of a script Ctrl-C is ignored, and would be by all that tests start.
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def copier_template_root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def copier_template_paths() -> list[str]:
    """Named, since the plugin would otherwise commit in the checkout itself."""
    return ["copier.yml", "templates"]


@pytest.fixture(scope="session")
def shared_dir(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """One folder for all workers of this run."""
    own = tmp_path_factory.getbasetemp()
    return own if worker_id == "master" else own.parent


@pytest.fixture(scope="session", autouse=True)
def isolated_environment(
    sessionpatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Neither the user's Copier settings, nor an active environment, nor a service's settings.

    Copier runs git through plumbum, which keeps an environment of its own. The package cache
    of uv stays shared: it is what makes an install take a second.
    """
    own = tmp_path_factory.mktemp("copier")
    (own / "settings.yml").write_text("{}\n")
    chosen = {
        "COPIER_SETTINGS_PATH": str(own / "settings.yml"),
        "COPIER_CACHE_DIR": str(own / "cache"),
        "UV_NO_PROGRESS": "1",
        "UV_PYTHON": str(Path(sys.executable).resolve()),
    }
    for name, value in chosen.items():
        sessionpatch.setenv(name, value)
        sessionpatch.setitem(local.env, name, value)
    tied = ("VIRTUAL_ENV", "UV_PROJECT_ENVIRONMENT", "PYTHONPATH")
    foreign = (*tied, "OPENAI_API_KEY", "ANTHROPIC_API_KEY")
    for name in [*foreign, *(name for name in os.environ if name.startswith("RAG_"))]:
        sessionpatch.delenv(name, raising=False)
        sessionpatch.delitem(local.env, name, raising=False)


@pytest.fixture(scope="session")
def template_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The template without a history: half as slow to render as a repository."""
    return copy_template(tmp_path_factory.mktemp("template"))


@pytest.fixture(scope="session")
def render(template_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Render:
    """Renders answers that differ from the defaults; equal answers share a folder, to be read."""
    rendered: dict[str, Path] = {}

    def render(**answers: Any) -> Path:
        key = json.dumps(answers, sort_keys=True)
        if key not in rendered:
            rendered[key] = tmp_path_factory.mktemp("rendered") / "service"
            render_into(template_folder, rendered[key], answers)
        return rendered[key]

    return render


@pytest.fixture(scope="session")
def service(copier_template: Path, shared_dir: Path) -> Path:
    """The default service, committed and installed, one for all workers. Copy it to change it."""
    path = shared_dir / "service"
    with FileLock(shared_dir / "service.lock"):
        if not (path / ".venv" / ".installed").exists():
            render_into(copier_template, path, {})
            commit(path)
            install(path)
            (path / ".venv" / ".installed").touch()
    return path


@pytest.fixture(scope="session")
def node() -> None:
    """Node is there; a machine of CI without it fails, and another one skips and says so."""
    if shutil.which("npm") is None:
        reason = "TypeScript is not tested: Node.js 20.19 or newer is not installed"
        pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)


@pytest.fixture(scope="session")
def typescript_service(node: None, copier_template: Path, shared_dir: Path) -> Path:
    """The default service in TypeScript, committed and installed, one for all workers."""
    path = shared_dir / "typescript"
    with FileLock(shared_dir / "typescript.lock"):
        if not (path / "node_modules" / ".installed").exists():
            render_into(copier_template, path, {"language": "typescript"})
            commit(path)
            install_shared(path)
            (path / "node_modules" / ".installed").touch()
    return path
