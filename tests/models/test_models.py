"""Adapters that need an optional dependency, run in a service that has it."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from rendering import run

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("models")]


@pytest.mark.parametrize(
    ("overlay", "path"),
    [
        ("fastembed_embedder.py", "embed/test_fastembed.py"),
        ("wordllama_parity.py", "embed/test_wordllama_parity.py"),
        ("cross_encoder.py", "rerank/test_cross_encoder.py"),
        ("maxsim_minilm.py", "rerank/test_maxsim_minilm.py"),
    ],
)
def test_adapters_with_real_models_keep_their_promises(
    overlay: str, path: str, run_overlay: Callable[[str, str], str]
) -> None:
    assert " passed" in run_overlay(overlay, path)


def test_a_service_indexes_and_searches_with_a_local_model(
    onnx_service: Path, minilm_folder: Path, tmp_path: Path
) -> None:
    env = {
        **os.environ,
        "RAG_EMBEDDING_MODEL": str(minilm_folder),
        "RAG_RERANK": "maxsim",
        "RAG_RERANK_CANDIDATES": "8",
        "RAG_RERANK_TIMEOUT_S": "300",
        "RAG_INDEX_DIR": str(tmp_path),
    }
    command = onnx_service / ".venv" / "bin" / "acme-search"
    run(f"{command} index", onnx_service, env)
    found = json.loads(run(f"{command} search --json hive", onnx_service, env))
    assert found["rerank"] == "ok"
    assert all("rerank" in passage["placings"] for passage in found["passages"])
