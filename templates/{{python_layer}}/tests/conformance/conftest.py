"""Vectors that hold for the service in every language; each test file has those of its name."""

import json
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def vectors(request: pytest.FixtureRequest) -> dict[str, Any]:
    """The vectors of the area that the test file is named after."""
    area = request.path.stem.removeprefix("test_")
    path = Path(__file__).parents[2] / "conformance" / f"{area}.json"
    return json.loads(path.read_text(encoding="utf-8"))
