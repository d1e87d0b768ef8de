"""The command as a user types it, and tiny services to verify."""

import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from ragseam.cli import main


@dataclass(frozen=True, slots=True)
class Completed:
    """What a command printed, and its exit status."""

    returncode: int | str | None
    stdout: str
    stderr: str


Ragseam = Callable[..., Completed]
MakeService = Callable[[Mapping[str, str]], Path]


@pytest.fixture
def ragseam(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Ragseam:
    """Runs `ragseam` in this process, without a terminal."""

    def run(*arguments: object) -> Completed:
        monkeypatch.setattr("sys.argv", ["ragseam", *map(str, arguments)])
        monkeypatch.setattr("sys.stdin", io.StringIO())
        capsys.readouterr()
        with pytest.raises(SystemExit) as left:
            main()
        printed = capsys.readouterr()
        return Completed(left.value.code, printed.out, printed.err)

    return run


@pytest.fixture
def make_service(tmp_path: Path) -> MakeService:
    """Writes a project with nothing but checks, given as names and shell commands."""

    def make(checks: Mapping[str, str]) -> Path:
        folder = tmp_path / "tiny"
        folder.mkdir()
        tasks = [f"{name}.shell = '''{command}'''" for name, command in checks.items()]
        text = [
            '[project]\nname = "tiny"\nversion = "1"\nrequires-python = ">=3.11"',
            '[dependency-groups]\ndev = ["poethepoet"]',
            "[tool.poe.tasks]",
            *tasks,
            f"check = {list(checks)}",
        ]
        (folder / "pyproject.toml").write_text("\n".join(text))
        return folder

    return make
