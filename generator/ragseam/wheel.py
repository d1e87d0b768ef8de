"""Build the wheel, with the template inside as a git bundle: `python -m ragseam.wheel`."""

import argparse
import subprocess
import sys
from pathlib import Path

from .bundle import BUNDLE
from .errors import RagseamError
from .stages import find_uv


def build_wheel(checkout: Path, out: Path) -> Path:
    """Build the wheel of what is committed in `checkout`, and return its path.

    The bundle holds the history, since Copier names the version by tag or commit.

    Raises:
        RagseamError: git or the build backend refused; the message holds what it said.
    """
    bundle = checkout / "generator" / "ragseam" / BUNDLE.name
    _run(["git", "bundle", "create", "--quiet", str(bundle), "HEAD", "--tags"], checkout)
    try:
        _run([find_uv(), "build", "--quiet", "--wheel", "--out-dir", str(out)], checkout)
    finally:
        bundle.unlink(missing_ok=True)
    return max(out.glob("ragseam-*.whl"), key=lambda path: path.stat().st_mtime)


def _run(command: list[str], folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RagseamError(f"{' '.join(command[:3])} failed: {done.stderr.strip()}")


def main() -> None:
    """Build into `--out`, and print the path."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("dist"), help="folder of the wheel")
    try:
        built = build_wheel(Path.cwd(), parser.parse_args().out)
    except RagseamError as error:
        sys.exit(f"error: {error.what}")
    sys.stdout.write(f"{built}\n")


if __name__ == "__main__":
    main()
