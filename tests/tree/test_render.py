"""Every combination of choices renders, parses, and holds exactly the files that it should."""

import ast
import json
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from choices import COVER, read_choices
from list_files import expected_files
from rendering import Render, load_answers, source_files
from test_template import hostile_names


def named(row: dict[str, Any]) -> Any:
    """One row, rendered by one worker alone."""
    name = "-".join(map(str, row.values()))
    return pytest.param(row, id=name, marks=pytest.mark.xdist_group(name))


@pytest.fixture(params=[named(row) for row in COVER], scope="module")
def rendered(request: pytest.FixtureRequest, render: Render) -> tuple[Path, dict[str, Any]]:
    return render(**request.param), request.param


def test_the_tree_is_the_one_in_the_snapshot(rendered: tuple[Path, dict[str, Any]]):
    """Run tests/tree/list_files.py when a file was added or dropped on purpose."""
    service, answers = rendered
    assert sorted(source_files(service)) == expected_files(answers)


def test_every_file_parses_and_nothing_of_the_template_is_left(
    rendered: tuple[Path, dict[str, Any]],
):
    service, _ = rendered
    for name, path in source_files(service).items():
        text = path.read_text(encoding="utf-8")
        parse(name, text)
        assert not name.endswith(".jinja")
        assert text == "" or text.endswith("\n"), f"{name}: no line break at its end"
        assert not text.endswith("\n\n"), f"{name}: blank lines at its end"
        assert "_macros" not in text, name
        if not name.startswith("evals/"):  # one document holds braces on purpose
            assert not re.search(r"(?<!\$){{ ?\w|{%-? ?\w+", text), f"{name}: Jinja left over"


def parse(name: str, text: str) -> None:
    match name.rpartition(".")[2]:
        case "py" | "pyi":
            compile(text, name, "exec", ast.PyCF_ONLY_AST)
        case "toml":
            tomllib.loads(text)
        case "json":
            json.loads(text)
        case "jsonl":
            for line in text.splitlines():
                json.loads(line)
        case "yml" | "yaml":
            yaml.safe_load(text)


def read_settings(service: Path) -> dict[str, Any]:
    """Defaults by setting, from the syntax tree; in TypeScript, those that are chosen."""
    if (written := service / "src/rag/config.ts").exists():
        chosen = r'^  (\w+): choice\(\{[^}]*?initial: "(.+?)",$'
        return dict(re.findall(chosen, written.read_text(encoding="utf-8"), re.MULTILINE))
    (source,) = service.glob("src/*/rag/config.py")
    tree = ast.parse(source.read_text(encoding="utf-8"))
    (settings,) = (
        node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Settings"
    )
    return {
        statement.target.id: ast.literal_eval(statement.value)
        for statement in settings.body
        if isinstance(statement, ast.AnnAssign) and statement.value is not None
    }


def test_answers_reach_the_settings_and_the_answers_file(
    rendered: tuple[Path, dict[str, Any]],
):
    service, answers = rendered
    assert load_answers(service).items() >= answers.items()
    settings = read_settings(service)
    for name in ("embedding", "rerank", "generation"):
        assert settings[name] == answers[name]


def test_the_example_of_an_environment_names_settings_and_their_defaults(render: Render):
    service = render(env_prefix="ZEBRA", embedding="hash", generation="echo")
    text = (service / ".env.example").read_text(encoding="utf-8")
    named = dict(re.findall(r"^# ZEBRA_([A-Z_]+)=(.*)$", text, re.MULTILINE))
    assert len(named) >= 4
    settings = read_settings(service)
    assert named == {name: str(settings[name.lower()]) for name in named}


def test_optional_dependencies_follow_the_answers(rendered: tuple[Path, dict[str, Any]]):
    service, answers = rendered
    if answers["language"] == "typescript":
        manifest = json.loads((service / "package.json").read_text(encoding="utf-8"))
        biome = json.loads((service / "biome.json").read_text(encoding="utf-8"))
        is_eslint = answers["linter"] == "eslint"
        assert ("eslint" in manifest["devDependencies"]) == is_eslint
        assert manifest["scripts"]["lint"].startswith(answers["linter"])
        assert biome["linter"]["enabled"] != is_eslint
        _assert_sdks(service, manifest, answers)
        return
    project = tomllib.loads((service / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = {re.match(r"[a-z0-9-]+", each)[0] for each in project["dependencies"]}
    local = answers["embedding"] == "fastembed" or answers["rerank"] == "cross-encoder"
    assert ("fastembed" in names) == local
    assert ("markitdown" in names) == ("documents" in answers["features"])
    assert set(project["optional-dependencies"]) == {"documents", "fastembed"}


def _assert_sdks(service: Path, manifest: dict[str, Any], answers: dict[str, Any]) -> None:
    """Chosen ones are installed with the service; each has one range, in the error's advice too."""
    used, unused = manifest["dependencies"], manifest["devDependencies"]
    source = (service / "src" / "rag" / "sdks.ts").read_text(encoding="utf-8")
    chosen = {
        "openai": "openai" in (answers["embedding"], answers["generation"]),
        "@anthropic-ai/sdk": answers["generation"] == "anthropic",
    }
    for name, is_chosen in chosen.items():
        assert (name in used, name in unused) == (is_chosen, not is_chosen)
        written = json.dumps({**used, **unused}[name])
        assert re.search(rf'"?{re.escape(name)}"?: {re.escape(written)}', source)
    assert list(used) == sorted(used)
    assert list(unused) == sorted(unused)


def test_what_node_installs_is_bounded(render: Render):
    """So that a render of today installs next year as it does now."""
    manifest = json.loads(
        (render(language="typescript", linter="eslint") / "package.json").read_text("utf-8")
    )
    ranges = {**manifest["dependencies"], **manifest["devDependencies"]}
    assert len(ranges) > 15
    loose = {name for name, text in ranges.items() if not re.fullmatch(r">=\S+ <\S+", text)}
    assert loose == set()


def test_names_are_fit_for_windows(render: Render):
    paths = list(source_files(render()))
    assert hostile_names(paths) == []
    assert max(map(len, paths)) <= 120


@pytest.mark.parametrize("license_name", read_choices()["license"])
def test_the_license_is_the_one_that_the_metadata_names(render: Render, license_name: str):
    service = render(license=license_name, project_name="Other Search")
    text = (service / "LICENSE").read_text(encoding="utf-8")
    opening = {
        "MIT": "MIT License",
        "Apache-2.0": "Apache License",
        "BSD-3-Clause": "BSD 3-Clause License",
        "proprietary": "Copyright (c) The Other Search authors. All rights reserved.",
    }[license_name]
    assert text.lstrip().startswith(opening)
    project = tomllib.loads((service / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    expected = "LicenseRef-Proprietary" if license_name == "proprietary" else license_name
    assert project["license"] == expected
    node = render(license=license_name, project_name="Other Search", language="typescript")
    assert (node / "LICENSE").read_text(encoding="utf-8") == text
    manifest = json.loads((node / "package.json").read_text(encoding="utf-8"))
    assert manifest["license"] == ("UNLICENSED" if license_name == "proprietary" else license_name)


LONG = {"project_name": "Abcdefghi Abcdefghi Abcdefghi Abcdefghi Abcdefghij"}


@pytest.mark.parametrize("answers", [{}, LONG], ids=["default", "longest name"])
def test_the_formatter_and_the_linter_have_nothing_to_say(render: Render, answers: dict[str, str]):
    service = render(**answers)
    for command in ("format --check --quiet --diff", "check --quiet"):
        done = subprocess.run(
            ["ruff", *command.split(), "--no-cache", "."],
            cwd=service,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout + done.stderr
