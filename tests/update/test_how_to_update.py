"""The how-to page on updates shows what its commands print."""

import os
import sys
from pathlib import Path

from copier import run_copy
from docs.pages import check_page, refreshed, run_page
from rendering import ROOT, run
from scene import LINES, commit, release, write

PAGE = ROOT / "docs/how-to/update-a-service.md"
QUESTIONS = """\
_subdirectory: files
project_name: {type: str, default: Acme Search}
package_name: {type: str, default: acme_search, ask: false}
slug: {type: str, default: acme-search, ask: false}
"""
FIRST = {
    "copier.yml": QUESTIONS,
    "files/{{_copier_conf.answers_file}}.jinja": "{{ _copier_answers|to_nice_yaml }}",
    "files/README.md": "# Acme Search\n\nAnswers questions.\n\n" + LINES,
    "files/docs/layout.md": "# Layout\n\n" + LINES,
}
COLOUR = "colour: {type: str, default: red, help: Colour of the pages}\n"
NEXT = {
    "copier.yml": QUESTIONS + COLOUR,
    "README.md": "# Acme Search\n\nAnswers questions, with citations.\n\n" + LINES,
    "docs/layout.md": None,
    "docs/architecture.md": "# Layout\n\n" + LINES,
    "docs/evaluation.md": "# Evaluation\n\nHow good retrieval is.\n",
}


def test_the_page_shows_what_its_commands_print(tmp_path: Path):
    template, service = tmp_path / "template", tmp_path / "acme-search"
    write(template, FIRST)
    run("git init --quiet", template)
    commit(template)
    run("git tag 0.1.0", template)
    run_copy(str(template), service, defaults=True, quiet=True)
    run("git init --quiet", service)
    (service / "README.md").write_text(
        "# Acme Search\n\nAnswers what the bees team asks.\n\n" + LINES
    )
    (service / "docs/layout.md").write_text("# Layout\n\nOurs.\n\n" + LINES)
    commit(service)
    release(template, "0.2.0", NEXT)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "NO_COLOR": "1", "LC_ALL": "C.UTF-8"}
    printed = run_page(PAGE, tmp_path, environment)
    text = PAGE.read_text(encoding="utf-8")
    if os.environ.get("REFRESH_PAGES"):
        PAGE.write_text(refreshed(text, printed), encoding="utf-8")
    check_page(PAGE.read_text(encoding="utf-8"), printed)
