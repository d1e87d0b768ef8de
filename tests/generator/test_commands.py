import ast
import json
import tomllib

import pytest
import typer
import yaml
from ragseam.cli import app
from rendering import ROOT

COMMANDS = typer.main.get_command(app).commands


def test_the_commands_are_these():
    assert set(COMMANDS) == {"doctor", "new", "update", "variants", "verify"}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_and_each_of_its_options_has_help(name):
    command = COMMANDS[name]
    assert command.help
    for parameter in command.params:
        assert parameter.help, f"{name}: {parameter.name} has no help"


def test_an_unknown_command_and_an_unknown_option_end_with_status_2(ragseam):
    for arguments in (["nwe"], ["new", "x", "--colour"], ["verify"], ["verify", ".", "--all"]):
        done = ragseam(*arguments)
        assert done.returncode == 2, arguments
        assert "Traceback" not in done.stderr


def test_variants_name_every_choice_that_is_not_the_default(ragseam):
    declared = yaml.safe_load((ROOT / "copier.yml").read_text())
    choices = {
        f"{name}-{value['value'] if isinstance(value, dict) else value}".replace("_", "-").lower()
        for name, details in declared.items()
        if not name.startswith("_") and details.get("when") is not False
        for value in details.get("choices", {}).values()
        if value != details["default"]
    }
    by_language = {"language-typescript", "embedding-wordllama"}
    assert choices >= by_language
    printed = json.loads(ragseam("variants", "--json").stdout)
    assert printed["schema"] == "ragseam.variants.v1"
    names = [variant["name"] for variant in printed["variants"]]
    assert names[0] == "default"
    assert "typescript" in names
    single = {name for name in names[1:] if not name.startswith("pairs-")}
    chosen = {name.removeprefix("typescript-") for name in single} - {"typescript"}
    assert chosen == choices - by_language
    matrix = ragseam("variants", "--github").stdout
    assert matrix.count("\n") == 1
    assert [row["name"] for row in json.loads(matrix)["include"]] == names
    table = ragseam("variants").stdout
    assert [line.split()[0] for line in table.splitlines()[1:]] == names


def test_two_modules_alone_import_copier():
    importers = set()
    for path in (ROOT / "generator").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            if any(name.split(".")[0] == "copier" for name in names):
                importers.add(path.name)
    assert importers == {"template.py", "releases.py"}


def test_the_published_address_is_the_one_in_the_metadata(monkeypatch):
    """An install from an index records no address of its own."""
    from ragseam import template

    class FromIndex:
        metadata = template.importlib.metadata.distribution("ragseam").metadata

        def read_text(self, name):
            return None

    monkeypatch.setattr(template.importlib.metadata, "distribution", lambda name: FromIndex())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert template.default_source() == project["urls"]["Repository"] + ".git"


def test_variants_of_a_language_hold_what_it_takes(ragseam, copier_template):
    listed = ragseam("variants", "--template", copier_template, "--json").stdout
    names = [variant["name"] for variant in json.loads(listed)["variants"]]
    assert {"default", "embedding-hash", "typescript", "typescript-linter-eslint"} <= set(names)
    assert not {"linter-eslint", "typescript-embedding-hash", "typescript-rerank-maxsim"} & {*names}
    assert not [name for name in names if "typescript-features" in name]
