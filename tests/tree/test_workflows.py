"""Continuous integration runs the service's own checks, and holds no text of the user's."""

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from rendering import Render, commit, copy_source

WORKFLOWS = {"github": ".github/workflows/checks.yml", "gitlab": ".gitlab-ci.yml"}
LANGUAGES = {
    "python": [
        "uv sync",
        "uv run poe check",
        "uv run acme-search index",
        "uv run acme-search eval",
    ],
    "typescript": ["npm install", "npm run check", "npm run index", "npm run eval"],
}
HOSTILE = {"project_name": "Zebra Search", "description": "${{ github.token }} $(id)"}


def commands(service: Path, ci: str) -> list[str]:
    """Shell lines in the order run."""
    workflow: dict[str, Any] = yaml.safe_load((service / WORKFLOWS[ci]).read_text(encoding="utf-8"))
    checks = workflow["jobs"]["checks"] if ci == "github" else workflow["checks"]
    if ci == "gitlab":
        return checks["script"]
    return [step["run"] for step in checks["steps"] if "run" in step]


@pytest.mark.parametrize("ci", WORKFLOWS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_free_text_stays_out(render: Render, ci: str, language: str):
    service = render(ci=ci, language=language, **HOSTILE)
    text = (service / WORKFLOWS[ci]).read_text(encoding="utf-8")
    assert ("zebra-search" in text) == (language == "python")
    assert "Zebra Search" not in text
    assert "github.token" not in text


@pytest.mark.parametrize("ci", WORKFLOWS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_checks_run_and_retrieval_has_a_floor(render: Render, ci: str, language: str):
    service = render(ci=ci, language=language, env_prefix="ZEBRA")
    assert commands(service, ci)[-4:] == LANGUAGES[language]
    text = (service / WORKFLOWS[ci]).read_text(encoding="utf-8")
    assert re.search(r'^ +ZEBRA_MIN_NDCG: "0\.\d+"$', text, re.MULTILINE)


@pytest.mark.parametrize("language", LANGUAGES)
def test_actions_are_pinned_by_commit(render: Render, language: str):
    text = (render(language=language) / WORKFLOWS["github"]).read_text(encoding="utf-8")
    uses = re.findall(r"uses: (.+)", text)
    assert uses
    assert all(re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v[\d.]+", use) for use in uses)


@pytest.mark.parametrize("ci", WORKFLOWS)
@pytest.mark.parametrize("marker", ["<<<<<<< before updating", ">>>>>>> after updating", None])
def test_conflict_markers_are_refused(render: Render, tmp_path: Path, ci: str, marker: str | None):
    service = copy_source(render(ci=ci), tmp_path / "service")
    (check,) = (line for line in commands(service, ci) if "git grep" in line)
    if marker:
        readme = service / "README.md"
        readme.write_text(f"{readme.read_text(encoding='utf-8')}{marker}\n", encoding="utf-8")
    commit(service)
    done = subprocess.run(["bash", "-e", "-c", check], cwd=service, capture_output=True, text=True)
    assert done.returncode == (1 if marker else 0)
    assert ("README.md" in done.stdout) == bool(marker)
