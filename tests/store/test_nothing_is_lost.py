"""What the store of a rendered service survives. Each overlay is one long test of one promise."""

import sys

import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="the tests fork and kill"),
]


@pytest.mark.parametrize(
    "overlay",
    [
        "kills.py", "commit_points.py", "full_disk.py", "corruption.py", "crowd.py", "history.py",
        "paid.py",
    ],
)  # fmt: skip
def test_nothing_is_lost(overlay: str, run_overlay) -> None:
    assert " passed" in run_overlay(overlay)


def test_nothing_is_lost_in_typescript(run_typescript_overlay) -> None:
    assert " passed" in run_typescript_overlay("kills.test.ts")
