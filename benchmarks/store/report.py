"""The measurements as Markdown."""

import datetime
import os
import platform
import sqlite3
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

from .engines import DEPTH

BEGIN, END = "<!-- store: begin -->", "<!-- store: end -->"
COLUMNS = (
    ("build s", "build_s", 1),
    ("CPU s", "build_cpu_s", 1),
    ("peak MB", "peak_mb", 0),
    ("disk MB", "disk_mb", 0),
    ("first hybrid ms", "first_ms", 0),
    ("dense p50 / p95", "dense", 1),
    ("keyword p50 / p95", "keyword", 1),
    ("hybrid p50 / p95", "hybrid", 1),
    ("dense = exact", "dense_exact", 0),
)

Row = Mapping[str, object]


def percentile(values: Sequence[float], share: float) -> float:
    """The value that `share` of the values do not exceed."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def section(results: Mapping[int, Mapping[str, Row]], notes: Mapping[int, Sequence[str]]) -> str:
    """Everything between the markers, by size and engine."""
    lines = [_machine(), ""]
    for chunks, rows in results.items():
        lines += [f"### {chunks:,} chunks", ""]
        lines += ["| engine | " + " | ".join(title for title, _, _ in COLUMNS) + " |"]
        lines += ["|---" * (len(COLUMNS) + 1) + "|"]
        lines += [_row(name, row) for name, row in rows.items()]
        lines += ["", *(f"- {note}" for note in notes[chunks]), ""]
    return "\n".join(lines)


def replace_section(page: Path, text: str) -> None:
    """Put `text` between the markers of `page`, which is made if there is none."""
    old = page.read_text("utf-8") if page.exists() else f"# Benchmarks\n\n{BEGIN}\n{END}\n"
    if BEGIN not in old:
        old = f"{old.rstrip()}\n\n## The store beside its peers\n\n{BEGIN}\n{END}\n"
    head, rest = old.split(BEGIN, 1)
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(f"{head}{BEGIN}\n{text}\n{END}{rest.split(END, 1)[1]}", "utf-8")


def _row(name: str, row: Row) -> str:
    return (
        f"| {name} | "
        + " | ".join(_cell(row.get(key), digits) for _, key, digits in COLUMNS)
        + " |"
    )


def _cell(value: object, digits: int) -> str:
    match value:
        case None:
            return "–"
        case str():
            return value
        case float() | int():
            return f"{value:,.{digits}f}"
        case _:
            p50, p95 = (percentile(value, share) for share in (0.5, 0.95))
            return f"{p50:.{digits}f} / {p95:.{digits}f}"


def _machine() -> str:
    packages = ", ".join(
        f"{name} {version(name)}"
        for name in ("numpy", "lancedb", "sqlite-vec", "chromadb", "bm25s")
    )
    return (
        f"{datetime.date.today().isoformat()}; {os.cpu_count()} cores, {platform.machine()}, "
        f"{platform.system()}; Python {platform.python_version()}, SQLite "
        f"{sqlite3.sqlite_version}, {packages}. Times in ms unless said otherwise; the {DEPTH} "
        "best of each leg; vectors of 384 dimensions, drawn with a seed; engines take turns "
        "within one run. Memory is that of the building process, with its imports."
    )
