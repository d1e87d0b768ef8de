"""A finished verification as a table, as JSON and as JUnit's XML."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

from rich.console import Console
from rich.table import Table
from rich.text import Text

from .progress import STYLES
from .stages import Outcome, StageResult
from .verify import ServiceResult

SCHEMA = "ragseam.verify.v1"
TAIL_LINES = 40
NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def print_results(results: Sequence[ServiceResult], console: Console) -> None:
    """Print one row per service and one column per stage, then the output of what failed."""
    console.print(_table(results))
    for result in results:
        for stage in _failed(result):
            heading = f"\n{result.name}: {stage.stage} failed in {result.path}"
            console.print(Text(heading, "bold red"), soft_wrap=True)
            tail = stage.output.rstrip().splitlines()[-TAIL_LINES:]
            console.print(Text("\n".join(tail)), soft_wrap=True)
    passed = sum(result.passed for result in results)
    console.print(f"\n{passed} of {len(results)} passed", highlight=False)


def _table(results: Sequence[ServiceResult]) -> Table:
    stages = list(dict.fromkeys(stage.stage for result in results for stage in result.stages))
    table = Table("service", box=None, pad_edge=False)
    for stage in stages:
        table.add_column(stage, justify="right")
    table.add_column("total", justify="right")
    for result in results:
        cells = {stage.stage: _cell(stage) for stage in result.stages}
        row = [cells.get(stage, Text("")) for stage in stages]
        table.add_row(result.name, *row, f"{result.seconds:.1f} s")
    return table


def _cell(result: StageResult) -> Text:
    shown = "ok" if result.outcome is Outcome.PASSED else result.outcome
    return Text(f"{shown} {result.seconds:.1f} s".removesuffix(" 0.0 s"), STYLES[result.outcome])


def _failed(result: ServiceResult) -> list[StageResult]:
    return [stage for stage in result.stages if stage.outcome is Outcome.FAILED]


def write_json(results: Sequence[ServiceResult], path: Path) -> None:
    """Write one document with every stage, its exit status and its output."""
    document = {
        "schema": SCHEMA,
        "passed": all(result.passed for result in results),
        "services": [_service_record(result) for result in results],
    }
    path.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def _service_record(result: ServiceResult) -> dict[str, object]:
    return {
        "name": result.name,
        "path": str(result.path),
        "passed": result.passed,
        "seconds": round(result.seconds, 3),
        "stages": [
            {
                "stage": stage.stage,
                "outcome": stage.outcome,
                "seconds": round(stage.seconds, 3),
                "exit_code": stage.exit_code,
                "output": stage.output,
            }
            for stage in result.stages
        ],
    }


def write_junit(results: Sequence[ServiceResult], path: Path) -> None:
    """Write one suite per service and one case per stage, as CI servers read them."""
    root = ElementTree.Element("testsuites", name="ragseam verify")
    for result in results:
        suite = ElementTree.SubElement(
            root,
            "testsuite",
            name=result.name,
            tests=str(len(result.stages)),
            failures=str(len(_failed(result))),
            skipped=str(sum(stage.outcome is Outcome.SKIPPED for stage in result.stages)),
            time=f"{result.seconds:.3f}",
        )
        for stage in result.stages:
            _add_case(suite, result, stage)
    ElementTree.ElementTree(root).write(path, encoding="utf-8", xml_declaration=True)


def _add_case(suite: ElementTree.Element, result: ServiceResult, stage: StageResult) -> None:
    case = ElementTree.SubElement(
        suite,
        "testcase",
        classname=result.name,
        name=stage.stage,
        time=f"{stage.seconds:.3f}",
    )
    if stage.outcome is Outcome.SKIPPED:
        ElementTree.SubElement(case, "skipped")
    if stage.outcome is Outcome.FAILED:
        failure = ElementTree.SubElement(case, "failure", message=f"exit status {stage.exit_code}")
        failure.text = NOT_XML.sub("\ufffd", stage.output)
