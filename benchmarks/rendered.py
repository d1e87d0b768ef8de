"""The service that is measured: rendered from this checkout, in an environment of its own."""

import datetime
import os
import platform
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from copier import run_copy
from uv import find_uv_bin

TEMPLATE = Path(__file__).parents[1]


@dataclass(frozen=True)
class Rendered:
    """A rendered and installed service."""

    folder: Path

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self.folder / ".venv" / ("Scripts" if os.name == "nt" else "bin") / "python"

    def versions(self, names: Sequence[str]) -> str:
        """What its environment holds of these packages."""
        code = "import sys; from importlib.metadata import version as v; "
        code += "print(', '.join(f'{name} {v(name)}' for name in sys.argv[1:]))"
        return subprocess.check_output([self.python, "-c", code, *names], text=True).strip()


def render(folder: Path, *, extras: Sequence[str] = (), with_tests: bool = False) -> Rendered:
    """Render the default service and install it; one that is there is brought up to date."""
    run_copy(str(TEMPLATE), folder, defaults=True, quiet=True, vcs_ref="HEAD", overwrite=True)
    wanted = [word for extra in extras for word in ("--extra", extra)]
    command = [find_uv_bin(), "sync", "--quiet", *([] if with_tests else ["--no-dev"]), *wanted]
    env = {name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"}
    subprocess.run(command, cwd=folder, env=env, check=True)
    return Rendered(folder)


def machine() -> str:
    """Date, processor and Python."""
    listed = Path("/proc/cpuinfo")
    found = re.search(r"model name\s*: (.*)", listed.read_text()) if listed.exists() else None
    model = found[1].strip() if found else platform.processor() or platform.machine()
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    return f"{today}; {os.cpu_count()} cores ({model}), {platform.system()}"
