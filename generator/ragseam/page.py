"""A finished verification as one HTML page that needs nothing but a browser."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import jinja2

from .stages import Outcome, StageResult
from .verify import ServiceResult

TEMPLATE = Path(__file__).with_name("page.html.jinja")


def write_page(results: Sequence[ServiceResult], path: Path, *, made: datetime) -> None:
    """Write one row per service and one column per stage, the output of a cell behind a click."""
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    stages = list(dict.fromkeys(stage.stage for result in results for stage in result.stages))
    page = environment.from_string(TEMPLATE.read_text(encoding="utf-8")).render(
        stages=stages,
        rows=[(result, _cells(result, stages)) for result in results],
        passed=sum(result.passed for result in results),
        failures=[
            (result, stage) for result in results for stage in _all([result], Outcome.FAILED)
        ],
        slowest=max((stage.seconds for stage in _all(results, Outcome.PASSED)), default=0),
        made=f"{made:%Y-%m-%d %H:%M %Z}".rstrip(),
    )
    path.write_text(page, encoding="utf-8")


def _cells(result: ServiceResult, stages: Sequence[str]) -> list[StageResult | None]:
    by_name = {stage.stage: stage for stage in result.stages}
    return [by_name.get(stage) for stage in stages]


def _all(results: Sequence[ServiceResult], outcome: Outcome) -> list[StageResult]:
    return [each for result in results for each in result.stages if each.outcome is outcome]
