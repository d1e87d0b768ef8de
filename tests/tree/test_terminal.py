"""On a terminal the questions come in order, and refuse a bad answer where it is typed."""

import os
import pty
import re
import select
import subprocess
import sys
import time
from pathlib import Path

from rendering import Render, load_answers, source_files

ENTER = "\r"
ASKED = [
    "Project name", "Description", "Programming language", "Embedding provider", "Reranker",
    "Answer provider", "Features", "Continuous integration", "Advanced settings",
]  # fmt: skip
DEADLINE_S = 120


class Terminal:
    """A command on a terminal of its own, answered as its questions appear."""

    def __init__(self, command: list[str]) -> None:
        self._ours, theirs = pty.openpty()
        environ = {**os.environ, "PROMPT_TOOLKIT_NO_CPR": "1", "TERM": "xterm", "COLUMNS": "200"}
        self._process = subprocess.Popen(
            command, stdin=theirs, stdout=theirs, stderr=theirs, env=environ, close_fds=True
        )
        os.close(theirs)
        self._seen = ""

    def answer(self, question: str, keys: str) -> None:
        """Type `keys` once `question` is shown."""
        self.wait_for(re.escape(question))
        os.write(self._ours, keys.encode())

    def wait_for(self, pattern: str) -> None:
        """Read until `pattern` is shown after what was waited for before."""
        deadline = time.monotonic() + DEADLINE_S
        while not (found := re.search(pattern, self._seen)):
            assert time.monotonic() < deadline, f"no {pattern!r} in {self._seen!r}"
            assert self._read(), f"ended without {pattern!r}: {self._seen!r}"
        self._seen = self._seen[found.end() :]

    def end(self) -> int:
        """Read to the end, and return the exit status."""
        while self._read():
            pass
        os.close(self._ours)
        return self._process.wait(DEADLINE_S)

    def _read(self) -> bool:
        ready, _, _ = select.select([self._ours], [], [], 1)
        if not ready:
            return self._process.poll() is None
        try:
            text = os.read(self._ours, 65536).decode(errors="replace")
        except OSError:
            return False
        self._seen += re.sub(r"\x1b[\[(][0-9;?]*[A-Za-z]", "", text)
        return bool(text)


def copy_on_a_terminal(template: Path, destination: Path) -> Terminal:
    command = [sys.executable, "-W", "ignore", "-m", "copier", "copy"]
    return Terminal([*command, str(template), str(destination)])


def test_enter_all_the_way_renders_the_default(
    template_folder: Path, render: Render, tmp_path: Path
):
    terminal = copy_on_a_terminal(template_folder, tmp_path / "service")
    for question in ASKED:
        terminal.answer(question, ENTER)
    terminal.wait_for("Acme Search is ready")
    assert terminal.end() == 0
    typed, default = source_files(tmp_path / "service"), source_files(render())
    assert {name: path.read_bytes() for name, path in typed.items()} == {
        name: path.read_bytes() for name, path in default.items()
    }


def test_a_refused_name_is_asked_again_and_advanced_questions_follow_a_yes(
    template_folder: Path, tmp_path: Path
):
    terminal = copy_on_a_terminal(template_folder, tmp_path / "service")
    erase = "\x7f" * len("Acme Search")
    terminal.answer("Project name", erase + "json" + ENTER)
    terminal.answer("The name json is taken", "\x7f" * 4 + "Hive Search" + ENTER)
    for question in ASKED[1:-1]:
        terminal.answer(question, ENTER)
    terminal.answer("Advanced settings", "y")
    terminal.answer("Prefix of environment variables", "\x7f" * 3 + "HIVE" + ENTER)
    for question in ("Longest chunk", "Overlap", "Results per", "Rank constant", "Passages"):
        terminal.answer(question, ENTER)
    terminal.answer("License", ENTER)
    assert terminal.end() == 0
    answers = load_answers(tmp_path / "service")
    assert (answers["package_name"], answers["slug"]) == ("hive_search", "hive-search")
    assert (answers["advanced"], answers["env_prefix"]) == (True, "HIVE")


def test_what_is_for_python_is_not_offered_to_typescript(
    template_folder: Path, render: Render, tmp_path: Path
):
    down = "\x1b[B"
    terminal = copy_on_a_terminal(template_folder, tmp_path / "service")
    for question in ("Project name", "Description"):
        terminal.answer(question, ENTER)
    terminal.answer("Programming language", down + ENTER)
    for question in ("Embedding provider", "Reranker", "Answer provider", "Linter"):
        terminal.answer(question, ENTER)
    for question in ("Continuous integration", "Advanced settings"):
        terminal.answer(question, ENTER)
    terminal.wait_for("npm run index")
    assert terminal.end() == 0
    answers = load_answers(tmp_path / "service")
    assert (answers["language"], answers["embedding"]) == ("typescript", "hash")
    typed, default = source_files(tmp_path / "service"), source_files(render(language="typescript"))
    assert sorted(typed) == sorted(default)
