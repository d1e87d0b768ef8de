"""What an examination finds."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from ..errors import RagseamError


class Level(StrEnum):
    """How much a finding matters; only a problem gives status 1."""

    OK = "ok"
    NOTE = "note"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding: `brief` fits a table's cell, and `run` is what to do about it."""

    check: str
    level: Level
    text: str
    brief: str
    run: str = ""
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """All findings about the service at `path`, in the order of the checks."""

    path: Path
    findings: tuple[Finding, ...]

    @property
    def is_healthy(self) -> bool:
        """Whether there is no problem."""
        return all(finding.level is not Level.PROBLEM for finding in self.findings)

    def worst(self, check: str) -> Finding | None:
        """The finding of a check that matters most, the first of equals."""
        ranked = list(Level)
        found = [finding for finding in self.findings if finding.check == check]
        return max(found, key=lambda finding: ranked.index(finding.level), default=None)


def of_error(check: str, error: RagseamError, brief: str = "error") -> Finding:
    """An error as a problem."""
    return Finding(check, Level.PROBLEM, error.what, brief, error.fix)


def shown(paths: Iterable[str], limit: int = 5) -> str:
    """The first few of `paths`, and how many more there are."""
    listed = list(paths)
    more = [f"and {len(listed) - limit} more"] if len(listed) > limit else []
    return ", ".join(listed[:limit] + more)
