"""Writes conformance/*.json: what the Python service answers, for every language to agree with.

    python -m tests.conformance.generate

Each module beside this one that has a function `vectors` is an area, and gives one file. They
run in a service that is rendered and installed for it. Run this after a change that gives other
terms, chunks, scores or messages on purpose, and read the difference before committing it.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
VECTORS = ROOT / "templates" / "{{shared_layer}}" / "conformance"
NOT_AREAS = ("generate",)


def generate(destination: Path, folder: Path) -> None:
    """Write the vectors of all areas to `destination`, by a service rendered into `folder`."""
    sys.path.insert(0, str(ROOT / "tests"))
    from rendering import copy_template, install, render_into

    service = render_into(copy_template(folder / "template"), folder / "service", {})
    install(service)
    python = service / ".venv" / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    subprocess.run([python, "-m", "tests.conformance.generate", destination], cwd=ROOT, check=True)


def write_areas(destination: Path) -> None:
    """Write each area's vectors, with the reference package at hand, and drop other files."""
    destination.mkdir(exist_ok=True)
    names = [path.stem for path in sorted(HERE.glob("*.py"))]
    areas = [name for name in names if name not in NOT_AREAS and not name.startswith("test_")]
    for name in areas:
        vectors = import_module(f"tests.conformance.{name}").vectors()
        text = "".join(_lines(vectors)) + "\n"
        (destination / f"{name}.json").write_text(text, encoding="utf-8", newline="\n")
    for path in destination.glob("*.json"):
        if path.stem not in areas:
            path.unlink()


def _lines(value: object, indent: str = "", depth: int = 3) -> Iterator[str]:
    """JSON of ASCII alone, a line for each member down to `depth`, so that differences show."""
    inner = indent + " "
    if isinstance(value, dict) and value and depth:
        parts = [(f"{json.dumps(key)}: ", member) for key, member in value.items()]
        brackets = "{}"
    elif isinstance(value, list) and value and depth and isinstance(value[0], dict | list):
        parts = [("", member) for member in value]
        brackets = "[]"
    else:
        yield json.dumps(value)
        return
    yield f"{brackets[0]}\n"
    for number, (key, member) in enumerate(parts, start=1):
        yield inner + key
        yield from _lines(member, inner, depth - 1)
        yield ",\n" if number < len(parts) else "\n"
    yield indent + brackets[1]


if __name__ == "__main__":
    if len(sys.argv) > 1:
        write_areas(Path(sys.argv[1]))
    else:
        with tempfile.TemporaryDirectory() as made:
            generate(VECTORS, Path(made))
