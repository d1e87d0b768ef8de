"""What plain `copier update` would take from a service, found by running it on a clone."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from ..errors import TemplateError
from ..releases import update_in_place
from .git import git, init_beside
from .merge import same
from .project import Project
from .tree import Entry, Tree, read_folder, write_entry
from .versions import Versions


@dataclass(frozen=True, slots=True)
class Loss:
    """A path, and what plain `copier update` would do to what the service has there."""

    path: str
    what: str


def run_plain(project: Project, versions: Versions, unheld: Tree, folder: Path) -> Tree | Loss:
    """The service after plain `copier update`, or how that stops.

    `unheld` are files that git does not hold.
    """
    folder.mkdir()
    init_beside(folder, project.path)
    git(folder, "read-tree", project.tree)
    git(folder, "checkout-index", "--all", "--force")
    git(folder, "commit", "--quiet", "--allow-empty", "--no-verify", "--message", "as committed")
    exclude = folder / ".git" / "info" / "exclude"
    exclude.parent.mkdir(exist_ok=True)
    exclude.write_text("".join(f"/{path}\n" for path in unheld), encoding="utf-8")
    for path, entry in unheld.items():
        write_entry(entry, folder / path)
    try:
        update_in_place(folder, versions.new, versions.answers, project.answers_file)
    except TemplateError as error:
        return Loss(".", f"stops midway, and leaves what it has done by then: {error.what}")
    return read_folder(folder)


def find_losses(
    plain: Tree | Loss,
    base: Tree,
    ours: Tree,
    theirs: Tree,
    result: Mapping[str, Entry | None],
    own: Collection[str],
) -> list[Loss]:
    """Each of our edits that is in `result` and not in `plain`; `own` are paths of ours alone."""
    if isinstance(plain, Loss):
        return [plain]
    losses = [Loss(path, "deleted") for path in sorted(own) if path not in plain]
    for path, mine in sorted(ours.items()):
        wanted = result.get(path)
        if same(base.get(path), mine) or wanted is None:
            continue
        got = plain.get(path)
        if got is None:
            losses.append(Loss(path, "deleted, with your changes"))
        elif same(got, wanted):
            continue
        elif same(got, theirs.get(path)) or not mine.is_text or not got.is_text:
            losses.append(Loss(path, "overwritten with the template's"))
        elif missing := _lost_lines(base.get(path), mine, got):
            losses.append(Loss(path, f"{missing} of your lines gone"))
        elif got.mode != wanted.mode:
            losses.append(Loss(path, "its executable bit set back"))
    return losses


def _lost_lines(base: Entry | None, ours: Entry, got: Entry) -> int:
    before = set(base.with_lf.content.splitlines()) if base else set[bytes]()
    added = set(ours.with_lf.content.splitlines()) - before
    return len(added - set(got.with_lf.content.splitlines()))
