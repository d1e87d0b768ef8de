"""Which paths of a service an update writes, and which it keeps and why."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from .merge import Hunk, Merge, Outcome, merge_entry, same
from .project import Project
from .tree import SUBMODULE, Entry, Tree, read_entry

BESIDE = ".from-template"


@dataclass(frozen=True, slots=True)
class Place:
    """One path to write or remove: what is there, and what will be; None stands for nothing.

    `sides` are what a conflict was merged from. Of a path that is not `listed`, git is told
    nothing.
    """

    path: str
    before: Entry | None
    entry: Entry | None
    hunks: tuple[Hunk, ...] = ()
    sides: tuple[Entry | None, Entry | None, Entry | None] = (None, None, None)
    listed: bool = True


@dataclass(frozen=True, slots=True)
class Kept:
    """A file that stays as it is, why, and what to do; `beside` holds the template's."""

    path: str
    why: str
    todo: str
    beside: str | None = None


@dataclass(frozen=True, slots=True)
class Note:
    """Something about a path that is good to know and needs nothing done."""

    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Moves:
    """New path by old path: files that the service has moved, and that the template has."""

    ours: Mapping[str, str]
    theirs: Mapping[str, str]


@dataclass(slots=True)
class Placer:
    """Decides path by path, and collects what comes of it."""

    project: Project
    listed: Mapping[str, tuple[int, str]]
    base: Tree
    ours: Tree
    theirs: Tree
    unheld: Tree
    moves: Moves
    places: list[Place] = field(default_factory=list[Place])
    kept: list[Kept] = field(default_factory=list[Kept])
    notes: list[Note] = field(default_factory=list[Note])

    def place_all(self) -> None:
        """Decide on every path of either version; removals first, since they make room."""
        paths = sorted(self.base.keys() | self.theirs.keys())
        for path in sorted(paths, key=lambda path: path in self.theirs):
            if path in self.moves.ours:
                self._place_moved(path, self.moves.ours[path])
            elif path in self.unheld:
                self._place_unheld(path)
            elif path == self.project.answers_file:
                self._write(path, self.ours.get(path), self.theirs.get(path))
            else:
                self._place(path)

    def _place(self, path: str) -> None:
        base, ours, theirs = self.base.get(path), self.ours.get(path), self.theirs.get(path)
        merge = merge_entry(base, ours, theirs)
        if merge.outcome is Outcome.LEFT_DELETED:
            self.notes.append(Note(path, "changed in the template; you have removed it"))
        elif merge.outcome is Outcome.KEPT:
            self._keep(path, base, theirs)
        elif ours is None and merge.entry and (blocker := self._blocker(path)):
            self._keep_blocker(path, blocker, merge.entry)
        else:
            self._take(path, ours, merge, (base, ours, theirs))

    def _take(
        self,
        path: str,
        before: Entry | None,
        merge: Merge,
        sides: tuple[Entry | None, Entry | None, Entry | None],
    ) -> None:
        if merge.entry != before:
            self.places.append(Place(path, before, merge.entry, merge.hunks, sides))

    def _write(self, path: str, before: Entry | None, entry: Entry | None) -> None:
        if not same(before, entry):
            self.places.append(Place(path, before, entry))

    def _keep(self, path: str, base: Entry | None, theirs: Entry | None) -> None:
        if theirs is None:
            if new := self.moves.theirs.get(path):
                why, todo = f"the template has moved it to {new}", f"Move your changes to {new}."
            else:
                why = "you have changed it, and the template has it no more"
                todo = "Keep it as your own, or delete it."
            self.kept.append(Kept(path, why, todo))
        elif same(base, theirs):
            why = "you have replaced what is no text, and the template has not changed it"
            self.kept.append(Kept(path, why, "Nothing, if yours is the one you want."))
        else:
            why = "both have changed it, and it is no text to merge"
            self._lay_beside(path, path, theirs, why)

    def _keep_blocker(self, path: str, blocker: str, theirs: Entry) -> None:
        why = f"the template has a new file {path}, and this is in its way"
        self._lay_beside(blocker, path, theirs, why)

    def _place_unheld(self, path: str) -> None:
        base, ours, theirs = self.base.get(path), self.unheld[path], self.theirs.get(path)
        if base is None and theirs is not None:
            if not same(ours, theirs):
                why = "git ignores yours, and the template has a new file of this name"
                self._lay_beside(path, path, theirs, why)
            return
        merge = merge_entry(base, ours, theirs)
        if merge.outcome is Outcome.MERGED:
            self.places.append(Place(path, ours, merge.entry, listed=False))
        elif merge.outcome in (Outcome.CONFLICT, Outcome.KEPT) and not same(base, theirs):
            if theirs is None:
                self._keep(path, base, theirs)
            else:
                self._lay_beside(path, path, theirs, "git ignores it, and both have changed it")

    def _place_moved(self, path: str, new: str) -> None:
        base, ours, theirs = self.base[path], self.ours[new], self.theirs.get(path)
        if theirs is None or same(base, theirs):
            return
        merge = merge_entry(base, ours, theirs)
        if merge.outcome is Outcome.KEPT:
            self._lay_beside(new, new, theirs, f"you have moved {path} here, and both changed it")
        else:
            self._take(new, ours, merge, (base, ours, theirs))
            self.notes.append(Note(new, f"takes the template's changes to {path}, moved by you"))

    def _lay_beside(self, kept: str, path: str, theirs: Entry, why: str) -> None:
        beside = next(self._free_names(kept, path, theirs))
        todo = f"Compare it with {beside}, take what you want, and delete that."
        self.kept.append(Kept(kept, why, todo, beside))
        if read_entry(self.project.path / beside) is None:
            self.places.append(Place(beside, None, theirs, listed=False))

    def _free_names(self, kept: str, path: str, theirs: Entry) -> Iterator[str]:
        """Names near `kept` that stand for nothing, or for `theirs` already."""
        below = path.removeprefix(kept)
        taken = {place.path for place in self.places}
        for number in range(1, 1000):
            name = f"{kept}{BESIDE}{'' if number == 1 else f'-{number}'}{below}"
            there = self.project.path / name
            if name in taken or name in self.theirs or name in self.listed:
                continue
            if not there.exists() and not there.is_symlink():
                if self._blocker(name) is None:
                    yield name
            elif read_entry(there) == theirs:
                yield name

    def _blocker(self, path: str) -> str | None:
        """What stands where the file `path`, or a folder on the way to it, has to be."""
        removed = {place.path for place in self.places if place.entry is None}
        for parent in reversed(PurePosixPath(path).parents[:-1]):
            name = parent.as_posix()
            there = self.project.path / name
            if self.listed.get(name, (0, ""))[0] == SUBMODULE:
                return name
            if (there.is_symlink() or there.is_file()) and name not in removed:
                return name
        there = self.project.path / path
        if self.listed.get(path, (0, ""))[0] == SUBMODULE:
            return path
        if there.is_dir() and not there.is_symlink():
            inside = (
                file.relative_to(self.project.path).as_posix()
                for file in there.rglob("*")
                if file.is_symlink() or not file.is_dir()
            )
            return None if all(file in removed for file in inside) else path
        return None
