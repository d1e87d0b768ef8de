"""Both services, and indexes that each has made."""

import os
from pathlib import Path

import pytest
from services import Side


@pytest.fixture(scope="session")
def python(service: Path) -> Side:
    """The default Python service; its commands are told to use hash vectors."""
    scripts = service / ".venv" / ("Scripts" if os.name == "nt" else "bin")
    return Side("python", service, (str(scripts / "acme-search"),), (str(scripts / "python"), "-c"))


@pytest.fixture(scope="session")
def typescript(typescript_service: Path) -> Side:
    """The default TypeScript service."""
    program = ("node", "--import", "tsx", "--input-type=module", "-e")
    return Side("typescript", typescript_service, ("node", "bin/cli.js"), program)


@pytest.fixture(params=["python", "typescript"])
def writer(request: pytest.FixtureRequest) -> Side:
    """Who writes; the other one reads."""
    return request.getfixturevalue(request.param)


@pytest.fixture
def reader(writer: Side, python: Side, typescript: Side) -> Side:
    return typescript if writer is python else python


@pytest.fixture
def index(tmp_path: Path, writer: Side) -> Path:
    """An index folder of the shipped corpus, as `writer` makes it."""
    folder = tmp_path / "index"
    writer.do(folder, "index")
    return folder


@pytest.fixture(scope="session")
def scifact_mini() -> Path:
    """A judged collection, which is licensed apart and not part of this repository."""
    named = os.environ.get("RAGSEAM_IR_TESTDATA")
    shared = Path(__file__).parents[3] / "shared" / "ir-testdata"
    folder = (Path(named) if named else shared) / "scifact_mini"
    if not folder.is_dir():
        pytest.skip(f"no judged collection: RAGSEAM_IR_TESTDATA is not set, and no {folder}")
    return folder
