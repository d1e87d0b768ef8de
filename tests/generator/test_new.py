import os
import pty
import re
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml
from rendering import ROOT, load_answers, source_files

ANSWERS = [
    [],
    ["project_name=Bee keepers-Almanac 2", 'description=Bees & "more" 🐝 {{ 1 }}', "ci=gitlab"],
    ["embedding=fastembed", "rerank=cross-encoder", "features=[documents]", "ci=none"],
    ["advanced=yes", "env_prefix=BEE", "chunk_chars=900", "license=Apache-2.0"],
]


def files(folder: Path) -> dict[str, tuple[bytes, bool]]:
    """Content and executable bit of every file, by path."""
    return {
        name: (path.read_bytes(), os.access(path, os.X_OK))
        for name, path in source_files(folder).items()
    }


@pytest.mark.parametrize("pairs", ANSWERS, ids=lambda pairs: " ".join(pairs)[:30] or "defaults")
def test_new_and_copier_copy_write_the_same_bytes(pairs, ragseam, copier_template, tmp_path):
    data = [part for pair in pairs for part in ("--data", pair)]
    ours, theirs = tmp_path / "a" / "service", tmp_path / "b" / "service"
    done = ragseam("new", ours, "--defaults", "--template", copier_template, *data)
    assert done.returncode == 0, done.stderr
    copier = [sys.executable, "-m", "copier", "copy", "--defaults", *data]
    subprocess.run([*copier, copier_template, theirs], check=True, capture_output=True)
    assert files(ours) == files(theirs)
    assert len(files(ours)) > 40


def test_a_data_file_and_a_pair_mean_what_they_mean_to_copier(ragseam, copier_template, tmp_path):
    answers = tmp_path / "answers.yml"
    answers.write_text("embedding: hash\nchunk_chars: 500\nfeatures: [documents]\n")
    ragseam(
        *("new", tmp_path / "service", "--defaults", "--template", copier_template),
        *("--data-file", answers, "--data", "embedding=openai"),
    )
    recorded = load_answers(tmp_path / "service")
    assert (recorded["embedding"], recorded["chunk_chars"]) == ("openai", 500)
    assert recorded["features"] == ["documents"]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--data", "embeding=hash"], "embeding: no such question; did you mean embedding?"),
        (["--data", "colour=red"], "colour: no such question"),
        (["--data", "python_layer=x"], "python_layer: no such question"),
        (["--data", "embedding=word2vec"], "choose one of wordllama, hash, fastembed, openai"),
        (["--data", "features=[pdf]"], "'pdf' is no choice; choose among documents"),
        (["--data", "features=documents"], "expected a list such as [documents]"),
        (["--data", "advanced=maybe"], "advanced: expected true or false, got 'maybe'"),
        (["--data", "chunk_chars=12x"], "chunk_chars: expected a whole number, got '12x'"),
        (["--data", "chunk_chars=1.5"], "chunk_chars: expected a whole number, got '1.5'"),
        (["--data", "embedding"], "'embedding' is no answer"),
        (["--data", "project_name=class"], "project_name"),
        (["--data", "embedding=hash", "--data", "rerank=maxsim"], "MaxSim needs"),
        (["--data", "chunk_chars=5"], "chunk_chars"),
        (["--template", "/nonexistent"], "/nonexistent"),
        (["--vcs-ref", "no-such-tag"], "no-such-tag"),
        (["--data-file", "/nonexistent"], "does not exist"),
    ],
)
def test_what_the_template_does_not_take_is_refused(arguments, complaint, ragseam, tmp_path):
    done = ragseam("new", tmp_path / "service", "--defaults", *arguments)
    assert done.returncode == 2
    assert complaint in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "service").exists()


def test_a_refusal_names_every_fault_and_lists_what_there_is(ragseam, tmp_path):
    faults = ("--data", "colour=red", "--data", "embedding=word2vec", "--data", "rrf_k=few")
    done = ragseam("new", tmp_path / "service", "--defaults", *faults)
    named, listed = done.stderr.removeprefix("error: ").split("The template takes:")
    assert [line.split(":")[0] for line in named.splitlines()] == ["colour", "embedding", "rrf_k"]
    declared = yaml.safe_load((ROOT / "copier.yml").read_text())
    questions = {
        name
        for name, details in declared.items()
        if not name.startswith("_") and details.get("when") is not False
    }
    assert {line.split()[0] for line in listed.strip().splitlines()} == questions


@pytest.mark.parametrize("content", ["- a list\n", "a: [\n", "chunk_chars: true\n", "slug: 5\n"])
def test_a_data_file_of_wrong_types_is_refused(content, ragseam, tmp_path):
    answers = tmp_path / "answers.yml"
    answers.write_text(content)
    done = ragseam("new", tmp_path / "service", "--defaults", "--data-file", answers)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "service").exists()


def test_without_a_terminal_it_says_which_answers_are_missing(ragseam, tmp_path):
    done = ragseam("new", tmp_path / "service", "--data", "embedding=hash")
    assert done.returncode == 2
    assert "no terminal to ask for project_name, description, language, rerank" in done.stderr
    assert "--defaults" in done.stderr


def test_pretending_writes_nothing(ragseam, tmp_path):
    assert ragseam("new", tmp_path / "service", "--defaults", "--pretend").returncode == 0
    assert not (tmp_path / "service").exists()


def test_new_takes_every_option_of_copier_copy(ragseam):
    copier = subprocess.run(
        [sys.executable, "-m", "copier", "copy", "--help"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    theirs = set(re.findall(r"(?<!\S)--[\w-]+", copier.stdout)) - {
        "--help-all",
        "--completions",
        "--version",
    }
    ours = set(re.findall(r"--[\w-]+", ragseam("new", "--help").stdout))
    assert {"--data", "--vcs-ref", "--ask"} <= theirs
    assert theirs <= ours


def test_on_a_terminal_it_asks_each_question_and_takes_enter_for_the_default(tmp_path):
    """Every question shows its help text, and the answers are those of `--defaults`."""
    controller, terminal = pty.openpty()
    command = [sys.executable, "-m", "ragseam", "new", str(tmp_path / "service")]
    process = subprocess.Popen(command, stdin=terminal, stdout=terminal, stderr=terminal)
    os.close(terminal)
    shown, deadline = b"", time.monotonic() + 60
    while process.poll() is None and time.monotonic() < deadline:
        if select.select([controller], [], [], 0.3)[0]:
            try:
                shown += os.read(controller, 65536)
            except OSError:
                break
        else:
            os.write(controller, b"\r")
    assert process.wait(10) == 0, shown.decode(errors="replace")
    declared = yaml.safe_load((ROOT / "copier.yml").read_text())
    for name in ("project_name", "embedding", "rerank", "generation", "features", "ci"):
        assert declared[name]["help"][:30].encode() in shown
    recorded = load_answers(tmp_path / "service")
    assert recorded["embedding"] == "wordllama"
    assert recorded["features"] == []
