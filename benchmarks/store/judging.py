"""Are the answers exact, and do the times keep their promises?"""

import statistics
import time
from importlib import import_module
from pathlib import Path

import numpy as np

from . import corpus, exact, node
from .engines import DEPTH, OURS
from .report import percentile
from .turns import QUERIES, Rows

JUDGED = 20
LANCE, BM25S = "LanceDB", "bm25s + NumPy"


def judge(text: Path, chunks: int, rows: Rows) -> None:
    """Add to each row how many of the exact results its dense leg found, and in what order."""
    _, vectors = corpus.queries(text, chunks, QUERIES)
    expected = exact.dense(chunks, vectors[:JUDGED])
    for row in rows.values():
        pairs = list(zip(row.get("dense_found", []), expected, strict=False))
        if all(found == right for found, right in pairs):
            row["dense_exact"] = "yes"
        else:
            shared = sum(len(set(found) & set(right)) for found, right in pairs)
            row["dense_exact"] = f"{shared / (DEPTH * len(pairs)):.3f}"


def remarks(text: Path, chunks: int, rows: Rows) -> list[str]:
    """Sentences on this store: exactness, the bound of memory, and ratios to its peers."""
    if OURS not in rows:
        return []
    ours = rows[OURS]
    bound = bandwidth_bound_ms(chunks)
    hybrid = percentile(ours["hybrid"], 0.95)
    change, change_cpu = map(statistics.median, zip(*ours["change_ms"], strict=True))
    notes = [
        _keyword_remark(text, chunks, ours["keyword_found"]),
        f"Reading the vectors once from memory takes {bound:.1f} ms: twice that and 5 ms are "
        f"{2 * bound + 5:.1f} ms, and hybrid p95 is {hybrid:.1f} ms.",
        f"A first hybrid search in a new process took {ours['first_ms']:.0f} ms after imports "
        f"({ours['first_cpu_ms']:.0f} of CPU), with the file in the page cache, "
        f"and {ours['first_mb']:.0f} MB; serving, {ours['serve_mb']:.0f} MB.",
        "One changed document of about ten chunks, each of them changed, was indexed in "
        f"{change:.0f} ms ({change_cpu:.0f} of CPU), the median of {len(ours['change_ms'])}.",
    ]  # fmt: skip
    if LANCE in rows:
        ratio = percentile(rows[LANCE]["hybrid"], 0.95) / hybrid
        notes.append(f"Hybrid p95 is 1/{ratio:.1f} of LanceDB's.")
    notes += _node_remarks(rows, hybrid)
    if BM25S in rows:
        peer = rows[BM25S]["keyword_cpu_s"]
        notes.append(
            f"Building took {ours['build_cpu_s']:.1f} s of CPU, {ours['build_cpu_s'] / peer:.2f} "
            f"times the {peer:.1f} s in which bm25s stems and indexes the same text."
        )
    return notes


def _node_remarks(rows: Rows, hybrid: float) -> list[str]:
    """How the store in Node compares: with this one, and with LanceDB in Node."""
    if (ours := rows.get(node.OURS_IN_NODE)) is None:
        return []
    p95 = percentile(ours["hybrid"], 0.95)
    same = all(ours[f"{leg}_found"] == rows[OURS][f"{leg}_found"] for leg in ("dense", "keyword"))
    notes = [
        f"In Node, hybrid p95 is {p95 / hybrid:.2f} times that of Python, and building took "
        f"{ours['build_s'] / rows[OURS]['build_s']:.2f} times as long; results of the legs are "
        f"{'equal' if same else 'NOT equal'}. One changed document took "
        f"{statistics.median(ours['change_ms']):.0f} ms."
    ]
    if (peer := rows.get(node.LANCE_IN_NODE)) is not None:
        ratio = percentile(peer["hybrid"], 0.95) / p95
        notes.append(f"In Node, hybrid p95 is 1/{ratio:.1f} of LanceDB's.")
    return notes


def _keyword_remark(text: Path, chunks: int, found: list[list[int]]) -> str:
    queries, _ = corpus.queries(text, chunks, QUERIES)
    analyzer = import_module("benched.rag.analysis").Analyzer("english")
    expected = exact.keyword(text, chunks, queries[:JUDGED], analyzer.terms)
    right = sum(
        numbers == [number for number, _ in ranking]
        for numbers, ranking in zip(found, expected, strict=False)
    )
    return f"Keyword rankings equal BM25 by the book for {right} of {JUDGED} queries."


def bandwidth_bound_ms(chunks: int) -> float:
    """Milliseconds to read as many bytes as the vectors have, on one core: the median of ten."""
    matrix = np.ones((chunks, corpus.DIMENSIONS), dtype=np.float32).view(np.int64)
    taken: list[float] = []
    for _ in range(10):
        began = time.perf_counter()
        np.add.reduce(matrix, axis=None)
        taken.append(1000 * (time.perf_counter() - began))
    return statistics.median(taken)
