"""Files as git sees them: content, and whether executable or a link."""

import os
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from .git import git, git_paths
from .project import Project

FILE, EXECUTABLE, LINK, SUBMODULE = 0o100644, 0o100755, 0o120000, 0o160000
SNIFFED_BYTES = 8000


@dataclass(frozen=True, slots=True)
class Entry:
    """One file; `content` of a link is where it points."""

    mode: int
    content: bytes

    @property
    def is_text(self) -> bool:
        """Whether lines of it can be merged."""
        return self.mode != LINK and b"\0" not in self.content[:SNIFFED_BYTES]

    @property
    def has_crlf(self) -> bool:
        """Whether each of its lines ends in CR LF."""
        lines = self.content.count(b"\n")
        return self.is_text and lines > 0 and self.content.count(b"\r\n") == lines

    @property
    def with_lf(self) -> "Entry":
        """The same with LF where each line ends in CR LF."""
        if not self.has_crlf:
            return self
        return Entry(self.mode, self.content.replace(b"\r\n", b"\n"))


Tree: TypeAlias = Mapping[str, Entry]
"""Entries by path below the service, with `/`."""


def read_entry(path: Path) -> Entry | None:
    """The file or link at `path`; None where there is neither."""
    try:
        status = path.lstat()
        if stat.S_ISLNK(status.st_mode):
            return Entry(LINK, os.fsencode(path.readlink()))
        if not stat.S_ISREG(status.st_mode):
            return None
        return Entry(EXECUTABLE if status.st_mode & 0o100 else FILE, path.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        return None


def write_entry(entry: Entry, path: Path) -> None:
    """Write a file or a link where nothing is."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if entry.mode == LINK:
        path.symlink_to(os.fsdecode(entry.content))
    else:
        path.write_bytes(entry.content)
        if entry.mode == EXECUTABLE:
            path.chmod(path.stat().st_mode | 0o111)


def read_folder(root: Path) -> dict[str, Entry]:
    """Every file and link below `root`, git's own left out."""
    found: dict[str, Entry] = {}
    for folder, below, files in os.walk(root):
        if ".git" in below:
            below.remove(".git")
        for name in (*files, *below):
            path = Path(folder, name)
            if entry := read_entry(path):
                found[path.relative_to(root).as_posix()] = entry
    return found


def list_committed(project: Project) -> dict[str, tuple[int, str]]:
    """Mode and object name of all that is committed of the service, by path."""
    listed: dict[str, tuple[int, str]] = {}
    for line in git_paths(project.path, "ls-tree", "-r", "-z", "--full-tree", project.tree):
        described, _, path = line.partition("\t")
        mode, _, name = described.split()
        listed[path] = int(mode, 8), name
    return listed


def read_committed(
    project: Project, listed: Mapping[str, tuple[int, str]], paths: Iterable[str]
) -> dict[str, Entry]:
    """Those of `paths` that are committed, submodules left out."""
    wanted = {path: listed[path] for path in paths if path in listed}
    files = {path: entry for path, entry in wanted.items() if entry[0] != SUBMODULE}
    contents = read_objects(project.path, [name for _, name in files.values()])
    return {
        path: Entry(mode, content)
        for (path, (mode, _)), content in zip(files.items(), contents, strict=True)
    }


def read_objects(folder: Path, names: list[str]) -> list[bytes]:
    """Contents of objects, in the order named."""
    if not names:
        return []
    given = "".join(f"{name}\n" for name in names)
    printed = git(folder, "cat-file", "--batch", given=given.encode())
    contents: list[bytes] = []
    at = 0
    for _ in names:
        newline = printed.index(b"\n", at)
        size = int(printed[at:newline].split()[-1])
        contents.append(printed[newline + 1 : newline + 1 + size])
        at = newline + 1 + size + 1
    return contents


def store_objects(project: Project, contents: Iterable[bytes], scratch: Path) -> list[str]:
    """Write contents into the repository, where nothing refers to them yet; their names."""
    paths: list[Path] = []
    for number, content in enumerate(contents):
        paths.append(scratch / str(number))
        paths[-1].write_bytes(content)
    given = b"".join(os.fsencode(path) + b"\n" for path in paths)
    options = ("-w", "--no-filters", "--stdin-paths")
    return git(project.path, "hash-object", *options, given=given).decode().split()


def check_out(project: Project, entries: Tree, scratch: Path) -> dict[str, Entry]:
    """Entries as git would put them into the working tree, with its line ends and filters."""
    stored = scratch / "stored"
    stored.mkdir()
    names = store_objects(project, (entry.content for entry in entries.values()), stored)
    lines = (
        f"{entry.mode:o} {name}\t{project.prefix / path}\0"
        for (path, entry), name in zip(entries.items(), names, strict=True)
    )
    variables = {"GIT_INDEX_FILE": str(scratch / "index")}
    given = os.fsencode("".join(lines))
    git(project.top, "update-index", "-z", "--index-info", given=given, variables=variables)
    out = scratch / "out"
    git(project.top, "checkout-index", "--all", f"--prefix={out}/", variables=variables)
    return read_folder(out / project.prefix)
