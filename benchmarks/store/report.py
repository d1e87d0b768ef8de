"""The measurements as Markdown."""

import datetime
import os
import platform
import sqlite3
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

from .engines import DEPTH

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
    lines = [_versions(), ""]
    for chunks, rows in results.items():
        lines += [f"### {chunks:,} chunks", ""]
        lines += ["| engine | " + " | ".join(title for title, _, _ in COLUMNS) + " |"]
        lines += ["|---" * (len(COLUMNS) + 1) + "|"]
        lines += [_row(name, row) for name, row in rows.items()]
        lines += ["", *(f"- {note}" for note in notes[chunks]), ""]
    return "\n".join(lines)


def replace_section(page: Path, text: str, name: str) -> None:
    """Put `text` between the markers of that name, at the end of `page` where it has none."""
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    old = page.read_text("utf-8") if page.exists() else "# Benchmarks\n"
    if begin not in old:
        old = f"{old.rstrip()}\n\n{begin}\n{end}\n"
    head, rest = old.split(begin, 1)
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(f"{head}{begin}\n{text}\n{end}{rest.split(end, 1)[1]}", "utf-8")


def machine() -> str:
    """Date, machine and Python."""
    return (
        f"{datetime.date.today().isoformat()}; {os.cpu_count()} cores, {platform.machine()}, "
        f"{platform.system()}; Python {platform.python_version()}, SQLite "
        f"{sqlite3.sqlite_version}"
    )


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


def _versions() -> str:
    names = ("numpy", "lancedb", "sqlite-vec", "chromadb", "bm25s")
    packages = ", ".join(f"{name} {version(name)}" for name in names)
    return (
        f"{machine()}, {packages}. Times in ms unless said otherwise; the {DEPTH} best of each "
        "leg; vectors of 384 dimensions, drawn with a seed; engines take turns within one run. "
        "Memory is that of the building process, with its imports."
    )
