"""What a scan leaves out: hidden names, package folders, and what `.gitignore` files exclude."""

import re
import warnings
from collections.abc import Container, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from .files import read_file

PACKAGE_FOLDERS = frozenset({"node_modules", "__pycache__", "site-packages", "venv"})
MARKS = ("pyvenv.cfg", "CACHEDIR.TAG")
"""Files that mark their folder as a virtual environment or a cache."""
BRACKETS = re.compile(r"\[[!^]?\]?(?:\[:[a-z]+:\]|[^\]])*\]")
NAMED_SET = re.compile(r"\[:([a-z]+):\]")
SETS = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "blank": " \t",
    "digit": "0-9",
    "lower": "a-z",
    "punct": "!-.:-@^-`{-~",
    "space": " \t-\r",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}


@dataclass(frozen=True, slots=True)
class _Pattern:
    """One line of a `.gitignore`, whose match ends with the entry that it names."""

    regex: re.Pattern[str]
    excludes: bool
    line: str

    def matches(self, path: str) -> bool:
        return any(match.end() == len(path) for match in self.regex.finditer(path))


@dataclass(frozen=True, slots=True)
class _Level:
    """The patterns of one file, for paths below `folder`."""

    folder: str
    origin: str
    patterns: tuple[_Pattern, ...]


@dataclass(frozen=True, slots=True)
class Rules:
    """The `.gitignore` files that apply in a folder, outermost first.

    `here` is the folder's path below its repository: empty, or ending in `/`.
    """

    here: str = ""
    levels: tuple[_Level, ...] = ()

    def enter(self, name: str) -> "Rules":
        """The same rules, for a folder inside this one."""
        return Rules(f"{self.here}{name}/", self.levels)

    def read(self, folder: Path, names: Container[str]) -> "Rules":
        """Add the `.gitignore` of this folder, if it is among `names`.

        A repository inside another starts with no rules but its own, as in git.
        """
        rules = self
        if ".git" in names:
            rules = Rules().add(folder / ".git" / "info" / "exclude")
        return rules.add(folder / ".gitignore") if ".gitignore" in names else rules

    def add(self, path: Path) -> "Rules":
        """Add the lines of one file, which decide before those that are there."""
        patterns = tuple(_read_patterns(path))
        if not patterns:
            return self
        level = _Level(self.here, f"{self.here}{path.name}", patterns)
        return Rules(self.here, (*self.levels, level))

    def why_excluded(self, name: str, *, is_folder: bool) -> str:
        """The line that excludes an entry of this folder, the last to match; or empty.

        Parents are not considered: nothing inside an excluded folder is ever asked about.
        """
        path = f"{self.here}{name}/" if is_folder else f"{self.here}{name}"
        for level in reversed(self.levels):
            below = path[len(level.folder) :]
            for pattern in reversed(level.patterns):
                if pattern.matches(below):
                    return f"{level.origin}: {pattern.line}" if pattern.excludes else ""
        return ""


def rules_above(root: Path) -> Rules:
    """Rules of the repository that `root` is a folder of.

    There are none where they exclude `root` itself: who asks for it means it.
    """
    repository = next((path for path in (root, *root.parents) if (path / ".git").exists()), root)
    rules, folder = Rules(), repository
    for name in root.relative_to(repository).parts:
        rules = rules.read(folder, {".gitignore", ".git" if folder == repository else ""})
        if rules.why_excluded(name, is_folder=True):
            return Rules()
        rules, folder = rules.enter(name), folder / name
    return rules


def why_left_out(name: str) -> str:
    """Why an entry is never indexed, whatever `.gitignore` says; or empty."""
    if name.startswith("."):
        return "hidden"
    return f"{name} is never indexed" if name in PACKAGE_FOLDERS else ""


def _read_patterns(path: Path) -> Iterator[_Pattern]:
    """Patterns of a file as git reads it: through no link, and a missing one is none."""
    try:
        lines = read_file(path).removeprefix(b"\xef\xbb\xbf").split(b"\n")
    except OSError:
        return
    for line in lines:
        yield from _parse(line.removesuffix(b"\r").decode("utf-8", "surrogateescape"))


def _parse(line: str) -> Iterator[_Pattern]:
    from pathspec import GitIgnoreSpec
    from pathspec.patterns.gitignore.base import GitIgnorePatternError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of brackets that only look nested
            patterns = list(GitIgnoreSpec.from_lines([_plain(line)]).patterns)
    except GitIgnorePatternError:
        return  # git matches nothing with such a line either
    for pattern in patterns:
        regex: object = getattr(pattern, "regex", None)
        if isinstance(regex, re.Pattern) and pattern.include is not None:
            yield _Pattern(cast("re.Pattern[str]", regex), pattern.include, line.strip())


def _plain(line: str) -> str:
    """Write a pattern so that the library reads it as git does.

    Named sets of characters are spelt out, and `x/**` ends with the entry that it excludes.
    """
    line = BRACKETS.sub(_spell_out, line)
    bare = line.removesuffix("/")
    return f"{bare}/*{line[len(bare) :]}" if bare.endswith("/**") else line


def _spell_out(bracket: re.Match[str]) -> str:
    inner = NAMED_SET.sub(lambda name: SETS.get(name[1], ""), bracket[0][1:])
    return f"[{inner}"
