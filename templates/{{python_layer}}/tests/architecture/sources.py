"""Reads the package's files, and refuses those that a check of Python sources can't see into."""

import ast
import io
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .layout import PACKAGE, PARTS

HIDDEN_CODE = frozenset(
    ".dll .dylib .egg .pth .pxd .pyc .pyd .pyi .pyo .pyw .pyx .pyz .so .whl .zip".split()
)
BUILD_OUTPUT = ("__pycache__", ".egg-info")


@dataclass(frozen=True)
class Violation:
    """One breach: where it is, which rule it breaks, and what to do instead."""

    path: str
    line: int
    rule: str
    advice: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.rule}: {self.advice}"


@dataclass(frozen=True)
class Source:
    """A module of the package. `name` is dotted and starts with the package."""

    path: str
    name: str
    is_package: bool
    tree: ast.Module

    @property
    def part(self) -> str:
        """Part below `rag/`; `rag` for its `__init__`, empty outside it."""
        _, _, inside = self.name.partition(".")
        words = inside.split(".")
        return "" if words[0] != "rag" else (words + ["rag"])[1] if len(words) > 1 else "rag"

    def breach(self, node: ast.AST | int, rule: str, advice: str) -> Violation:
        """A violation at the line of `node`."""
        line = node if isinstance(node, int) else getattr(node, "lineno", 1)
        return Violation(self.path, line, rule, advice)


def read_sources(root: Path) -> tuple[list[Source], list[Violation]]:
    """Parse every module below `root/src`, and list what is missing and what may not be there."""
    package = root / "src" / PACKAGE
    sources: list[Source] = []
    violations = list(_missing(root, package))
    for path in sorted((root / "src").rglob("*")):
        if any(name.endswith(BUILD_OUTPUT) for name in path.relative_to(root).parts):
            continue
        place = path.relative_to(root).as_posix()
        violations += [Violation(place, 1, *fault) for fault in _misplaced(path, package)]
        if path.suffix == ".py" and path.is_file() and path.is_relative_to(package):
            try:
                sources.append(_parse(path, root))
            except (SyntaxError, ValueError) as error:
                line = getattr(error, "lineno", None) or 1
                violations.append(Violation(place, line, "unreadable", f"mend it: {error}"))
    return sources, violations


def _missing(root: Path, package: Path) -> Iterator[Violation]:
    for part in PARTS:
        place = package / "rag" / part
        forms = (place.with_suffix(".py"), place / "__init__.py")
        if sum(form.is_file() for form in forms) != 1:
            name = place.relative_to(root).as_posix()
            advice = f"keep one of {part}.py and {part}/__init__.py, or take it out of layout.py"
            yield Violation(name, 1, "declared-parts", advice)


def _parse(path: Path, root: Path) -> Source:
    content = path.read_bytes()
    encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
    if encoding not in ("utf-8", "utf-8-sig"):
        raise ValueError(f"its encoding is {encoding}, not UTF-8")
    place = path.relative_to(root)
    words = place.relative_to("src").with_suffix("").parts
    is_package = words[-1] == "__init__"
    name = ".".join(words[:-1] if is_package else words)
    return Source(place.as_posix(), name, is_package, ast.parse(content.decode(encoding)))


def _misplaced(path: Path, package: Path) -> Iterator[tuple[str, str]]:
    """Yield rule and advice for each reason why `path` may not be where it is."""
    if path.is_symlink():
        yield "no-links", "replace the link by the file itself"
    if path.suffix.lower() in HIDDEN_CODE:
        yield "no-hidden-code", "ship the Python source alone; types stand in it"
    if not path.is_relative_to(package):
        if path.parent == package.parent:
            yield "one-package", f"keep code in src/{PACKAGE}/; this name can shadow a library"
        return
    if path.is_dir() and not (path / "__init__.py").exists() and any(path.rglob("*.py")):
        yield "no-bare-folders", "add an empty __init__.py, so that every check sees the folder"
    is_module = path.is_dir() or path.suffix == ".py"
    if path.parent == package / "rag" and is_module and path.name != "__init__.py":
        if path.stem not in PARTS or (path.is_dir() and path.suffix):
            yield "undeclared-part", "move it into a stage, or declare it in layout.py"
