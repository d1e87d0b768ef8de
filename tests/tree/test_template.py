"""What the template's own files promise, before anything is rendered."""

import re
from collections import Counter
from pathlib import Path

import pytest
import yaml
from rendering import ROOT

TEMPLATES = ROOT / "templates"
LANGUAGE_LAYERS = ("{{python_layer}}", "{{typescript_layer}}")
OPENING_TAG = re.compile(r"{%-?\s*(?!end)\w+")
WINDOWS_DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)
MADE_BY_TOOLS = {"__pycache__", "node_modules", ".venv", ".ruff_cache", ".pytest_cache"}


def template_files(folder: Path = TEMPLATES) -> list[Path]:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    assert files, f"{folder} holds no files"
    return [path for path in files if not MADE_BY_TOOLS & set(path.parts)]


def colliding_paths(templates: Path) -> list[str]:
    """Paths that two layers that apply together would write, or one layer twice.

    Of the languages' layers only one applies at a time.
    """
    layers = {folder for folder in templates.iterdir() if folder.name.endswith("_layer}}")}
    languages = {layer for layer in layers if layer.name in LANGUAGE_LAYERS}
    together = [(layers - languages) | {language} for language in languages] or [layers]
    colliding: set[str] = set()
    for applied in together:
        written = Counter(
            path.relative_to(layer).as_posix().removesuffix(".jinja").lower()
            for layer in applied
            for path in template_files(layer)
        )
        colliding.update(path for path, times in written.items() if times > 1)
    return sorted(colliding)


def hostile_names(paths: list[str]) -> list[str]:
    """Paths that Windows can't have, or that differ in case alone."""
    folded = Counter(path.lower() for path in paths)
    return [
        path
        for path in paths
        if folded[path.lower()] > 1
        or re.search(r'[<>:"|?*\\\x00-\x1f]', path)
        or any(part.endswith((".", " ")) for part in path.split("/"))
        or any(WINDOWS_DEVICES.fullmatch(part) for part in path.split("/"))
    ]


def tags_over_budget(text: str) -> bool:
    """More than 3 statements per 100 lines; a file of few lines may have one."""
    tags = len(OPENING_TAG.findall(text))
    return tags > 1 and tags * 100 >= 3 * len(text.splitlines())


def test_no_path_stands_in_two_layers():
    assert colliding_paths(TEMPLATES) == []


@pytest.mark.parametrize(
    ("layer", "colliding"),
    [("{{b_layer}}", ["docs/x.md"]), ("{{python_layer}}", ["docs/x.md"])],
)
def test_a_path_in_two_layers_is_found(tmp_path: Path, layer: str, colliding: list[str]):
    for path in ("{{a_layer}}/docs/x.md", f"{layer}/docs/x.md.jinja", f"{layer}/y.md"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).touch()
    assert colliding_paths(tmp_path) == colliding


def test_layers_of_two_languages_may_hold_the_same_path(tmp_path: Path):
    for layer in LANGUAGE_LAYERS:
        (tmp_path / layer).mkdir()
        (tmp_path / layer / "README.md").touch()
    assert colliding_paths(tmp_path) == []


def test_names_are_fit_for_windows():
    assert (
        hostile_names([path.relative_to(TEMPLATES).as_posix() for path in template_files()]) == []
    )


@pytest.mark.parametrize("path", ["a/b?.md", "nul", "docs/AUX.txt", "x./y", 'say "hi".md', "a|b"])
def test_a_name_that_windows_refuses_is_found(path: str):
    assert hostile_names(["fine.md", path]) == [path]


def test_names_that_differ_in_case_alone_are_found():
    assert hostile_names(["README.md", "docs/a.md", "readme.md"]) == ["README.md", "readme.md"]


def test_tags_stay_within_budget():
    rendered = [path for path in template_files() if path.suffix == ".jinja"]
    code = [path for path in rendered if "_macros" not in path.parts]
    assert [path for path in code if tags_over_budget(path.read_text(encoding="utf-8"))] == []


def test_a_file_full_of_tags_is_over_budget():
    assert tags_over_budget("{% if x %}\na\n{% else %}\nb\n{% endif %}\n")
    assert not tags_over_budget("{% for x in y %}\n" + "line\n" * 60 + "{% endfor %}\n")


def test_only_jinja_files_are_rendered():
    """A plain file that names an answer would be copied with the braces in it."""
    answer = re.compile(rb"{{ ?(package_name|slug|project_name|env_prefix)\b")
    plain = [path for path in template_files() if path.suffix != ".jinja"]
    assert [path for path in plain if answer.search(path.read_bytes())] == []


def test_nobody_needs_to_trust_the_template():
    """Tasks, migrations and extensions run code, so Copier would ask for --trust."""
    declared = yaml.safe_load((ROOT / "copier.yml").read_text(encoding="utf-8"))
    assert {"_tasks", "_migrations", "_jinja_extensions"} & set(declared) == set()


def test_every_question_has_a_default_and_says_where_it_lands():
    declared = yaml.safe_load((ROOT / "copier.yml").read_text(encoding="utf-8"))
    asked = {
        name: question
        for name, question in declared.items()
        if name[0] != "_" and question.get("when") is not False
    }
    assert list(asked)[:10] == [
        "project_name", "description", "language", "store", "embedding", "rerank", "generation",
        "features", "linter", "ci",
    ]  # fmt: skip
    for name, question in asked.items():
        assert "default" in question, name
        assert re.fullmatch(r"[A-Z][^()]+ \(.+\)", question["help"]), name
        assert question.get("choices") != {}, name
