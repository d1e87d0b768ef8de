"""The README of a rendered service shows what its commands print."""

import os
import sys
from pathlib import Path

import pytest
from pages import check_page, refreshed, run_page
from rendering import ROOT, copy_source

TEMPLATE = ROOT / "templates" / "{{python_layer}}" / "README.md.jinja"


@pytest.mark.slow
def test_the_readme_of_a_service_prints_what_it_shows(service: Path, tmp_path: Path):
    """Set REFRESH_PAGES to write what is printed into the template."""
    folder = copy_source(service, tmp_path / "acme-search")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    printed = run_page(folder / "README.md", folder, {**os.environ, "PATH": path, "NO_COLOR": "1"})
    assert len(printed) >= 6
    if os.environ.get("REFRESH_PAGES"):
        for page in (TEMPLATE, folder / "README.md"):
            text = page.read_text(encoding="utf-8")
            page.write_text(refreshed(text, printed), encoding="utf-8")
    check_page((folder / "README.md").read_text(encoding="utf-8"), printed)
