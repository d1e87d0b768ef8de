"""Collections with human judgements, and the rendered service's own measurements of them."""

import json
import os
import subprocess
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from frozen import FrozenVectors
from rendering import ROOT

Measure = Callable[..., Mapping[str, Any]]


@pytest.fixture(scope="session")
def testdata() -> Path:
    """Folder of the collections, which are licensed apart and not part of this repository."""
    named = os.environ.get("RAGSEAM_IR_TESTDATA")
    folder = Path(named) if named else ROOT.parent / "shared" / "ir-testdata"
    if not folder.is_dir():
        pytest.skip(f"no judged collections: RAGSEAM_IR_TESTDATA is not set, and no {folder}")
    return folder


@pytest.fixture(scope="session")
def measure(testdata: Path, service: Path, tmp_path_factory: pytest.TempPathFactory) -> Measure:
    """Runs `eval` or `tune` on a collection; equal settings share an index and a result."""
    command = service / ".venv" / "bin" / "acme-search"
    indexes = tmp_path_factory.mktemp("indexes")
    measured: dict[tuple[str, ...], Mapping[str, Any]] = {}

    def measure(collection: str | Path, verb: str = "eval", **settings: Any) -> Mapping[str, Any]:
        given = {f"RAG_{name.upper()}": str(value) for name, value in settings.items()}
        key = (str(collection), verb, *sorted(f"{name}={value}" for name, value in given.items()))
        if key not in measured:
            kind = settings.get("embedding_model") or settings.get("embedding", "default")
            env = {**os.environ, "RAG_INDEX_DIR": str(indexes / kind), **given}
            done = subprocess.run(
                [command, verb, "--collection", testdata / collection, "--json"],
                cwd=service, env=env, text=True, capture_output=True, check=False,
            )  # fmt: skip
            assert done.stdout, done.stderr
            measured[key] = json.loads(done.stdout)
        return measured[key]

    return measure


@dataclass(frozen=True)
class Frozen:
    """A collection, and settings under which it is embedded by vectors made once and kept."""

    name: str
    model: str
    folder: Path
    settings: Mapping[str, Any]


@pytest.fixture
def frozen(testdata: Path, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Frozen]:
    """Whole documents and judged queries; no vectors are kept of the unanswerable ones."""
    name, model = request.param
    for part in ("corpus.jsonl", "queries.jsonl", "qrels"):
        (tmp_path / part).symlink_to(testdata / name / part)
    with FrozenVectors(tmp_path, testdata / "emb" / f"{name}.{model}.f16.npz") as url:
        settings = {
            "embedding": "openai",
            "embedding_base_url": url,
            "embedding_model": model,
            "embedding_dimensions": 384,
            "chunk_chars": 20_000,
            "dense_weight": 0.52,
        }
        yield Frozen(name, model, tmp_path, settings)
