"""Merges one file of a service with the template's change to it. Never drops what is ours.

Three versions take part: what the template rendered before (`base`), what the service has
(`ours`), and what the template renders now (`theirs`); None stands for no file.
"""

import tempfile
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from .git import git
from .tree import LINK, Entry

LABELS = ("before updating", "last update", "after updating")
OURS, MIDDLE, THEIRS = b"<<<<<<< before updating", b"=======", b">>>>>>> after updating"


class Outcome(StrEnum):
    """How a merge ended; KEPT means that ours stands and theirs could not be taken in."""

    OURS = "ours"
    MERGED = "merged"
    CONFLICT = "conflict"
    KEPT = "kept"
    LEFT_DELETED = "left deleted"


@dataclass(frozen=True, slots=True)
class Hunk:
    """One conflict: the line its first marker stands on, counted from 1, and both sides."""

    line: int
    ours: str
    theirs: str


@dataclass(frozen=True, slots=True)
class Merge:
    """`entry` is what the file becomes; `hunks` are the conflicts in it, from top to bottom."""

    outcome: Outcome
    entry: Entry | None
    hunks: tuple[Hunk, ...] = ()


def same(left: Entry | None, right: Entry | None) -> bool:
    """Whether two entries are equal but for how their lines end."""
    if left is None or right is None:
        return left is right
    return left.with_lf == right.with_lf


def merge_entry(base: Entry | None, ours: Entry | None, theirs: Entry | None) -> Merge:
    """Ours where only ours changed, theirs where only theirs did, and both where that works."""
    if same(ours, theirs):
        return Merge(Outcome.OURS, ours)
    if same(base, theirs):
        return _only_ours(base, ours)
    if same(ours, base):
        taken = theirs and with_line_ends_of(ours, theirs)
        return Merge(Outcome.MERGED, taken)
    if ours is None:
        return Merge(Outcome.LEFT_DELETED, None)
    if theirs is None:
        return Merge(Outcome.KEPT, ours)
    return _merge_both(base, ours, theirs)


def _only_ours(base: Entry | None, ours: Entry | None) -> Merge:
    """Ours; a replaced binary or link counts as kept, since Copier itself would put it back."""
    replaced = ours is not None and base is not None and not (ours.is_text and base.is_text)
    return Merge(Outcome.KEPT if replaced else Outcome.OURS, ours)


def _merge_both(base: Entry | None, ours: Entry, theirs: Entry) -> Merge:
    before = base or Entry(ours.mode, b"")
    mode = theirs.mode if ours.mode == before.mode else ours.mode
    content = {entry.with_lf.content for entry in (ours, theirs)}
    if LINK not in (ours.mode, theirs.mode):
        if len(content) == 1:
            return _result(Entry(mode, ours.content), ours)
        if ours.with_lf.content == before.with_lf.content:
            return _result(Entry(mode, with_line_ends_of(ours, theirs).content), ours)
        if theirs.with_lf.content == before.with_lf.content:
            return _result(Entry(mode, ours.content), ours)
    if not all(entry.is_text for entry in (before, ours, theirs)):
        return Merge(Outcome.KEPT, ours)
    merged = _merge_text(before, ours, theirs)
    entry = with_line_ends_of(ours, Entry(mode, merged))
    if hunks := find_conflicts(merged):
        return Merge(Outcome.CONFLICT, entry, hunks)
    return _result(entry, ours)


def _result(entry: Entry, ours: Entry) -> Merge:
    return Merge(Outcome.OURS if entry == ours else Outcome.MERGED, entry)


def with_line_ends_of(model: Entry | None, entry: Entry) -> Entry:
    """`entry` with CR LF where each line of `model` ends so."""
    if model is None or not model.has_crlf or entry.has_crlf or not entry.is_text:
        return entry
    return Entry(entry.mode, entry.content.replace(b"\n", b"\r\n"))


def _merge_text(base: Entry, ours: Entry, theirs: Entry) -> bytes:
    """Both changes to `base`, with conflict markers where they touch the same lines."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder, name) for name in ("ours", "base", "theirs")]
        for path, entry in zip(paths, (ours, base, theirs), strict=True):
            path.write_bytes(entry.with_lf.content)
        labels = [word for label in LABELS for word in ("-L", label)]
        style = ("-c", "merge.conflictStyle=merge")
        conflicts = tuple(range(128))
        return git(Path(folder), *style, "merge-file", "-p", *labels, *paths, accepted=conflicts)


def find_conflicts(content: bytes) -> tuple[Hunk, ...]:
    """Conflicts that an update has left in `content`, from top to bottom."""
    hunks: list[Hunk] = []
    start = 0
    ours: list[bytes] = []
    theirs: list[bytes] = []
    side: list[bytes] | None = None
    for number, line in enumerate(content.splitlines(keepends=True), start=1):
        mark = line.rstrip(b"\r\n")
        if mark == OURS:
            start, ours, theirs = number, [], []
            side = ours
        elif side is not None and mark == MIDDLE:
            side = theirs
        elif side is not None and mark == THEIRS:
            hunks.append(Hunk(start, _text(ours), _text(theirs)))
            side = None
        elif side is not None:
            side.append(line)
    return tuple(hunks)


def _text(lines: list[bytes]) -> str:
    return b"".join(lines).decode(errors="replace")
