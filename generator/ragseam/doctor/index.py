"""The index of a service beside its settings, as the service itself tells."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

from ..stages import service_environment
from .finding import Finding, Level

CHECK = "index"
TIMEOUT_S = 60.0
PROGRAM_FOLDERS = (".venv/bin", ".venv/Scripts", "node_modules/.bin")


def check_index(path: Path, slug: str) -> Finding:
    """What `<slug> status --json` says; a note when the service is not installed."""
    programs = (path / folder / slug for folder in PROGRAM_FOLDERS)
    program = next((program for program in programs if os.access(program, os.X_OK)), None)
    if program is None:
        return Finding(
            CHECK,
            Level.NOTE,
            "not known, since the service is not installed",
            "not installed",
            f"uv --directory {path} sync",
        )
    try:
        done = subprocess.run(
            [program, "status", "--json"],
            cwd=path,
            env=service_environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        mend = f"uv --directory {path} sync"
        return Finding(CHECK, Level.PROBLEM, f"{program} can't be run: {error}", "error", mend)
    return _read(path, slug, done)


def _read(path: Path, slug: str, done: subprocess.CompletedProcess[str]) -> Finding:
    run = f"uv --directory {path} run {slug}"
    if done.returncode != 0:
        said = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
        what = next((line for line in said if line.startswith("error: ")), said[-1])
        text = what.removeprefix("error: ")
        if "no index" in text:
            return Finding(CHECK, Level.NOTE, text, "none yet", f"{run} index")
        fix = " ".join(line.strip() for line in said[said.index(what) + 1 :])
        return Finding(CHECK, Level.PROBLEM, text, "mismatch", fix or f"{run} status")
    try:
        document: dict[str, Any] = json.loads(done.stdout)
        documents, chunks = document["index"]["documents"], document["index"]["chunks"]
        stale = sum(len(names) for names in document.get("sources", {}).values())
    except (ValueError, KeyError, TypeError, AttributeError):
        text = f"`{slug} status --json` is not readable"
        return Finding(CHECK, Level.PROBLEM, text, "error", f"{run} status --json")
    held = f"{documents} documents in {chunks} chunks, made with these settings"
    if stale:
        changed = "1 source has" if stale == 1 else f"{stale} sources have"
        text = f"{held}; {changed} changed since"
        return Finding(CHECK, Level.NOTE, text, f"{stale} stale", f"{run} index")
    return Finding(CHECK, Level.OK, held, "ok")
