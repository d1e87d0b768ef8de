import os
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from pages import CONSOLE, DEMO, check_page, matches, read_commands, refreshed, run_page
from ragseam.reference import build_pages
from rendering import ROOT, copy_source, install, run

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
HOW_TO = ROOT / "docs" / "how-to"
LINK = re.compile(r"\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)")


def compare(page: Path, printed: Sequence[str], words: str = CONSOLE) -> None:
    """Check a page against what its commands printed; `make docs` mends it first."""
    text = page.read_text(encoding="utf-8")
    if os.environ.get("REFRESH_PAGES"):
        text = refreshed(text, printed, words)
        page.write_text(text, encoding="utf-8")
    check_page(text, printed, words)


Follow = Callable[[Path, Path], list[str]]


@pytest.fixture
def follow() -> Follow:
    """Runs a page with `uv`, `copier` and `ragseam` on the path, and checks or rewrites it."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "NO_COLOR": "1"}

    def follow(page: Path, folder: Path) -> list[str]:
        printed = run_page(page, folder, environment)
        compare(page, printed)
        return printed

    return follow


def clone(template: Path, folder: Path) -> Path:
    """A checkout in a folder of its own, so that `..` is free for what a page renders."""
    run(f"git clone --quiet {template} {folder / 'ragseam'}", folder)
    return folder / "ragseam"


def test_generated_pages_are_fresh(service):
    """`make docs` would change nothing."""
    for name, text in build_pages(str(ROOT), service / ".venv" / "bin").items():
        written = (ROOT / "docs" / name).read_text(encoding="utf-8")
        assert written == text, f"docs/{name} is stale: run `make docs`"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page):
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_every_page_is_reached_from_the_index():
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    for page in [*HOW_TO.glob("*.md"), *(ROOT / "docs" / "reference").glob("*.md")]:
        assert f"{page.parent.name}/{page.name}" in index


@pytest.mark.slow
def test_the_readme_prints_what_it_shows(follow, copier_template, tmp_path):
    """In a checkout, as a newcomer stands."""
    assert len(follow(ROOT / "README.md", clone(copier_template, tmp_path))) >= 3


@pytest.mark.slow
def test_the_demo_runs_and_prints_what_the_readme_shows(tmp_path):
    """The readme shows a choice of its commands; the rest of the transcript has no noise."""
    demo = [sys.executable, "-m", "ragseam.demo"]
    done = subprocess.run(demo, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    readme = ROOT / "README.md"
    shown = read_commands(readme.read_text(encoding="utf-8"), DEMO)
    sections = re.split(r"^(?=[$#] )", done.stdout, flags=re.MULTILINE)
    outputs = dict(section.removeprefix("$ ").split("\n", 1) for section in sections[1:])
    compare(readme, [outputs[command.line] for command in shown], DEMO)
    *_, last = outputs.values()
    assert len(last.splitlines()) == 3
    assert len(done.stdout.splitlines()) < 80
    assert not re.search(r"warn|notice|deprecat", done.stdout + done.stderr, re.IGNORECASE)


def test_a_demo_that_fails_stops_with_an_error(tmp_path):
    """Here the folder to render into can't be made."""
    (tmp_path / "build").touch()
    demo = [sys.executable, "-m", "ragseam.demo"]
    done = subprocess.run(demo, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "The demo stopped" in done.stdout


@pytest.mark.slow
def test_the_tutorial_can_be_followed(follow, copier_template, tmp_path):
    assert len(follow(ROOT / "docs" / "tutorial.md", clone(copier_template, tmp_path))) >= 10


@pytest.mark.slow
def test_a_monorepo_holds_a_service(follow, tmp_path):
    assert len(follow(HOW_TO / "monorepo.md", tmp_path)) >= 3


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["change-the-embedder.md", "gate-retrieval-in-ci.md", "add-a-document-type.md"]
)
def test_a_how_to_works_on_a_fresh_service(name, follow, service, tmp_path):
    folder = copy_source(service, tmp_path / "acme-search")
    install(folder)
    assert len(follow(HOW_TO / name, folder)) >= 3


def test_a_page_that_shows_something_else_fails(tmp_path):
    page = tmp_path / "page.md"
    text = "```console\n$ echo one; echo two\none\n```\n"
    page.write_text(text)
    printed = run_page(page, tmp_path, dict(os.environ))
    with pytest.raises(AssertionError, match="but prints"):
        check_page(text, printed)
    check_page(refreshed(text, printed), printed)
    page.write_text("```console\n$ false\n```\n")
    with pytest.raises(AssertionError):
        run_page(page, tmp_path, dict(os.environ))


def test_commands_of_a_page_keep_order_status_and_output():
    text = "```console exit=1\n$ cd a\n$ ls \\\n  -l\nx\ny\n```\n\n```sh\n$ no\n```\n"
    commands = [(command.line, command.shown, command.status) for command in read_commands(text)]
    assert commands == [("cd a", "", 0), ("ls    -l", "x\ny\n", 1)]


@pytest.mark.parametrize(
    ("shown", "printed", "equal"),
    [
        ("took 0.3 s\n", "took 12.1 s\n", True),
        ("dense-only  0.773  0.6  5.6\n", "dense-only  0.773  10.2    1.0\n", True),
        ("dense-only  0.773  0.6  5.6\n", "dense-only  0.774  0.6  5.6\n", False),
        ("a\n...\nz\n", "a\nb\nc\nz\n", True),
        ("a\n...\n", "a\n", True),
        ("a\n", "a\nb\n", False),
    ],
)
def test_shown_output_is_compared_but_for_timings(shown, printed, equal):
    assert matches(shown, printed) is equal
