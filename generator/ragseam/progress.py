"""Shows a verification while it runs: a live table on a terminal, one line per stage elsewhere."""

import sys
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager

from rich.console import Console, ConsoleOptions, RenderResult
from rich.live import Live
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from .stages import Outcome, StageResult
from .verify import Progress

FILE_COLUMNS = 160
STYLES = {Outcome.PASSED: "green", Outcome.FAILED: "bold red", Outcome.SKIPPED: "dim"}


def new_console(*, stderr: bool = False) -> Console:
    """A console that keeps long lines whole where there is no terminal."""
    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() else FILE_COLUMNS
    return Console(stderr=stderr, width=width, highlight=False)


class StageLines:
    """Prints a line when a stage ends."""

    def __init__(self, console: Console, services: Sequence[str]) -> None:
        self._console, self._width = console, max(map(len, services))

    def started(self, service: str, stage: str) -> None:
        """Nothing to print yet."""

    def ended(self, service: str, result: StageResult) -> None:
        """Print the service, the stage, how it ended and how long it took."""
        self._console.print(
            f"{service:<{self._width}}  {result.stage:<12}  {result.outcome}"
            f"  {result.seconds:.1f} s",
            highlight=False,
            markup=False,
            soft_wrap=True,
        )


class LiveTable:
    """Draws one row per running stage: its service, what is behind that, how long it takes."""

    def __init__(self, services: Sequence[str]) -> None:
        self._behind: dict[str, list[StageResult]] = {service: [] for service in services}
        self._now: dict[tuple[str, str], float] = {}
        self._spinner = Spinner("dots")

    def started(self, service: str, stage: str) -> None:
        """The stage is running from now on."""
        self._now[service, stage] = time.perf_counter()

    def ended(self, service: str, result: StageResult) -> None:
        """The stage is behind."""
        self._now.pop((service, result.stage), None)
        self._behind[service].append(result)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Show what runs and what has failed; what waits or has passed is counted below."""
        table = Table.grid(padding=(0, 2))
        for (service, stage), since in self._now.items():
            elapsed = f"{time.perf_counter() - since:.0f} s"
            table.add_row(self._spinner, service, stage, self._marks(service), elapsed)
        running = {service for service, _ in self._now}
        done = sum(bool(behind) and name not in running for name, behind in self._behind.items())
        yield table
        yield Text(f"{done} of {len(self._behind)} done", style="dim")

    def _marks(self, service: str) -> Text:
        marks = {Outcome.PASSED: "✓", Outcome.FAILED: "✗", Outcome.SKIPPED: "-"}
        text = Text()
        for result in self._behind[service]:
            text.append(marks[result.outcome], STYLES[result.outcome])
        return text


@contextmanager
def shown_progress(console: Console, services: Sequence[str]) -> Generator[Progress]:
    """The display that suits `console`, while it is in use."""
    if not console.is_terminal:
        yield StageLines(console, services)
        return
    table = LiveTable(services)
    with Live(table, console=console, refresh_per_second=8, transient=True):
        yield table
