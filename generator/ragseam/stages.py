"""One stage of a verification: a command in a folder, timed, and killed whole when cancelled."""

import asyncio
import contextlib
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import psutil

from .errors import VerifyError

GRACE_S = 5.0
"""Seconds that a cancelled command gets to end by itself."""

TIMEOUT_S = 900.0
"""Seconds after which a stage counts as hung."""


class Outcome(StrEnum):
    """How a stage ended; a stage is skipped when the service could not be installed."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class StageResult:
    """`output` holds both streams in the order written; `seconds` is wall time."""

    stage: str
    outcome: Outcome
    seconds: float = 0.0
    exit_code: int | None = None
    output: str = ""


def find_uv() -> str:
    """Path of `uv`: the one that runs this program, on the path, or beside this Python.

    Raises:
        VerifyError: there is none.
    """
    beside = shutil.which("uv", path=str(Path(sys.executable).parent))
    if found := os.environ.get("UV") or shutil.which("uv") or beside:
        return found
    raise VerifyError("uv is not installed", fix="See https://docs.astral.sh/uv/ to install it.")


async def run_stage(
    stage: str,
    command: Sequence[str],
    folder: Path,
    *,
    timeout_s: float = TIMEOUT_S,
    variables: Mapping[str, str] | None = None,
) -> StageResult:
    """Run `command` in `folder`, in a session of its own, with no standard input.

    `variables` are added to the environment, and stand at the head of the output. Nothing that
    it started is left when it is cancelled or times out.
    """
    added = dict(variables or {})
    started = time.perf_counter()
    with tempfile.TemporaryFile() as output:
        output.write("".join(f"with {name}={value}\n" for name, value in added.items()).encode())
        output.flush()
        process = await asyncio.create_subprocess_exec(
            *command,
            cwd=folder,
            env=service_environment() | {"NO_COLOR": "1", "UV_NO_PROGRESS": "1"} | added,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=output,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            exit_code = await asyncio.wait_for(process.wait(), timeout_s)
        except TimeoutError:
            exit_code = None
            output.write(f"\nstopped after {timeout_s:.0f} s\n".encode())
        finally:
            await _stop(process)
        output.seek(0)
        text = output.read().decode(errors="replace")
    outcome = Outcome.PASSED if exit_code == 0 else Outcome.FAILED
    return StageResult(stage, outcome, time.perf_counter() - started, exit_code, text)


def service_environment() -> dict[str, str]:
    """This environment without what would tie a service to the caller's own project."""
    ours = {"VIRTUAL_ENV", "UV_PROJECT_ENVIRONMENT", "PYTHONPATH", "FORCE_COLOR"}
    return {name: value for name, value in os.environ.items() if name not in ours}


async def _stop(process: asyncio.subprocess.Process) -> None:
    """End what is left of a command, politely first.

    Task runners and test runners put their children into groups of their own, so the groups
    are those of all descendants, looked up before the first of them ends.
    """
    groups = _groups_below(process.pid)
    _signal_groups(groups, signal.SIGTERM)
    try:
        await asyncio.wait_for(process.wait(), GRACE_S)
    except TimeoutError:
        pass
    finally:
        _signal_groups(groups, signal.SIGKILL)


def _groups_below(leader: int) -> set[int]:
    groups = {leader}
    with contextlib.suppress(psutil.NoSuchProcess):
        for child in psutil.Process(leader).children(recursive=True):
            with contextlib.suppress(ProcessLookupError):
                groups.add(os.getpgid(child.pid))
    return groups


def _signal_groups(groups: Iterable[int], number: signal.Signals) -> None:
    for group in groups:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(group, number)
