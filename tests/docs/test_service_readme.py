"""The README of a rendered service shows what its commands print."""

import os
import sys
from pathlib import Path

import pytest
from pages import check_page, refreshed, run_page
from ragseam.node import install_shared
from rendering import ROOT, copy_source

README = "README.md"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rendered", "layer"),
    [("service", "{{python_layer}}"), ("typescript_service", "{{typescript_layer}}")],
)
def test_the_readme_of_a_service_prints_what_it_shows(
    rendered: str, layer: str, request: pytest.FixtureRequest, tmp_path: Path
):
    """Set REFRESH_PAGES to write what is printed into the template."""
    folder = copy_source(request.getfixturevalue(rendered), tmp_path / "acme-search")
    if (folder / "package.json").exists():
        install_shared(folder)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    printed = run_page(folder / README, folder, {**os.environ, "PATH": path, "NO_COLOR": "1"})
    assert len(printed) >= 6
    if os.environ.get("REFRESH_PAGES"):
        for page in (ROOT / "templates" / layer / f"{README}.jinja", folder / README):
            text = page.read_text(encoding="utf-8")
            page.write_text(refreshed(text, printed), encoding="utf-8")
    check_page((folder / README).read_text(encoding="utf-8"), printed)
