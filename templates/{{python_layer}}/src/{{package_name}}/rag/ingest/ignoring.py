"""What a scan leaves out: hidden names, build outputs, and what `.gitignore` files exclude."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

NEVER = {"__pycache__", "node_modules", "bower_components", "site-packages"}
MARKED = ("CACHEDIR.TAG", "pyvenv.cfg")  # files that mark the folder they are in as an output
OUTPUTS = {"_build", "build", "dist", "out", "target"}  # outputs only beside one of PROJECTS
PROJECTS = (
    "build.gradle",
    "Cargo.toml",
    "CMakeLists.txt",
    "conf.py",
    "package.json",
    "pom.xml",
    "pyproject.toml",
    "setup.py",
)


@dataclass(frozen=True, slots=True)
class _Patterns:
    """The patterns of one file; they hold for paths below `folder`."""

    folder: str
    origin: str
    lines: tuple[str, ...]
    spec: "GitIgnoreSpec"


@dataclass(frozen=True, slots=True)
class IgnoreRules:
    """Rules in force in one folder, in Git's order: those of deeper folders decide first.

    `folder` is its path below the repository's root, empty or ending in `/`.
    """

    folder: str = ""
    patterns: tuple[_Patterns, ...] = ()

    def enter(self, name: str, path: Path) -> "IgnoreRules":
        """Rules in force in the subfolder `name`, which is at `path`."""
        inner = IgnoreRules(f"{self.folder}{name}/", self.patterns)
        return inner.read(path)

    def read(self, path: Path) -> "IgnoreRules":
        """These rules with those of the `.gitignore` in this folder, which is at `path`."""
        found = _load(path / ".gitignore", self.folder)
        return IgnoreRules(self.folder, (*self.patterns, *found))

    def why_ignored(self, name: str, *, is_folder: bool) -> str:
        """Say which rule leaves out `name` in this folder; empty when none does."""
        if name.startswith("."):
            return "hidden"
        if is_folder and (name in NEVER or name.endswith(".egg-info")):
            return f"{name} is never indexed"
        full = f"{self.folder}{name}{'/' if is_folder else ''}"
        for patterns in reversed(self.patterns):
            result = patterns.spec.check_file(full[len(patterns.folder) :])
            if result.include is not None and result.index is not None:
                line = patterns.lines[result.index]
                return f"{patterns.origin}: {line}" if result.include else ""
        return ""


def rules_above(root: Path) -> IgnoreRules:
    """Rules that hold in `root` from the repository around it, its own `.gitignore` included.

    A root that those above exclude was asked for by name: then only its own hold.
    """
    repository = _repository(root)
    if repository is None:
        return IgnoreRules().read(root)
    exclude = _load(repository / ".git" / "info" / "exclude", "")
    rules = IgnoreRules("", tuple(exclude)).read(repository)
    path, asked_for = repository, False
    for name in root.relative_to(repository).parts:
        asked_for = asked_for or bool(rules.why_ignored(name, is_folder=True))
        path /= name
        rules = rules.enter(name, path)
    return IgnoreRules().read(root) if asked_for else rules


def is_output(path: Path) -> bool:
    """Whether a folder is marked as a cache or environment, or is where a project builds to."""
    if any((path / marker).is_file() for marker in MARKED):
        return True
    return path.name in OUTPUTS and any((path.parent / name).is_file() for name in PROJECTS)


def _repository(root: Path) -> Path | None:
    return next((path for path in (root, *root.parents) if (path / ".git").exists()), None)


def _load(path: Path, folder: str) -> Iterator[_Patterns]:
    """Read one file as Git does: no symbolic link is followed, and a missing one is none."""
    if path.is_symlink() or not path.is_file():
        return
    try:
        raw = path.read_bytes()
    except OSError:
        return
    from pathspec import GitIgnoreSpec

    text = raw.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")
    lines = tuple(line.removesuffix("\r") for line in text.split("\n"))
    yield _Patterns(folder, f"{folder}{path.name}", lines, GitIgnoreSpec.from_lines(lines))
