"""Each of a service's checks rejects what it is there for, and names where it stands."""

import subprocess
from pathlib import Path

import pytest
from rendering import copy_source, environment

MODULE = "src/acme_search/fault.py"
FAULTS = [
    ("ruff format --check .", MODULE, '"""Odd."""\n\nODD = { "a":1 }\n', "fault.py"),
    ("ruff check .", MODULE, '"""Unused."""\n\nimport json\n', "F401"),
    ("ruff check .", MODULE, "def undocumented() -> None:\n    pass\n", "D103"),
    ("ruff check .", MODULE, '"""Prints."""\n\nprint("x")\n', "T201"),
    ("ruff check .", MODULE, '"""Untyped."""\n\n\ndef f(x):\n    """F."""\n', "ANN001"),
    ("basedpyright", MODULE, '"""Wrong."""\n\nNUMBER: int = "one"\n', "fault.py:3"),
    (
        "lint-imports",
        "src/acme_search/rag/generate/fault.py",
        '"""Fetches."""\n\nfrom ..retrieve import dense\n',
        "acme_search.rag.generate.fault",
    ),
    (
        "pytest -x tests/architecture/test_boundary.py",
        "src/acme_search/rag/fault.py",
        '"""Is in no table."""\n',
        "src/acme_search/rag/fault.py",
    ),
    (
        "pytest tests/test_fault.py",
        "tests/test_fault.py",
        "def test_x():\n    assert 0\n",
        "assert 0",
    ),
]


@pytest.fixture(scope="module")
def changed(service: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_source(service, tmp_path_factory.mktemp("changed") / "service")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "path", "text", "named"), FAULTS, ids=[f"{each[0]}-{each[3]}" for each in FAULTS]
)
def test_a_check_rejects_its_fault(
    service: Path, changed: Path, command: str, path: str, text: str, named: str
):
    (changed / path).write_text(text, encoding="utf-8")
    try:
        done = subprocess.run(
            command.split(),
            cwd=changed,
            env=environment(service, changed),
            capture_output=True,
            text=True,
        )
    finally:
        (changed / path).unlink()
    assert done.returncode == 1
    assert named in done.stdout
