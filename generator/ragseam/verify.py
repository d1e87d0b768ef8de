"""Renders services, installs them and runs their own checks, several side by side."""

import asyncio
import signal
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from .errors import RagseamError
from .stages import Outcome, StageResult, find_uv, read_checks, run_stage

RENDER, INSTALL = "render", "install"


@dataclass(frozen=True, slots=True)
class Service:
    """A folder to verify; `render` fills it first, or is None when it is filled already."""

    name: str
    path: Path
    render: Callable[[], None] | None = None


@dataclass(frozen=True, slots=True)
class ServiceResult:
    """What came of one service, stage by stage in the order run."""

    name: str
    path: Path
    stages: tuple[StageResult, ...]

    @property
    def passed(self) -> bool:
        """Whether every stage passed."""
        return all(stage.outcome is Outcome.PASSED for stage in self.stages)

    @property
    def seconds(self) -> float:
        """Wall time of its stages, waiting left out."""
        return sum(stage.seconds for stage in self.stages)


class Progress(Protocol):
    """Is told what happens while it happens."""

    def started(self, service: str, stage: str) -> None:
        """A stage begins."""

    def ended(self, service: str, result: StageResult) -> None:
        """A stage has passed or failed."""


def verify(services: Sequence[Service], *, jobs: int, progress: Progress) -> list[ServiceResult]:
    """Verify `services`, at most `jobs` at once; results in the order given.

    An interrupt or a termination signal stops every child before it propagates.

    Raises:
        VerifyError: `uv` is missing, or a folder is no rendered service.
        KeyboardInterrupt: the run was interrupted or terminated.
    """
    try:
        return asyncio.run(_verify_all(services, jobs, progress, find_uv()))
    except asyncio.CancelledError as error:
        raise KeyboardInterrupt from error


async def _verify_all(
    services: Iterable[Service], jobs: int, progress: Progress, uv: str
) -> list[ServiceResult]:
    run = asyncio.current_task()
    if run is not None:
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, run.cancel)
    slots, rendering = asyncio.Semaphore(jobs), asyncio.Lock()

    async def verify_one(service: Service) -> ServiceResult:
        async with slots:
            return await _verify_one(service, progress, uv, rendering)

    return await asyncio.gather(*(verify_one(service) for service in services))


async def _verify_one(
    service: Service, progress: Progress, uv: str, rendering: asyncio.Lock
) -> ServiceResult:
    """Run all stages; what a failed render or install leaves out is skipped.

    Copier changes the working folder of the whole process, so one service renders at a time.
    """
    results: list[StageResult] = []

    async def passes(stage: str, work: Awaitable[StageResult]) -> bool:
        progress.started(service.name, stage)
        results.append(await work)
        progress.ended(service.name, results[-1])
        return results[-1].outcome is Outcome.PASSED

    if service.render is not None:
        async with rendering:
            rendered = await passes(RENDER, asyncio.to_thread(_render, service.render))
        if not rendered:
            return ServiceResult(service.name, service.path, tuple(results))
    checks = read_checks(service.path)
    if await passes(INSTALL, run_stage(INSTALL, [uv, "sync", "--quiet"], service.path)):
        for check in checks:
            command = [uv, "run", "--no-sync", "--quiet", *check.command]
            await passes(check.name, run_stage(check.name, command, service.path))
    else:
        results.extend(StageResult(check.name, Outcome.SKIPPED) for check in checks)
    return ServiceResult(service.name, service.path, tuple(results))


def _render(render: Callable[[], None]) -> StageResult:
    started = time.perf_counter()
    try:
        render()
    except RagseamError as error:
        elapsed = time.perf_counter() - started
        return StageResult(RENDER, Outcome.FAILED, elapsed, output=error.what)
    return StageResult(RENDER, Outcome.PASSED, time.perf_counter() - started)
