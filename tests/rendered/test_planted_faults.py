"""A test of the tests: faults planted in the template are caught by the stage that should."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from rendering import copy_template

PYTHON = "templates/{{python_layer}}"
KEPT_TESTS = ("architecture/__init__.py", "docs/", "evals/", "test_config.py")
Fault = Callable[[Path], None]


def replace(path: str, pattern: str, text: str) -> Fault:
    def plant(template: Path) -> None:
        file = template / path
        sound = file.read_text(encoding="utf-8")
        file.write_text(re.sub(pattern, text, sound, count=1), encoding="utf-8")
        assert file.read_text(encoding="utf-8") != sound

    return plant


def drop(path: str) -> Fault:
    return lambda template: (template / path).unlink()


CONFIG = f"{PYTHON}/src/{{{{package_name}}}}/rag/config.py.jinja"
FAULTS: dict[str, tuple[Fault, str, str, str]] = {
    "nothing": (lambda template: None, "ci-gitlab", "", ""),
    "a variable is misspelt in a minority variant": (
        replace(f"{PYTHON}/.gitlab-ci.yml.jinja", r"{{ slug }}", "{{ slugg }}"),
        "ci-gitlab",
        "render",
        "'slugg' is undefined",
    ),
    "a dependency is dropped": (
        replace(f"{PYTHON}/pyproject.toml.jinja", r'    "pystemmer.*\n', ""),
        "default",
        "types",
        "Stemmer",
    ),
    "a default is wrong": (
        replace(CONFIG, r"{{ candidate_k }}", "77"),
        "default",
        "test",
        "77",
    ),
    "a file is dropped": (
        drop(f"{PYTHON}/src/{{{{package_name}}}}/py.typed"),
        "default",
        "files",
        "py.typed: is missing",
    ),
    "Jinja is left over": (
        replace("templates/{{shared_layer}}/docs/decisions/0000-template.md", r"\A", "{{ x }}\n"),
        "default",
        "files",
        "Jinja is left over",
    ),
}


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The template with few of the service's own tests, and the list of the files that stay."""
    template = copy_template(tmp_path_factory.mktemp("planted"))
    tests = template / PYTHON / "tests"
    for path in [path for path in tests.rglob("*") if path.is_file()]:
        if not path.relative_to(tests).as_posix().startswith(KEPT_TESTS):
            path.unlink()
    kept = tuple(f"tests/{name}" for name in KEPT_TESTS)
    listed = Path(__file__).parents[1] / "tree" / "files.txt"
    lines = listed.read_text(encoding="utf-8").splitlines()
    snapshot = template / "tests" / "tree" / "files.txt"
    snapshot.parent.mkdir(parents=True)
    stay = [line for line in lines if not line.startswith("tests/") or line.startswith(kept)]
    snapshot.write_text("\n".join(stay) + "\n", encoding="utf-8")
    return template


@pytest.mark.slow
@pytest.mark.parametrize("what", FAULTS)
def test_a_fault_of_the_template_is_caught(small: Path, tmp_path: Path, what: str):
    plant, variant, stage, said = FAULTS[what]
    template = shutil.copytree(small, tmp_path / "template")
    plant(template)
    words = [sys.executable, "-m", "ragseam", "verify", "--only", variant]
    results = tmp_path / "results.json"
    done = subprocess.run(
        [*words, "--template", template, "--json", results],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    (service,) = json.loads(results.read_text(encoding="utf-8"))["services"]
    failed = {
        each["stage"]: each["output"] for each in service["stages"] if each["outcome"] != "passed"
    }
    if what == "nothing":
        assert (done.returncode, failed) == (0, {}), done.stdout
    else:
        assert done.returncode == 3
        assert said in failed[stage]
