"""The two services of one template, run as their users do."""

import json
import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Done:
    """What a command left: its exit status and both outputs."""

    status: int
    printed: str
    told: str


@dataclass(frozen=True)
class Side:
    """One service: the words of its command, and of a program in its language."""

    name: str
    folder: Path
    command: tuple[str, ...]
    program: tuple[str, ...]

    def call(self, index: Path, *words: object, **settings: object) -> Done:
        """Run a command on the index folder `index`, with hash vectors unless told otherwise."""
        env = self._variables(index, settings)
        done = subprocess.run(
            [*self.command, *map(str, words)], cwd=self.folder, env=env,
            capture_output=True, text=True, encoding="utf-8", check=False,
        )  # fmt: skip
        return Done(done.returncode, done.stdout, done.stderr)

    def do(self, index: Path, *words: object, **settings: object) -> str:
        """What a command prints that must succeed."""
        done = self.call(index, *words, **settings)
        assert done.status == 0, f"{self.name} {words}: exit {done.status}\n{done.told}"
        return done.printed

    def read(self, index: Path, *words: object, **settings: object) -> Any:
        """The JSON that a command prints, less what no two runs have in common."""
        return timeless(json.loads(self.do(index, *words, "--json", **settings)))

    def start(self, program: str, *words: object) -> subprocess.Popen[str]:
        """A process of this side's language, with its service at hand."""
        return subprocess.Popen(
            [*self.program, program, *map(str, words)], cwd=self.folder, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip

    def _variables(self, index: Path, settings: Mapping[str, object]) -> dict[str, str]:
        chosen = {**ALIKE, "index_dir": index, **settings}
        return {
            **os.environ,
            **{f"RAG_{name.upper()}": str(value) for name, value in chosen.items()},
        }


ALIKE = {"embedding": "hash", "dense_weight": 0.2, "min_similarity": 0.1}
"""Settings whose defaults follow the embedding that a service was rendered with."""

TIMES = {"latency_ms", "created", "updated", "versions", "size_bytes"}


def timeless(value: Any) -> Any:
    """The value without times and versions, wherever they stand in it."""
    if isinstance(value, dict):
        return {name: timeless(part) for name, part in value.items() if name not in TIMES}
    if isinstance(value, list):
        return [timeless(part) for part in value]
    return value
