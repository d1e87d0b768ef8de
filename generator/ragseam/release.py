"""Make a release: `python -m ragseam.release VERSION` sets the version, dates the changelog, tags.

The tag, the version in pyproject.toml and what `ragseam --version` prints are one. Nothing is
pushed.
"""

import argparse
import datetime
import io
import re
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from packaging.version import InvalidVersion, Version

from .compatibility import find_breaks
from .errors import ReleaseError
from .stages import find_uv

UNRELEASED = "## Unreleased"
WRITTEN = ("pyproject.toml", "uv.lock", "CHANGELOG.md")
HISTORY = ("pytest", "-q", "tests/history")


def release(
    checkout: Path,
    version: str,
    *,
    today: datetime.date,
    check: Callable[[Path], None],
    say: Callable[[str], None],
) -> None:
    """Commit and tag `version` in `checkout`; `check` runs the tests, and raises if they fail.

    Raises:
        ReleaseError: the tree is not fit, a check failed, or an existing service would lose
            something; the tree is as it was.
    """
    _require_fit(checkout, version)
    if previous := released_versions(checkout):
        say(f"Compare the questionnaire with {previous[-1]}.")
        require_compatible(checkout, str(previous[-1]))
    say("Run the history tests.")
    check(checkout)
    changelog = checkout / "CHANGELOG.md"
    try:
        changelog.write_text(dated(changelog.read_text("utf-8"), version, today), "utf-8")
        _run([find_uv(), "version", "--quiet", "--no-sync", version], checkout)
        _run(["git", "commit", "--quiet", "--message", f"Release {version}", *WRITTEN], checkout)
    except BaseException:
        _run(["git", "checkout", "--quiet", "HEAD", "--", *WRITTEN], checkout)
        raise
    _run(["git", "tag", "--annotate", version, "--message", f"Release {version}"], checkout)
    say(f"Tagged {version}. Next: git push --follow-tags")


def released_versions(checkout: Path) -> list[Version]:
    """Versions that are tagged, rising."""
    versions: list[Version] = []
    for tag in _run(["git", "tag", "--merged", "HEAD"], checkout).split():
        try:
            versions.append(Version(tag))
        except InvalidVersion:
            continue
    return sorted(versions)


def require_compatible(checkout: Path, tag: str) -> None:
    """Refuse what would hurt services rendered from `tag`, an older release.

    Raises:
        ReleaseError: each rule that is broken, with the way round.
    """
    packed = subprocess.run(
        ["git", "archive", tag, "copier.yml", "templates"],
        cwd=checkout, capture_output=True, check=True,
    ).stdout  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
            archive.extractall(folder, filter="data")
        if breaks := find_breaks(Path(folder), checkout):
            told = [f"{each.rule}: {each.what}\n  {each.way_round}" for each in breaks]
            raise ReleaseError(f"services rendered from {tag} would lose\n" + "\n".join(told))


def dated(changelog: str, version: str, today: datetime.date) -> str:
    """The changelog with its unreleased entries under `version`, and an empty section above.

    Raises:
        ReleaseError: there is nothing unreleased.
    """
    found = re.search(rf"^{UNRELEASED}\n(.*?)(?=^## |\Z)", changelog, re.MULTILINE | re.DOTALL)
    if found is None or not found[1].strip():
        raise ReleaseError(
            f"CHANGELOG.md has nothing under `{UNRELEASED}`", fix="Say what users will notice."
        )
    return changelog.replace(UNRELEASED, f"{UNRELEASED}\n\n## {version} ({today.isoformat()})", 1)


def _require_fit(checkout: Path, version: str) -> None:
    try:
        wanted = Version(version)
    except InvalidVersion as error:
        raise ReleaseError(f"{version!r} is no version", fix="Write it as 1.2.3.") from error
    if str(wanted) != version:
        raise ReleaseError(f"{version} is not in normal form", fix=f"Write {wanted}.")
    if _run(["git", "status", "--porcelain"], checkout):
        raise ReleaseError("the tree has changes that are not committed", fix="Commit them first.")
    newer = [each for each in released_versions(checkout) if each >= wanted]
    if newer:
        raise ReleaseError(f"{newer[-1]} is released already", fix=f"Choose one above {newer[-1]}.")


def _run(command: Sequence[str], folder: Path) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ReleaseError(f"{' '.join(command[:3])} failed: {done.stderr.strip()}")
    return done.stdout


def _run_history_tests(checkout: Path) -> None:
    command = [sys.executable, "-m", *HISTORY]
    if subprocess.run(command, cwd=checkout, check=False).returncode:
        raise ReleaseError("the history tests fail", fix="An older service can't take this.")


def main() -> None:
    """Release the version given, from the working directory."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("version")
    try:
        release(
            Path.cwd(),
            parser.parse_args().version,
            today=datetime.datetime.now(datetime.UTC).date(),
            check=_run_history_tests,
            say=lambda line: print(line, flush=True),  # noqa: T201
        )
    except ReleaseError as error:
        sys.exit(f"error: {error.what}" + (f"\n  {error.fix}" if error.fix else ""))


if __name__ == "__main__":
    main()
