"""Diagnoses as text for a person, as one table, and as JSON."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from .finding import Diagnosis, Level

SCHEMA, SCHEMA_ALL = "ragseam.doctor.v1", "ragseam.doctor-all.v1"
STYLES = {Level.OK: "green", Level.NOTE: "yellow", Level.PROBLEM: "bold red"}
MARKS = {Level.OK: "✓", Level.NOTE: "•", Level.PROBLEM: "✗"}


def print_diagnosis(diagnosis: Diagnosis, console: Console) -> None:
    """Print a line for each finding, and below it what to run."""
    width = max(len(finding.check) for finding in diagnosis.findings)
    before = ""
    for finding in diagnosis.findings:
        check = "" if finding.check == before else finding.check
        before = finding.check
        mark = (MARKS[finding.level], STYLES[finding.level])
        console.print(Text.assemble(mark, f" {check:<{width}}  {finding.text}"), soft_wrap=True)
        indent = " " * (width + 4)
        for line in finding.lines:
            console.print(Text(f"{indent}  {line}", "dim"), soft_wrap=True)
        if finding.run:
            console.print(Text(f"{indent}→ {finding.run}", "cyan"), soft_wrap=True)
    console.print(Text(f"\n{_summary(diagnosis)}", "bold"))


def _summary(diagnosis: Diagnosis) -> str:
    problems = sum(finding.level is Level.PROBLEM for finding in diagnosis.findings)
    notes = sum(finding.level is Level.NOTE for finding in diagnosis.findings)
    return (
        f"{diagnosis.path.name}: {problems} {'problem' if problems == 1 else 'problems'}, "
        f"{notes} {'note' if notes == 1 else 'notes'}"
    )


def print_table(diagnoses: Sequence[Diagnosis], console: Console) -> None:
    """Print one row per service and one column per check."""
    checks = ordered_checks(diagnoses)
    table = Table("service", *checks, box=None, pad_edge=False)
    for diagnosis in diagnoses:
        cells: list[Text] = []
        for check in checks:
            finding = diagnosis.worst(check)
            cells.append(Text(finding.brief, STYLES[finding.level]) if finding else Text("-"))
        table.add_row(diagnosis.path.name, *cells)
    console.print(table)
    healthy = sum(diagnosis.is_healthy for diagnosis in diagnoses)
    console.print(f"\n{healthy} of {len(diagnoses)} without a problem")
    for diagnosis in diagnoses:
        if not diagnosis.is_healthy:
            console.print(Text(f"  ragseam doctor {diagnosis.path}", "cyan"), soft_wrap=True)


def ordered_checks(diagnoses: Sequence[Diagnosis]) -> list[str]:
    """Names of the checks made, in the order of the service with the most of them."""
    by_number = sorted(diagnoses, key=lambda diagnosis: -len({f.check for f in diagnosis.findings}))
    return list(
        dict.fromkeys(finding.check for diagnosis in by_number for finding in diagnosis.findings)
    )


def diagnosis_record(diagnosis: Diagnosis) -> dict[str, object]:
    """One service under the schema `ragseam.doctor.v1`."""
    return {
        "schema": SCHEMA,
        "path": str(diagnosis.path),
        "healthy": diagnosis.is_healthy,
        "findings": [
            {
                "check": finding.check,
                "level": finding.level,
                "text": finding.text,
                "run": finding.run or None,
                "lines": list(finding.lines),
            }
            for finding in diagnosis.findings
        ],
    }


def diagnoses_record(diagnoses: Sequence[Diagnosis]) -> dict[str, object]:
    """Many services under the schema `ragseam.doctor-all.v1`."""
    return {
        "schema": SCHEMA_ALL,
        "healthy": all(diagnosis.is_healthy for diagnosis in diagnoses),
        "services": [diagnosis_record(diagnosis) for diagnosis in diagnoses],
    }
