"""Packages of Node, installed once for all services that ask for the same.

python -m ragseam.node FOLDER
"""

import datetime
import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from filelock import FileLock
from platformdirs import user_cache_path

from .errors import RagseamError, VerifyError

INSTALL = ("install", "--no-audit", "--no-fund", "--prefer-offline")
ASKED = ("dependencies", "devDependencies", "optionalDependencies", "overrides", "allowScripts")


def find_npm() -> str:
    """Path of `npm`.

    Raises:
        VerifyError: there is none.
    """
    if found := shutil.which("npm"):
        return found
    raise VerifyError(
        "npm is not installed, and a TypeScript service needs it",
        fix="Install Node.js 20.19 or newer: https://nodejs.org/en/download",
    )


def install_shared(service: Path) -> None:
    """Give a service its `node_modules`: hard links to a copy that is kept for a week.

    Raises:
        VerifyError: npm is missing, or could not install; its output has been printed.
    """
    store = user_cache_path("ragseam") / "node" / _version()
    store.mkdir(parents=True, exist_ok=True)
    kept = store / _key(service)
    with FileLock(store / "lock"):
        if not kept.exists():
            _install(service, kept, latest=_latest(store))
    shutil.rmtree(service / "node_modules", ignore_errors=True)
    shutil.copytree(
        kept / "node_modules", service / "node_modules", symlinks=True, copy_function=_link
    )


def _key(service: Path) -> str:
    """Names what is asked for, this machine and the week."""
    manifest: dict[str, Any] = json.loads((service / "package.json").read_text(encoding="utf-8"))
    week = datetime.date.today().isocalendar()[:2]
    asked = [manifest.get(name) for name in ASKED]
    facts = [asked, platform.system(), platform.machine(), week]
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:32]


def _version() -> str:
    """The version of Node: packages hold parts compiled for one."""
    told = subprocess.run(["node", "--version"], capture_output=True, text=True, check=False)
    return told.stdout.strip() or "unknown"


def _latest(store: Path) -> Path | None:
    """The copy that was made last: most of it is right for the next one too."""
    copies = [path for path in store.iterdir() if (path / "node_modules").is_dir()]
    return max(copies, key=lambda path: path.stat().st_mtime, default=None)


def _install(service: Path, kept: Path, latest: Path | None) -> None:
    with tempfile.TemporaryDirectory(dir=kept.parent) as folder:
        making = Path(folder) / "making"
        making.mkdir()
        shutil.copy(service / "package.json", making)
        if latest is not None and _is_recent(latest):
            shutil.copytree(latest / "node_modules", making / "node_modules", symlinks=True)
        done = subprocess.run([find_npm(), *INSTALL], cwd=making, check=False)
        if done.returncode != 0:
            raise VerifyError("npm could not install the packages of package.json")
        making.rename(kept)


def _is_recent(copy: Path) -> bool:
    age = datetime.datetime.now().timestamp() - copy.stat().st_mtime
    return age < datetime.timedelta(days=7).total_seconds()


def _link(source: str, target: str) -> None:
    """Link a file, or copy it where the two are on different disks."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


if __name__ == "__main__":
    try:
        install_shared(Path(sys.argv[1]))
    except RagseamError as error:
        sys.exit(f"{error.what}\n{error.fix}")
