"""No package and no command takes a name that something else has."""

import json
import keyword
import sys
from pathlib import Path

import pytest
from rendering import Complain, Render
from reserved_words import (
    as_package,
    installed_words,
    language_words,
    listed_words,
    reserved_words,
)


def test_standard_library_and_keywords_are_reserved():
    assert language_words() <= reserved_words()
    assert {"json", "class", "match", "distutils", "tomllib", "annotationlib"} <= reserved_words()


def test_standard_library_words_come_from_the_interpreter():
    public = {name.lower() for name in sys.stdlib_module_names if not name.startswith("_")}
    assert public <= language_words()
    assert {word.lower() for word in keyword.kwlist} <= language_words()


def test_devices_node_modules_and_commands_are_reserved():
    assert listed_words() <= reserved_words()
    assert {"nul", "com1", "lpt9", "worker_threads", "node_modules"} <= listed_words()


def test_what_a_typescript_service_installs_is_reserved(render: Render):
    manifest = json.loads((render(language="typescript") / "package.json").read_text("utf-8"))
    names = {*manifest["dependencies"], *manifest["devDependencies"]}
    # No service has the name of a package in a scope.
    packages = {as_package(name) for name in names if not name.startswith("@")}
    assert len(packages) > 10
    assert packages - reserved_words() == set()


@pytest.mark.slow
def test_what_a_service_installs_is_reserved(service: Path):
    words = installed_words(service / ".venv")
    assert {"numpy", "stemmer", "pystemmer", "lint_imports", "poe"} <= words
    assert "acme_search" not in words
    assert words - reserved_words() == set()


@pytest.mark.parametrize("name", ["json", "class", "NUL", "Numpy", "lint-imports", "pip", "com1"])
def test_project_names_that_fold_to_a_reserved_word_are_refused(complain: Complain, name: str):
    assert f"The name {as_package(name)} is taken" in complain("project_name", name)


@pytest.mark.parametrize("name", ["json search", "class-1", "NULs", "My Numpy", "pips"])
def test_a_further_word_is_enough(complain: Complain, name: str):
    assert complain("project_name", name) == ""


def test_a_package_or_command_given_by_itself_is_held_to_the_same_list(complain: Complain):
    assert "is taken" in complain("package_name", "lint_imports")
    assert "is taken" in complain("slug", "lint-imports")
