"""Renders services, installs them and runs their own checks, several side by side."""

import asyncio
import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from .errors import RagseamError
from .stages import Outcome, StageResult, run_stage
from .toolchains import Check, Toolchain, read_toolchain
from .trial import find_faults, plant, stand_ins

RENDER, FILES, INSTALL, PLANTED = "render", "files", "install", "planted"


@dataclass(frozen=True, slots=True)
class Service:
    """A folder to verify; `render` fills it first, or is None when it is filled already.

    One that is fresh, rendered or about to be, shares its packages with others like it.
    `snapshot` lists the files that a render must hold, if there is such a list.
    """

    name: str
    path: Path
    render: Callable[[], None] | None = None
    snapshot: Path | None = None
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
            yield await self._shown(service, FILES, _look_at_files(service))
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
        if service.render is not None:
            async for result in self._trial(service, tools):
                yield result

    async def _trial(self, service: Service, tools: Toolchain) -> AsyncIterator[StageResult]:
        """What only a fresh render is put through, since it writes; after its own checks."""
        offline = stand_ins(service.path)
        for check in tools.evaluate:
            yield await self._check(service, check, offline)
        planted = plant(service.path)
        try:
            refusing = _refusing(tools.boundary, service.path, planted)
            yield await self._shown(service, PLANTED, refusing)
        finally:
            planted.unlink()

    async def _check(
        self, service: Service, check: Check, variables: Mapping[str, str] | None = None
    ) -> StageResult:
        stage = run_stage(check.name, check.command, service.path, variables=variables)
        return await self._shown(service, check.name, stage)

    async def _shown(
        self, service: Service, stage: str, work: Awaitable[StageResult]
    ) -> StageResult:
        async with self._slots:
            self._progress.started(service.name, stage)
            result = await work
            self._progress.ended(service.name, result)
            return result


async def _look_at_files(service: Service) -> StageResult:
    started = time.perf_counter()
    faults = find_faults(service.path, service.snapshot)
    outcome = Outcome.FAILED if faults else Outcome.PASSED
    elapsed = time.perf_counter() - started
    return StageResult(FILES, outcome, elapsed, output="\n".join(faults))


async def _refusing(command: Sequence[str], folder: Path, planted: Path) -> StageResult:
    """Passes when the boundary check refuses what was planted, and names it."""
    result = await run_stage(PLANTED, command, folder)
    refused = result.outcome is Outcome.FAILED and planted.stem in result.output
    said = "" if refused else f"{planted} crosses the boundary, and was not refused\n"
    return StageResult(
        PLANTED,
        Outcome.PASSED if refused else Outcome.FAILED,
        result.seconds,
        result.exit_code,
        said + result.output,
    )


def _render(render: Callable[[], None]) -> StageResult:
    started = time.perf_counter()
    try:
        render()
    except RagseamError as error:
        elapsed = time.perf_counter() - started
        return StageResult(RENDER, Outcome.FAILED, elapsed, output=error.what)
    return StageResult(RENDER, Outcome.PASSED, time.perf_counter() - started)
