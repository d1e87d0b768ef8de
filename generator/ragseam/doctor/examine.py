"""All checks of one service, and of the services below folders."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from ..errors import RagseamError
from ..update.project import ANSWERS_FILE, open_project, require_full_address
from .finding import Diagnosis, Finding, of_error
from .index import check_index
from .origin import VERSION, check_origin
from .toolchain import check_toolchain
from .tree_state import safe_check_tree


def examine(path: Path) -> Diagnosis:
    """Everything that is to be said about the service at `path`, of which nothing is changed."""
    path = path.resolve()
    return Diagnosis(path, tuple(_examine(path)))


def _examine(path: Path) -> Iterator[Finding]:
    try:
        project = open_project(path)
        require_full_address(project)
    except RagseamError as error:
        yield from check_toolchain(None)
        yield of_error(VERSION, error)
        if (path / ANSWERS_FILE).exists():
            yield from safe_check_tree(path)
        return
    yield from check_toolchain(project.answers.get("language"))
    yield from check_origin(project)
    yield from safe_check_tree(path)
    if slug := project.answers.get("slug"):
        yield check_index(path, str(slug))


def find_services(folders: Sequence[Path]) -> list[Path]:
    """The services that `folders` are, or hold at their first level; others as given."""
    services: list[Path] = []
    for folder in folders:
        below = sorted(file.parent for file in folder.glob(f"*/{ANSWERS_FILE}"))
        if (folder / ANSWERS_FILE).exists() or not below:
            services.append(folder)
        else:
            services.extend(below)
    return services
