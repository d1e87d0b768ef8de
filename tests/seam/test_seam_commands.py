"""Some cases, judged by the two commands that a service's owner runs."""

import re
import subprocess
from pathlib import Path

import pytest
from rendering import environment
from seam_cases import CASES, PACKAGE, lay, named

COMMANDED = [case for case in CASES if case.get("commands")]
REJECTED = [case for case in COMMANDED if case["expect"] == "reject"]
ACCEPTED = [case for case in COMMANDED if case["expect"] == "accept"]
IMPORTS = ["lint-imports", "--no-logo", "--no-cache"]
BOUNDARY = ["pytest", "tests/architecture", "-p", "no:cacheprovider"]

pytestmark = pytest.mark.slow


def run(command: list[str], service: Path, folder: Path) -> tuple[int, str]:
    done = subprocess.run(
        command, cwd=folder, env=environment(service, folder), capture_output=True, text=True
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("case", **named([{"name": "fresh", "files": {}}, *ACCEPTED]))
def test_both_commands_accept(service, tmp_path, case):
    folder = lay(service, tmp_path, case)
    for command in (IMPORTS, BOUNDARY):
        status, told = run(command, service, folder)
        assert status == 0, told


@pytest.mark.parametrize("case", **named(REJECTED))
def test_the_boundary_check_rejects(service, tmp_path, case):
    command = [*BOUNDARY[:1], "tests/architecture/test_boundary.py", *BOUNDARY[2:]]
    status, told = run(command, service, lay(service, tmp_path, case))
    assert status != 0
    if "rule" in case:
        place = re.escape(case["at"].replace("{package}", PACKAGE))
        message = rf"^E +{place}(:\d+)?: {case['rule']}: "
        assert re.search(message, told, re.MULTILINE), told


@pytest.mark.parametrize("case", **named([case for case in CASES if case.get("imports")]))
def test_import_linter_rejects_by_itself(service, tmp_path, case):
    status, told = run(IMPORTS, service, lay(service, tmp_path, case))
    assert status != 0
    assert "BROKEN" in told or "Could not" in told, told
