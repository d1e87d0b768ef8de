"""Cases of `cases-typescript.json`, laid over a service in TypeScript.

As in `seam_cases`; `{"replace": [old, new]}` changes a file, and what is rejected at a file that
is there anyway names no line.
"""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

Case = dict[str, Any]

CHECKED = ("src", "package.json", "tsconfig.json")
CASES: list[Case] = json.loads(
    Path(__file__).with_name("cases-typescript.json").read_text(encoding="utf-8")
)
JUDGE = Path(__file__).with_name("judge.mts")


def lay(service: Path, folder: Path, case: Case, checked: tuple[str, ...] = CHECKED) -> Path:
    """Link what is checked of a service, lay a case over it, and lend it the packages."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in checked:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        if (service / name).is_dir():
            shutil.copytree(service / name, folder / name, copy_function=os.link)
        else:
            os.link(service / name, folder / name)
    (folder / "node_modules").symlink_to(service / "node_modules")
    for name, content in case["files"].items():
        _lay_file(folder / name, content)
    return folder


def judge(service: Path, folders: list[Path]) -> list[list[dict[str, Any]]]:
    """The breaches in each folder, by the check of `service`, in one process."""
    done = subprocess.run(
        [service / "node_modules/.bin/tsx", JUDGE, service],
        input=json.dumps([str(folder) for folder in folders]), cwd=service,
        capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def _lay_file(path: Path, content: str | dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    match content:
        case str(text):
            _write(path, (path.read_text(encoding="utf-8") if path.exists() else "") + text)
        case {"replace": [old, new]}:
            text = path.read_text(encoding="utf-8")
            assert old in text, f"{path} holds no {old}"
            _write(path, text.replace(old, new))
        case {"link": target}:
            path.symlink_to(target)
        case {"remove": True}:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        case _:
            raise ValueError(f"unknown content of a case: {content}")


def _write(path: Path, text: str) -> None:
    """Write a new file: the one that is there is linked to the service's own."""
    path.unlink(missing_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")
