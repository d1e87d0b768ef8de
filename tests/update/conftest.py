"""Scenes to update in: a template and a service of their own for each test."""

from pathlib import Path

import pytest
from scene import Scene, copy_first, make_first


@pytest.fixture(scope="session")
def first_scene(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of a template at 1.0.0 and of a service made from it, to be copied."""
    folder = tmp_path_factory.mktemp("scene")
    make_first(folder)
    return folder


@pytest.fixture
def scene(first_scene: Path, tmp_path: Path) -> Scene:
    """A template at 1.0.0 and a service made from it, to be changed."""
    return copy_first(first_scene, tmp_path)
