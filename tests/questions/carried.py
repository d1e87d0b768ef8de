"""The files that carry an answer, and whether they hold it to the letter."""

import ast
import json
import re
import tomllib
from functools import cache
from typing import Any

import yaml
from jinja2.sandbox import SandboxedEnvironment
from markdown_it import MarkdownIt
from rendering import ROOT

PLAIN = {"text", "text_special"}
PACKAGE_ALONE = re.compile(r"{{ package_name }}")


@cache
def carriers() -> tuple[str, ...]:
    """Templates that carry an answer other than the package's name, which is an identifier."""
    paths = sorted((ROOT / "templates").rglob("*.jinja"))
    found = tuple(
        path.relative_to(ROOT).as_posix()
        for path in paths
        if "_macros" not in path.parts
        and "{{" in PACKAGE_ALONE.sub("", path.read_text(encoding="utf-8"))
        or path.name == "LICENSE.jinja"
    )
    assert len(found) >= 6
    return found


def carried(engine: SandboxedEnvironment, context: dict[str, Any]) -> dict[str, str]:
    """What these files hold under `context`, by their path in a service."""
    return {
        _path(engine, name, context): engine.get_template(name).render(context)
        for name in carriers()
    }


def _path(engine: SandboxedEnvironment, name: str, context: dict[str, Any]) -> str:
    rendered = engine.from_string(name.removeprefix("templates/")).render(context)
    return rendered.removeprefix("./").removesuffix(".jinja")


def read_markdown(text: str) -> list[str]:
    """The headings and paragraphs of a page, as their reader sees them."""
    return [
        "".join(child.content for child in token.children or () if child.type in PLAIN)
        for token in MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text)
        if token.type == "inline"
    ]


def assert_exact(files: dict[str, str], answers: dict[str, Any]) -> None:
    """Every file that carries an answer parses, and holds it to the letter."""
    project = tomllib.loads(files["pyproject.toml"])["project"]
    assert project["description"] == answers["description"]
    assert project["name"] == answers["slug"]
    assert project["scripts"] == {answers["slug"]: f"{answers['package_name']}.cli:main"}
    recorded = yaml.safe_load(files[".copier-answers.yml"])
    assert {name: recorded[name] for name in answers} == answers
    heading, paragraph = read_markdown(files["README.md"])[:2]
    assert (heading, paragraph) == (answers["project_name"], answers["description"])
    assert f"(c) The {answers['project_name']} authors" in files["LICENSE"]
    if "/package.json" in files:
        _assert_exact_in_typescript(files, answers)
    for name, text in files.items():
        if name.endswith(".py"):
            ast.parse(text)
        elif name.endswith((".yml", ".yaml")):
            yaml.safe_load(text)


def _assert_exact_in_typescript(files: dict[str, str], answers: dict[str, Any]) -> None:
    """A layer that does not apply renders to nothing, so that its paths begin with a slash."""
    manifest = json.loads(files["/package.json"])
    assert manifest["description"] == answers["description"]
    assert manifest["name"] == answers["slug"]
    assert manifest["bin"] == {answers["slug"]: "bin/cli.js"}
    heading, paragraph = read_markdown(files["/README.md"])[:2]
    assert (heading, paragraph) == (answers["project_name"], answers["description"])
