"""Folder -> sources, in the order of their ids."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ..contracts import DocumentId
from ..errors import IngestError
from .files import TooLargeError, hash_file
from .ignoring import MARKS, Rules, rules_above, why_left_out
from .records import Skipped, Source


def scan_sources(root: Path, *, max_file_bytes: int) -> Iterator[Source | Skipped]:
    """Find the files below `root`, or `root` itself if it is a file, sorted by id.

    An id is the path below the root with `/`. Every entry that is not indexed is skipped
    with its reason, and a folder left out counts once. No link is walked through: what it
    leads to inside the root is found under its own name, so that no file comes twice and no
    cycle is entered. Files are hashed one by one, as the iterator reaches them.

    Raises:
        IngestError: `root` is missing or can't be read.
    """
    try:
        real = root.resolve(strict=True)
        found = _Walk(real)
        if real.is_dir():
            found.run()
        else:
            found.root_file(root.name or real.name)
    except (OSError, RuntimeError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise IngestError(
            f"{root} can't be read: {reason}", fix="Give a folder or a file to index."
        ) from error
    return _in_order(found, max_file_bytes)


@dataclass(slots=True)
class _Walk:
    """One pass over a tree, which opens no file but ignore rules."""

    root: Path
    files: dict[str, Path] = field(default_factory=dict[str, Path])
    folders: set[str] = field(default_factory=set[str])
    links: dict[str, Path] = field(default_factory=dict[str, Path])
    skipped: list[Skipped] = field(default_factory=list[Skipped])

    def run(self) -> None:
        """Walk the root.

        Raises:
            OSError: the root can't be listed; a folder in it is skipped instead.
        """
        pending = [(self.root, "", rules_above(self.root))]
        while pending:
            folder, prefix, rules = pending.pop()
            try:
                with os.scandir(folder) as listing:
                    entries = {entry.name: entry for entry in listing}
            except OSError as error:
                if not prefix:
                    raise
                self._skip(prefix, "unreadable", error.strerror or str(error))
                continue
            if prefix and not entries.keys().isdisjoint(MARKS):
                self._skip(prefix, "ignored", "a virtual environment or a cache")
                continue
            self.folders.add(prefix.removesuffix("/"))
            rules = rules.read(folder, entries.keys())
            for name, entry in entries.items():
                if self._visit(entry, prefix, rules):
                    pending.append((folder / name, f"{prefix}{name}/", rules.enter(name)))
        self._resolve_links()

    def root_file(self, name: str) -> None:
        """Take the root itself, which is no folder."""
        if not _is_utf8(name):
            self._skip(_shown(name), "bad_name", "the name is not UTF-8")
        elif self.root.is_file():
            self.files[name] = self.root
        else:
            self._skip(name, "not_a_file", "a pipe, socket or device")

    def _visit(self, entry: "os.DirEntry[str]", prefix: str, rules: Rules) -> bool:
        """Note an entry, and tell whether it is a folder to walk."""
        name, is_folder = entry.name, entry.is_dir(follow_symlinks=False)
        id = _shown(prefix + name) + ("/" if is_folder else "")
        why = why_left_out(name) or rules.why_excluded(name, is_folder=is_folder)
        if why:
            self._skip(id, "ignored", _shown(why))
        elif not _is_utf8(name):
            self._skip(id, "bad_name", "the name is not UTF-8")
        elif entry.is_symlink():
            self.links[id] = Path(entry.path)
        elif is_folder:
            return True
        elif entry.is_file(follow_symlinks=False):
            self.files[id] = Path(entry.path)
        else:
            self._skip(id, "not_a_file", "a pipe, socket or device")
        return False

    def _resolve_links(self) -> None:
        for id, path in self.links.items():
            try:
                target = path.resolve()
                is_inside = target.is_relative_to(self.root)
                target.stat() if is_inside else None
            except (OSError, RuntimeError):
                self._skip(id, "broken_link", "it leads to nothing, or to itself")
                continue
            parts = target.relative_to(self.root).parts if is_inside else ()
            place = _shown("/".join(parts))
            if not is_inside:
                self._skip(id, "outside_root", "it leads out of the source folder")
            elif place in self.files or place in self.folders:
                self._skip(id, "duplicate", f"it leads to {place or 'the source folder'}")
            else:
                self._skip(id, "ignored", f"it leads to {place}, which is left out")

    def _skip(self, id: str, reason: str, detail: str) -> None:
        self.skipped.append(Skipped(id, reason, detail))


def _in_order(walk: _Walk, max_file_bytes: int) -> Iterator[Source | Skipped]:
    found: dict[str, Path | Skipped] = {**walk.files}
    found.update((skipped.source, skipped) for skipped in walk.skipped)
    for id in sorted(found):
        item = found[id]
        yield item if isinstance(item, Skipped) else _source(id, item, max_file_bytes)


def _source(id: str, path: Path, max_file_bytes: int) -> Source | Skipped:
    try:
        size = path.lstat().st_size
        if size > max_file_bytes:
            raise TooLargeError(size)
        digest = hash_file(path, max_bytes=max_file_bytes)
    except TooLargeError as error:
        detail = f"{error.size:,} bytes, and the limit is {max_file_bytes:,}"
        return Skipped(id, "too_large", detail)
    except OSError as error:
        return Skipped(id, "unreadable", error.strerror or str(error))
    return Source(DocumentId(id), path, digest)


def _is_utf8(name: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in name)


def _shown(name: str) -> str:
    """A name as it can be printed and stored: a byte that is not UTF-8 as its escape."""
    return name if _is_utf8(name) else os.fsencode(name).decode("utf-8", "backslashreplace")
