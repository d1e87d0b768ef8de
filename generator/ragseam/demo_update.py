"""`make demo-update`: an older service with work of its own takes the newest template."""

import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from .demo import announce, check, console, explain, show
from .errors import RagseamError

FOLDER = Path("build/demo-update")
TEMPLATE, SERVICE = FOLDER / "template", FOLDER / "service"
OLD, NEW = "0.1.0", "0.2.0"
STEPS_BACK = (40, 20, 10, 5, 2, 1)
"""How many commits ago the older version is taken from, as far as the history goes."""

ERRORS = "src/acme_search/rag/errors.py"
OURS = '''

class QuotaError(RagError):
    """Our tenant has used up its queries."""
'''
EDITS: Mapping[str, str] = {
    "evals/corpus/ours.md": "# Our own document\n\nThe bees are on the roof.\n",
    "docs/ours.md": "# Notes of our team\n",
    "tests/test_ours.py": "def test_ours():\n    assert True\n",
}
IGNORED: Mapping[str, str] = {".env": "RAG_RERANK_TOP_N=5\n"}
REMOVED = "evals/corpus/overview.md"


def main() -> None:
    """Run the demo in the working directory, which is a checkout of the template."""
    started = time.perf_counter()
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    try:
        steps = tag_history()
        explain(f"A service made {steps} commits ago, when the template was at {OLD}.")
        show(f"ragseam new {SERVICE} --template {TEMPLATE} --vcs-ref {OLD} -l -q", Path())
        work_on(SERVICE)
        explain(f"The template is at {NEW} now. Bring the service there.")
        show(f"ragseam update {SERVICE} --yes", Path())
        explain("The team's work is still there, line by line.")
        require_work(SERVICE)
        explain("Install the updated service and run its own checks.")
        check(SERVICE)
        explain("Take the update, and ask whether anything is amiss.")
        git(SERVICE, "add --all")
        git(SERVICE, f"commit --quiet -m 'Update to {NEW}'")
        show(f"ragseam doctor {SERVICE}", Path())
    except RagseamError as error:
        console.print(f"\nThe demo stopped: {error.what}\n{error.fix}", style="red", markup=False)
        sys.exit(2)
    explain(f"Done in {time.perf_counter() - started:.1f} s. See for yourself:")
    console.print(f"  git -C {SERVICE} show --stat", markup=False, soft_wrap=True)


def tag_history() -> int:
    """Clone the checkout, tag an older commit and the newest; how far they are apart.

    Raises:
        RagseamError: there is no history to take an older version from.
    """
    explain("A copy of the template's repository, with an older commit and today's tagged.")
    git(Path(), f"clone --quiet --no-tags --no-local . {TEMPLATE}")
    for steps in STEPS_BACK:
        if _succeeds(TEMPLATE, "rev-parse", "--quiet", "--verify", f"HEAD~{steps}:copier.yml"):
            git(TEMPLATE, f"tag {OLD} HEAD~{steps}")
            git(TEMPLATE, f"tag {NEW} HEAD")
            return steps
    raise RagseamError("this checkout has no history", fix="git fetch --unshallow")


def work_on(service: Path) -> None:
    """Do what a team does to a service: edit, add and remove files, and commit."""
    explain("Its team has worked on it since.")
    errors = service / ERRORS
    errors.write_text(errors.read_text(encoding="utf-8") + OURS, encoding="utf-8")
    readme = service / "README.md"
    title, rest = readme.read_text(encoding="utf-8").split("\n", 1)
    readme.write_text(f"{title}\n\nAsk the bees team for access.\n{rest}", encoding="utf-8")
    for name, text in {**EDITS, **IGNORED}.items():
        (service / name).write_text(text, encoding="utf-8")
    (service / REMOVED).unlink()
    git(service, "init --quiet")
    git(service, "add --all")
    git(service, "commit --quiet -m 'Our work'")
    for name, what in {
        ERRORS: "an error class of ours",
        "README.md": "a line below the title",
        **dict.fromkeys(EDITS, "new"),
        **dict.fromkeys(IGNORED, "not in git"),
        REMOVED: "removed",
    }.items():
        console.print(f"  {name:<30}  {what}", markup=False, soft_wrap=True)


def require_work(service: Path) -> None:
    """Show that what the team did is there.

    Raises:
        RagseamError: something of it is not.
    """
    wanted = {ERRORS: OURS, "README.md": "Ask the bees team for access.\n", **EDITS, **IGNORED}
    for name, text in wanted.items():
        path = service / name
        if not path.exists() or text not in path.read_text(encoding="utf-8"):
            raise RagseamError(f"{name} has lost what the team wrote")
        console.print(f"  ✓ {name}", markup=False, soft_wrap=True)
    if (service / REMOVED).exists():
        raise RagseamError(f"{REMOVED} is back")
    console.print(f"  ✓ {REMOVED} stays removed", markup=False, soft_wrap=True)


def git(folder: Path, command: str) -> None:
    """Print a git command and run it.

    Raises:
        RagseamError: it fails.
    """
    where = "" if folder == Path() else f"-C {folder} "
    announce(f"git {where}{command}")
    words = shlex.split(command)
    identity = ("-c", "user.name=demo", "-c", "user.email=demo@localhost")
    if not _succeeds(folder, *identity, *words):
        raise RagseamError(f"`git {where}{command}` failed")


def _succeeds(folder: Path, *arguments: str) -> bool:
    done = subprocess.run(["git", *arguments], cwd=folder, stdout=subprocess.DEVNULL, check=False)
    return done.returncode == 0


if __name__ == "__main__":
    main()
