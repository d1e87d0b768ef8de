"""Services of every older version take what stands here, and lose nothing of their own.

Versions are the released tags; while there are none, commits of the past. With `HISTORY=all`, as
a release asks, each updated service passes all its checks; else those that take seconds.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from filelock import FileLock
from releases import NEXT, changed_places, count_versions, tagged_history
from rendering import ROOT, commit, install, load_answers, load_recorded, render_into, run
from uv import find_uv_bin

WHOLE = os.environ.get("HISTORY") == "all"
KEPT = "kept by its owner"
APPENDED = {
    "README.md": f"\n## Ours\n\n{KEPT}\n",
    "src/acme_search/rag/retrieve/fusion.py": f"\n\n# {KEPT}\n",
    "evals/corpus/overview.md": f"\n{KEPT}\n",
}
ADDED = {
    "evals/corpus/ours.md": f"# Ours\n\n{KEPT}\n",
    "src/acme_search/ours.py": f'"""Ours: {KEPT}."""\n',
}
GOLDEN = "evals/golden/queries.jsonl"
DEPENDENCY = '    "orjson>=3.10",\n'
USERS_OWN = ("evals/corpus/", "evals/golden/", ".copier-answers.yml", ".git/")

pytestmark = [pytest.mark.xdist_group("history"), pytest.mark.slow]


@pytest.fixture(scope="module")
def history(shared_dir: Path) -> tuple[Path, list[str]]:
    if run("git rev-parse --is-shallow-repository", ROOT).strip() == "true":
        if os.environ.get("CI"):
            pytest.fail("this clone is shallow; history tests need `fetch-depth: 0`")
        pytest.skip("this clone is shallow: no older version to render")
    with FileLock(shared_dir / "history.lock"):
        return tagged_history(shared_dir / "history")


@pytest.fixture(scope="module", params=range(count_versions()))
def tag(history: tuple[Path, list[str]], request: pytest.FixtureRequest) -> str:
    return history[1][request.param]


def rendered(template: Path, tag: str, destination: Path) -> Path:
    """A service of an older version, committed."""
    words = [sys.executable, "-m", "copier", "copy", "--defaults", "--quiet"]
    subprocess.run([*words, "--vcs-ref", tag, template, destination], check=True)
    commit(destination)
    return destination


def update(service: Path) -> int:
    """Exit status of `ragseam update`, which must not be that of an error."""
    words = [sys.executable, "-m", "ragseam", "update", "--yes", "--vcs-ref", NEXT]
    done = subprocess.run(words, cwd=service, capture_output=True, text=True, check=False)
    assert done.returncode in {0, 1}, done.stdout + done.stderr
    return done.returncode


def files(service: Path) -> dict[str, bytes]:
    paths = (path for path in service.rglob("*") if path.is_file())
    named = {path.relative_to(service).as_posix(): path for path in paths}
    return {name: path.read_bytes() for name, path in named.items() if is_templates(name)}


def is_templates(name: str) -> bool:
    return not name.startswith(USERS_OWN)


def edit(service: Path) -> None:
    """What the owner of a service does to it, committed."""
    for name, text in APPENDED.items():
        with (service / name).open("a", encoding="utf-8") as file:
            file.write(text)
    for name, text in ADDED.items():
        (service / name).write_text(text, encoding="utf-8")
    lines = (service / GOLDEN).read_text(encoding="utf-8").splitlines(keepends=True)
    (service / GOLDEN).write_text("".join(lines[1:]), encoding="utf-8")
    project = service / "pyproject.toml"
    before, after = project.read_text(encoding="utf-8").split("dependencies = [\n", 1)
    text = f"{before}dependencies = [\n{DEPENDENCY}{after}"
    project.write_text(text, encoding="utf-8")
    run("git add --all", service)
    run("git commit --quiet --message ours", service)


def test_an_untouched_service_becomes_a_fresh_render(
    history: tuple[Path, list[str]], tag: str, tmp_path: Path
):
    template, _ = history
    service = rendered(template, tag, tmp_path / "service")
    assert update(service) == 0
    assert load_recorded(service)["_commit"] == NEXT
    fresh = render_into(template, tmp_path / "fresh", load_answers(service))
    assert files(service) == files(fresh)


def test_what_its_owner_did_is_there_after_the_update(
    history: tuple[Path, list[str]], tag: str, tmp_path: Path
):
    template, _ = history
    service = rendered(template, tag, tmp_path / "service")
    old = files(service)
    edit(service)
    mine, golden = files(service), (service / GOLDEN).read_bytes()
    update(service)
    for name in (*APPENDED, *ADDED):
        assert KEPT in (service / name).read_text(encoding="utf-8"), name
    assert DEPENDENCY in (service / "pyproject.toml").read_text(encoding="utf-8")
    assert (service / GOLDEN).read_bytes() == golden
    new = files(render_into(template, tmp_path / "fresh", load_answers(service)))
    for name in conflicting(service):
        assert meet(old[name], mine[name], new.get(name, b"")), f"{name}: nobody met there"
    check(service)


def conflicting(service: Path) -> list[str]:
    texts = files(service).items()
    return [name for name, text in texts if b"\n<<<<<<< " in text or name.endswith(".rej")]


def meet(old: bytes, mine: bytes, new: bytes) -> bool:
    """Whether both sides changed the same lines, or neighbouring ones."""
    lines = old.decode().splitlines()
    ours, theirs = (changed_places(lines, side.decode().splitlines()) for side in (mine, new))
    return not ours.isdisjoint(theirs)


def check(service: Path) -> None:
    """The updated service passes its checks, once what met is settled in the template's favour."""
    for name in conflicting(service):
        run(f"git checkout --theirs -- {name}", service)
    install(service)
    uv = find_uv_bin()
    if WHOLE:
        run(f"{uv} run --quiet poe check", service)
    else:
        run(f"{uv} run --quiet lint-imports", service)
        run(f"{uv} run --quiet pytest tests/architecture", service)
    run(f"{uv} run --quiet acme-search index", service)
