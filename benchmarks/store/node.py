"""Engines of Node: the store of the TypeScript service, and LanceDB's package for Node.

Vectors are drawn by NumPy, and handed over as files; `node_worker.mjs` answers as `worker` does.
"""

import json
import subprocess
from collections.abc import Iterable
from pathlib import Path

from copier import run_copy
from ragseam.node import find_npm, install_shared

from . import corpus

OURS_IN_NODE, LANCE_IN_NODE = "this store, Node", "LanceDB, Node"
ENGINES = {OURS_IN_NODE: "ragseam", LANCE_IN_NODE: "lance"}
LANCE = ("@lancedb/lancedb@0.31.0", "apache-arrow@18.1.0")


def prepare(work: Path, text: Path, sizes: Iterable[int], queries: int) -> None:
    """Render and install what runs in Node, and write the vectors and the queries."""
    answers = {"project_name": "benched", "language": "typescript"}
    service = work / "service-node"
    run_copy(
        str(work / "template"), service, data=answers, defaults=True, quiet=True, overwrite=True
    )
    install_shared(service)
    lance = work / "lance-node"
    if not (lance / "node_modules").exists():
        lance.mkdir(exist_ok=True)
        subprocess.run(
            [find_npm(), "install", "--no-audit", "--no-fund", *LANCE], cwd=lance, check=True
        )
    with (work / "vectors.f32").open("wb") as file:
        for block in corpus.vector_blocks(max(sizes)):
            file.write(block.astype("<f4").tobytes())
    for chunks in sizes:
        texts, vectors = corpus.queries(text, chunks, queries)
        asked = {"texts": texts, "vectors": vectors.tolist()}
        (work / f"queries-{chunks}.json").write_text(json.dumps(asked))


def command(work: Path, verb: str, name: str, folder: Path, text: Path, chunks: int) -> list[str]:
    """What starts a process that holds one engine; it is to run in the service's folder."""
    given = [verb, ENGINES[name], folder, text, chunks, work / f"queries-{chunks}.json"]
    worker = Path(__file__).with_name("node_worker.mjs")
    return [*"node --expose-gc --import tsx".split(), str(worker), *map(str, given), str(work)]
