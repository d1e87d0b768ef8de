"""The command `ragseam doctor`."""

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text
from typer import Argument, Option

from .. import options as cli
from ..errors import RagseamError
from ..progress import new_console
from .examine import examine, find_services
from .finding import Diagnosis
from .report import diagnoses_record, diagnosis_record, print_diagnosis, print_table

PROBLEM = 1

Services = Annotated[
    list[Path] | None,
    Argument(exists=True, file_okay=False, help="Folder of the service; several with --all."),
]
Every = Annotated[
    bool, Option("--all", help="One table for many services, or for those that a folder holds.")
]


def doctor(paths: Services = None, every: Every = False, as_json: cli.Json = False) -> None:
    """Say what is wrong with a service, and what to run; changes nothing.

    Looks at the tools, the version of the template, the answers, the boundary files, what
    updates have left over, and the index. Status 0: no problem; 1: a problem.
    """
    output, messages = new_console(), new_console(stderr=True)
    folders = paths or [Path()]
    if len(folders) > 1 and not every:
        raise RagseamError("several services", fix="Add --all to see them in one table.")
    diagnoses: list[Diagnosis] = []
    services = find_services(folders) if every else folders
    with messages.status("") as status:
        for service in services:
            status.update(Text(f"Examining {service}"))
            diagnoses.append(examine(service))
    if as_json:
        record = diagnoses_record(diagnoses) if every else diagnosis_record(diagnoses[0])
        typer.echo(json.dumps(record, indent=2, ensure_ascii=False))
    elif every:
        print_table(diagnoses, output)
    else:
        print_diagnosis(diagnoses[0], output)
    raise typer.Exit(0 if all(diagnosis.is_healthy for diagnosis in diagnoses) else PROBLEM)
