"""The vectors in the template are what the reference answers now."""

from pathlib import Path

import pytest
from generate import VECTORS, generate


@pytest.mark.slow
def test_the_vectors_are_those_of_the_python_service(tmp_path: Path) -> None:
    generate(tmp_path / "made", tmp_path)
    made = {path.name: path.read_bytes() for path in (tmp_path / "made").iterdir()}
    kept = {path.name: path.read_bytes() for path in VECTORS.iterdir()}
    assert made.keys() == kept.keys()
    for name in made:
        assert made[name] == kept[name], f"{name}: run python -m tests.conformance.generate"
