import json
import shutil
from typing import Any

import pytest
from ragseam.doctor import toolchain
from ragseam.doctor.finding import Level
from ragseam.doctor.index import check_index
from ragseam.doctor.tree_state import find_markers
from rendering import ANSWERS_FILE, run
from scene import LINES, ragseam, snapshot

LINT = "[importlinter]\n" + LINES


def findings(scene, check: str) -> list[dict[str, Any]]:
    done = ragseam("doctor", scene.service, "--json")
    document = json.loads(done.stdout)
    assert document["schema"] == "ragseam.doctor.v1"
    assert done.returncode == (0 if document["healthy"] else 1)
    problems = [one for one in document["findings"] if one["level"] == "problem"]
    assert bool(problems) is (done.returncode == 1)
    assert all(problem["run"] for problem in problems)
    return [finding for finding in document["findings"] if finding["check"] == check]


def test_a_fresh_service_has_no_problem_and_nothing_is_changed(scene):
    before = snapshot(scene.service)
    done = ragseam("doctor", scene.service)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "at 1.0.0, the newest" in done.stdout
    assert "6 answers, all valid" in done.stdout or "5 answers, all valid" in done.stdout
    assert "no conflict markers" in done.stdout
    assert "service: 0 problems, 0 notes" in done.stdout
    assert snapshot(scene.service) == before


def test_the_distance_from_the_newest_release_is_a_note(scene):
    for tag in ("1.1.0", "1.2.0", "2.0.0rc1", "not-a-version"):
        scene.release({"guide.md": f"{tag}\n"}, tag)
    (finding,) = findings(scene, "version")
    assert finding["level"] == "note"
    assert finding["text"] == "at 1.0.0; 2 later: 1.1.0, 1.2.0"
    assert finding["run"] == f"ragseam update {scene.service}"


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("colour: red", "colour: pink", "colour: 'pink' is no choice; choose one of red"),
        ("colour: red", "color: red", "color: the template asks no such question"),
        ("colour: red\n", "", "colour: not answered"),
        ("_commit: 1.0.0", "_commit: 0.0.7", "0.0.7 of the template"),
        ("_src_path: /", "_src_path: ../", "by a relative path"),
        ("_commit: 1.0.0", "a: [", "can't be read"),
    ],
)
def test_answers_that_do_not_fit_are_a_problem(scene, old, new, complaint):
    scene.edit({ANSWERS_FILE: scene.read(ANSWERS_FILE).replace(old, new)})
    found = [*findings(scene, "answers"), *findings(scene, "version")]
    (finding,) = [one for one in found if complaint in one["text"]]
    assert finding["level"] == "problem"


def test_boundary_files_are_compared_with_the_template(scene):
    scene.release({".importlinter": LINT, "tests/architecture/test_boundary.py": "x = 1\n"})
    assert scene.update().returncode == 0
    scene.edit({})
    (finding,) = findings(scene, "boundary")
    assert (finding["level"], finding["text"]) == ("ok", "2 files, as the template has them")
    scene.edit({".importlinter": LINT.replace("line 3\n", "ours\n")})
    (finding,) = findings(scene, "boundary")
    assert finding["text"] == ".importlinter is changed: 1 lines added, 1 removed"
    assert finding["lines"] == ["-line 3", "+ours"]
    scene.edit({"tests/architecture/test_boundary.py": None})
    gone = [one for one in findings(scene, "boundary") if one["level"] == "problem"]
    assert [one["text"] for one in gone] == ["tests/architecture/test_boundary.py is gone"]


def test_markers_left_by_an_update_are_a_problem_even_when_committed(scene):
    scene.edit({"guide.md": "ours\n"})
    scene.release({"guide.md": "theirs\n"})
    assert scene.update().returncode == 1
    scene.edit({"hunk.md.rej": "@@\n"})
    left_over = findings(scene, "left over")
    assert [one["text"] for one in left_over] == [
        "conflict markers in guide.md, at line 1",
        "hunks that an update could not place: hunk.md.rej",
    ]


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        ("a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> x\n", [2]),
        ("a\r\n<<<<<<< HEAD\r\nb\r\n=======\r\nc\r\n>>>>>>> x\r\n", [2]),
        ("Heading\n=======\n", []),
        ("    <<<<<<< HEAD\n    >>>>>>> x\n", []),
        ("<<<<<<< a quote\n", []),
        ("<<<<<<<<< not a marker\n>>>>>>> x\n", []),
        ("<<<<<<< HEAD\n\0>>>>>>> x\n", []),
    ],
)
def test_markers_are_told_from_what_looks_like_them(tmp_path, content, lines):
    (tmp_path / "file").write_bytes(content.encode())
    assert find_markers(tmp_path / "file") == lines


def test_an_interrupted_update_is_a_problem(scene):
    folder = scene.service / ".git/ragseam-update"
    folder.mkdir()
    (folder / "journal.json").write_text("{}")
    (finding,) = findings(scene, "left over")
    assert "was interrupted" in finding["text"]


def test_a_folder_that_is_no_service_is_told(tmp_path):
    done = ragseam("doctor", tmp_path)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "in no git repository" in done.stdout


@pytest.mark.parametrize(
    ("script", "level", "text", "run"),
    [
        ('echo \'{"index": {"documents": 5, "chunks": 9}, "sources": {"new": []}}\'',
         Level.OK, "5 documents in 9 chunks", ""),
        ('echo \'{"index": {"documents": 5, "chunks": 9}, "sources": {"new": ["a"]}}\'',
         Level.NOTE, "1 source has changed since", "run tool index"),
        ("echo 'error: there is no index at x' >&2; exit 2",
         Level.NOTE, "no index at x", "run tool index"),
        ("echo 'error: embedder: hash, not wordllama' >&2; echo '  Run `index --rebuild`.' >&2;"
         "exit 2", Level.PROBLEM, "embedder: hash, not wordllama", "Run `index --rebuild`."),
        ("exit 7", Level.PROBLEM, "exit status 7", "run tool status"),
        ("echo gibberish", Level.PROBLEM, "not readable", "run tool status --json"),
    ],
)  # fmt: skip
def test_the_service_is_asked_about_its_index(tmp_path, script, level, text, run):
    program = tmp_path / ".venv/bin/tool"
    program.parent.mkdir(parents=True)
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    finding = check_index(tmp_path, "tool")
    assert finding.level is level
    assert text in finding.text
    assert run in finding.run


def test_a_service_that_is_not_installed_has_no_known_index(tmp_path):
    finding = check_index(tmp_path, "tool")
    assert finding.level is Level.NOTE
    assert finding.run == f"uv --directory {tmp_path} sync"


def test_tools_are_asked_for_their_versions(monkeypatch, tmp_path):
    programs = {"git": "git version 2.1.4", "uv": "uv 0.9.1 (x)", "node": "v18.1.0"}
    for name, line in programs.items():
        (tmp_path / name).write_text(f"#!/bin/sh\necho '{line}'\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setattr(toolchain, "find_uv", lambda: str(tmp_path / "uv"))
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin")
    found = {one.text: one.level for one in toolchain.check_toolchain("typescript")}
    assert found == {
        "uv 0.9.1": Level.OK,
        "git 2.1.4 is older than 2.30": Level.PROBLEM,
        "node 18.1.0 is older than 20": Level.PROBLEM,
    }
    assert len(list(toolchain.check_toolchain("python"))) == 2
    (tmp_path / "node").unlink()
    monkeypatch.setenv("PATH", str(tmp_path))
    assert list(toolchain.check_toolchain("typescript"))[-1].text == "node is not installed"


def test_all_makes_one_table_of_services_and_of_folders_of_them(scene, tmp_path):
    many = tmp_path / "many"
    shutil.copytree(scene.service, many / "search")
    shutil.copytree(scene.service, many / "chat")
    (many / "chat/guide.md").write_text("<<<<<<< a\n=======\n>>>>>>> b\n")
    done = ragseam("doctor", "--all", scene.service, many)
    assert done.returncode == 1
    header, *rows = done.stdout.splitlines()[:4]
    assert header.split() == ["service", "tools", "version", "answers", "left", "over"]
    assert [row.split()[0] for row in rows] == ["service", "chat", "search"]
    assert "markers" in rows[1]
    assert "2 of 3 without a problem" in done.stdout
    document = json.loads(ragseam("doctor", "--all", many, "--json").stdout)
    assert document["schema"] == "ragseam.doctor-all.v1"
    assert [one["healthy"] for one in document["services"]] == [False, True]


def test_several_services_need_all(scene):
    done = ragseam("doctor", scene.service, scene.template)
    assert done.returncode == 2
    assert "--all" in done.stderr


def test_outside_git_the_rest_is_still_told(scene):
    shutil.rmtree(scene.service / ".git")
    done = ragseam("doctor", scene.service)
    assert done.returncode == 1
    assert "git init" in done.stdout
    run("git init --quiet", scene.service)
    assert "is not committed yet" in ragseam("doctor", scene.service).stdout
