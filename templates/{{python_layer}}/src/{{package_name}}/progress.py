"""Shows how far a long run is: a bar on a terminal, one line per stage elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .rag.indexing import Progress


@contextmanager
def progress() -> Generator[Progress]:
    """Yield a callable that is told of each step; what it shows goes to standard error."""
    if not sys.stderr.isatty():
        yield _line_per_stage()
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        Task,
        TaskID,
        TextColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text

    class Rate(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(f"{task.speed:,.0f}/s" if task.speed else "")

    columns = (
        TextColumn("{task.description:8}"),
        BarColumn(),
        MofNCompleteColumn(),
        Rate(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        tasks: dict[str, TaskID] = {}

        def show(stage: str, done: int, total: int | None) -> None:
            if stage not in tasks:
                tasks[stage] = bars.add_task(stage, total=total)
            bars.update(tasks[stage], completed=done, total=total)

        yield show


def _line_per_stage() -> Progress:
    seen: set[str] = set()

    def show(stage: str, done: int, total: int | None) -> None:
        if stage not in seen:
            seen.add(stage)
            sys.stderr.write(f"{stage}{f': {total}' if total else ''}\n")

    return show
