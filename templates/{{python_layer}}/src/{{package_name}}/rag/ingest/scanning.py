"""A folder -> its files, in one order, each with its digest or the reason to skip it."""

import hashlib
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from operator import itemgetter
from pathlib import Path

from ..contracts import DocumentId
from ..errors import IngestError
from .ignoring import IgnoreRules, is_output, rules_above
from .records import Skipped, Source


def scan_sources(root: Path, *, max_file_bytes: int) -> Iterator[Source | Skipped]:
    """Find what is at or below `root`, ordered by id.

    An id is the path below `root`, with `/`. A root that is a file has one source, whose id
    is its name. Files are read one at a time, as the iterator goes on.

    Symbolic links are never walked through: what is inside the root is found under its own
    name, so no file comes twice and no cycle can be entered.

    Raises:
        IngestError: `root` does not exist, can't be listed, or is no file or folder.
    """
    try:
        mode = root.stat().st_mode
    except OSError as error:
        raise IngestError(
            f"the source {root} can't be read: {error.strerror}",
            fix="Check the path, or set the source folder to one that exists.",
        ) from error
    if stat.S_ISREG(mode):
        return iter([_source(root, root.name, max_file_bytes)])
    if not stat.S_ISDIR(mode):
        raise IngestError(f"the source {root} is no file or folder")
    walk = _Walk(root, root.resolve())
    walk.run()
    return _in_order(walk, max_file_bytes)


@dataclass(slots=True)
class _Walk:
    """One pass over a tree; it opens no file but ignore rules."""

    root: Path
    real_root: Path
    files: dict[str, Path] = field(default_factory=dict[str, Path])
    folders: set[str] = field(default_factory=lambda: {""})
    skipped: list[Skipped] = field(default_factory=list[Skipped])
    _links: list[tuple[str, Path]] = field(default_factory=list[tuple[str, Path]])

    def run(self) -> None:
        pending = [(self.root, "", rules_above(self.real_root))]
        while pending:
            folder, prefix, rules = pending.pop()
            try:
                with os.scandir(folder) as entries:
                    listed = list(entries)
            except OSError as error:
                if not prefix:
                    raise IngestError(f"the source {folder} can't be listed: {error}") from error
                self._skip(prefix, "unreadable", error.strerror or "")
                continue
            for entry in listed:
                if self._is_folder_to_enter(entry, prefix, rules):
                    path, name = Path(entry.path), entry.name
                    self.folders.add(f"{prefix}{name}")
                    pending.append((path, f"{prefix}{name}/", rules.enter(name, path)))
        for source, path in self._links:
            self._skip(source, *self._link(path))

    def _is_folder_to_enter(
        self, entry: "os.DirEntry[str]", prefix: str, rules: IgnoreRules
    ) -> bool:
        source, path = f"{prefix}{entry.name}", Path(entry.path)
        if not _is_utf8(entry.name):
            shown = os.fsencode(entry.name).decode("utf-8", "backslashreplace")
            self._skip(f"{prefix}{shown}", "bad_name", "the name is not valid UTF-8")
            return False
        is_folder = entry.is_dir(follow_symlinks=False)
        why = rules.why_ignored(entry.name, is_folder=is_folder)
        if not why and is_folder and is_output(path):
            why = "a build output, cache or environment"
        if why:
            self._skip(f"{source}/" if is_folder else source, "ignored", why)
        elif entry.is_symlink():
            self._links.append((source, path))
        elif not is_folder:
            self._file(entry, source, path)
        return is_folder and not why

    def _file(self, entry: "os.DirEntry[str]", source: str, path: Path) -> None:
        if entry.is_file(follow_symlinks=False):
            self.files[source] = path
        else:
            self._skip(source, "not_a_file", "a pipe, socket or device")

    def _link(self, path: Path) -> tuple[str, str]:
        try:
            target = path.resolve(strict=True)
        except (OSError, RuntimeError):
            return "broken_link", "it leads to nothing, or to itself"
        if not target.is_relative_to(self.real_root):
            return "outside_root", "it leads out of the source folder"
        inside = "/".join(target.relative_to(self.real_root).parts)
        if inside in self.files or inside in self.folders:
            return "duplicate", f"it leads to {inside or 'the source folder'}"
        return "ignored", f"it leads to {inside}, which is skipped"

    def _skip(self, source: str, reason: str, detail: str) -> None:
        self.skipped.append(Skipped(source, reason, detail))


def _is_utf8(name: str) -> bool:
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _in_order(walk: _Walk, max_file_bytes: int) -> Iterator[Source | Skipped]:
    found: list[tuple[str, Path | Skipped]] = [*walk.files.items()]
    found.extend((skipped.source, skipped) for skipped in walk.skipped)
    for source, item in sorted(found, key=itemgetter(0)):
        yield item if isinstance(item, Skipped) else _source(item, source, max_file_bytes)


def _source(path: Path, source: str, max_file_bytes: int) -> Source | Skipped:
    try:
        size = path.stat().st_size
        if size > max_file_bytes:
            return Skipped(source, "too_large", f"{size:,} bytes, allowed are {max_file_bytes:,}")
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        return Skipped(source, "unreadable", error.strerror or "")
    return Source(DocumentId(source), path, digest)
