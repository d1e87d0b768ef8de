"""Renders services, installs them and runs their own checks, several side by side."""

import asyncio
import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from .errors import RagseamError
from .stages import Outcome, StageResult, run_stage
from .toolchains import Check, read_toolchain

RENDER, INSTALL = "render", "install"


@dataclass(frozen=True, slots=True)
class Service:
    """A folder to verify; `render` fills it first, or is None when it is filled already.

    One that is fresh, rendered or about to be, shares its packages with others like it.
    """

    name: str
    path: Path
    render: Callable[[], None] | None = None
    is_fresh: bool = False


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
    """Verify `services`, at most `jobs` of them and `jobs` stages at once; in the order given.

    An interrupt or a termination signal stops every child before it propagates.

    Raises:
        VerifyError: `uv` or `npm` is missing, or a folder is no rendered service.
        KeyboardInterrupt: the run was interrupted or terminated.
    """
    try:
        return asyncio.run(_verify_all(services, jobs, progress))
    except asyncio.CancelledError as error:
        raise KeyboardInterrupt from error


async def _verify_all(
    services: Iterable[Service], jobs: int, progress: Progress
) -> list[ServiceResult]:
    run = asyncio.current_task()
    if run is not None:
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, run.cancel)
    verifier = _Verifier(progress, asyncio.Semaphore(jobs))
    slots = asyncio.Semaphore(jobs)

    async def verify_one(service: Service) -> ServiceResult:
        async with slots:
            results = [result async for result in verifier.stages(service)]
            return ServiceResult(service.name, service.path, tuple(results))

    return await asyncio.gather(*(verify_one(service) for service in services))


class _Verifier:
    """Runs the stages of services, sharing slots between them."""

    def __init__(self, progress: Progress, slots: asyncio.Semaphore) -> None:
        self._progress, self._slots = progress, slots
        self._rendering = asyncio.Lock()

    async def stages(self, service: Service) -> AsyncIterator[StageResult]:
        """Render, install, then all checks; what a failure leaves out is skipped.

        Copier changes the working folder of the whole process, so one service renders at a
        time.
        """
        if service.render is not None:
            async with self._rendering:
                rendering = asyncio.to_thread(_render, service.render)
                rendered = await self._shown(service, RENDER, rendering)
            yield rendered
            if rendered.outcome is Outcome.FAILED:
                return
        tools = read_toolchain(service.path, share=service.is_fresh)
        install = run_stage(INSTALL, tools.install, service.path)
        installed = await self._shown(service, INSTALL, install)
        yield installed
        if installed.outcome is Outcome.FAILED:
            for check in tools.checks:
                yield StageResult(check.name, Outcome.SKIPPED)
            return
        checking = (self._check(service, check) for check in tools.checks)
        for result in await asyncio.gather(*checking):
            yield result

    async def _check(self, service: Service, check: Check) -> StageResult:
        stage = run_stage(check.name, check.command, service.path)
        return await self._shown(service, check.name, stage)

    async def _shown(
        self, service: Service, stage: str, work: Awaitable[StageResult]
    ) -> StageResult:
        async with self._slots:
            self._progress.started(service.name, stage)
            result = await work
            self._progress.ended(service.name, result)
            return result


def _render(render: Callable[[], None]) -> StageResult:
    started = time.perf_counter()
    try:
        render()
    except RagseamError as error:
        elapsed = time.perf_counter() - started
        return StageResult(RENDER, Outcome.FAILED, elapsed, output=error.what)
    return StageResult(RENDER, Outcome.PASSED, time.perf_counter() - started)
