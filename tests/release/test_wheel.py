"""The wheel starts a service without a network, whose updates come from the real repo."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from ragseam.template import published_address
from ragseam.wheel import build_wheel
from rendering import ROOT, commit, load_recorded, run
from uv import find_uv_bin

pytestmark = [pytest.mark.xdist_group("wheel"), pytest.mark.slow]


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What stands at the published address: this checkout as committed, released as 0.1.0."""
    repository = tmp_path_factory.mktemp("published") / "ragseam"
    run(f"git clone --quiet {ROOT} {repository}", ROOT)
    for tag in run("git tag", repository).split():
        run(f"git tag --delete {tag}", repository)
    run("git tag 0.1.0", repository)
    return repository


@pytest.fixture(scope="module")
def ragseam(published: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command of a wheel that was built from the release, in an environment of its own."""
    folder = tmp_path_factory.mktemp("installed")
    wheel = build_wheel(published, folder)
    run(f"{find_uv_bin()} venv --quiet {folder / 'venv'}", folder)
    run(f"{find_uv_bin()} pip install --quiet --python {folder / 'venv'} {wheel}", folder)
    return folder / "venv" / "bin" / "ragseam"


def without_network(**settings: str) -> dict[str, str]:
    """Git may read files, and nothing else; `settings` are git's own."""
    names = {f"GIT_CONFIG_KEY_{at}": name for at, name in enumerate(settings)}
    values = {f"GIT_CONFIG_VALUE_{at}": value for at, value in enumerate(settings.values())}
    count = {"GIT_CONFIG_COUNT": str(len(settings))}
    return {**os.environ, "GIT_ALLOW_PROTOCOL": "file", **count, **names, **values}


@pytest.fixture(scope="module")
def service(ragseam: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("offline")
    run(f"{ragseam} new service --defaults --quiet", folder, env=without_network())
    return folder / "service"


def test_a_service_names_the_real_repo_and_the_version(service: Path):
    recorded = load_recorded(service)
    assert recorded["_src_path"] == published_address()
    assert recorded["_commit"] == "0.1.0"
    assert (service / "src/acme_search/rag/retrieve/fusion.py").exists()


def test_a_checkout_leaves_no_bundle_behind(published: Path, ragseam: Path):
    assert run("git status --porcelain --ignored", published) == ""


def test_another_version_is_fetched_and_not_taken_from_the_wheel(ragseam: Path, tmp_path: Path):
    refused = subprocess.run(
        [ragseam, "new", "service", "--defaults", "--quiet", "--vcs-ref", "0.0.9"],
        cwd=tmp_path, env=without_network(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert refused.returncode == 2
    assert "Traceback" not in refused.stderr
    assert not (tmp_path / "service").exists()


def test_a_later_update_comes_from_the_real_repo(published: Path, service: Path, tmp_path: Path):
    newer = shutil.copytree(published, tmp_path / "newer")
    readme = newer / "templates/{{python_layer}}/pyproject.toml.jinja"
    readme.write_text(readme.read_text(encoding="utf-8") + "\n# newer\n", encoding="utf-8")
    run("git commit --quiet --all --message newer", newer)
    run("git tag 0.2.0", newer)
    commit(service)
    redirected = {f"url.{newer}.insteadOf": published_address()}
    command = f"{sys.executable} -m copier update --defaults --quiet"
    run(command, service, env=without_network(**redirected))
    assert load_recorded(service)["_commit"] == "0.2.0"
    assert "# newer" in (service / "pyproject.toml").read_text(encoding="utf-8")
