"""The README of a rendered service shows what its commands print."""

import os
import sys
from pathlib import Path

import pytest
from pages import FENCE, check_page, refreshed, run_page
from rendering import ROOT, copy_source

TEMPLATE = ROOT / "templates" / "{{shared_layer}}" / "README.md.jinja"


def refresh(page: Path, printed: list[str]) -> None:
    """Bring the blocks of the template, and with them the page, up to what was printed."""
    text = TEMPLATE.read_text(encoding="utf-8")
    fresh = [block[0] for block in FENCE.finditer(refreshed(page, printed))]
    for old, new in zip(list(FENCE.finditer(text)), fresh, strict=True):
        text = text.replace(old[0], new.replace("acme-search", "{{ slug }}"))
    TEMPLATE.write_text(text, encoding="utf-8")
    page.write_text(refreshed(page, printed), encoding="utf-8")


@pytest.mark.slow
def test_the_readme_of_a_service_prints_what_it_shows(service: Path, tmp_path: Path):
    """Set REFRESH_PAGES to write what is printed into the template."""
    folder = copy_source(service, tmp_path / "acme-search")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    printed = run_page(folder / "README.md", folder, {**os.environ, "PATH": path, "NO_COLOR": "1"})
    assert len(printed) >= 6
    if os.environ.get("REFRESH_PAGES"):
        refresh(folder / "README.md", printed)
    check_page(folder / "README.md", printed)
