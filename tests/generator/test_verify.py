import asyncio
import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest
from ragseam.progress import shown_progress
from ragseam.stages import Outcome, StageResult, run_stage
from ragseam.toolchains import read_toolchain
from rendering import copy_source
from rich.console import Console


def alive(marker: str) -> list[str]:
    """Processes whose command line holds `marker`."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = entry.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if marker in line:
            found.append(line)
    return found


def wait_until(condition, seconds: float = 20) -> bool:
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.05)
    return condition()


def test_checks_that_pass_end_with_status_0_and_a_line_each(ragseam, make_service, tmp_path):
    folder = make_service({"lint": "true", "test": "echo fine"})
    done = ragseam("verify", folder, "--json", tmp_path / "r.json", "--junit", tmp_path / "r.xml")
    assert done.returncode == 0, done.stdout + done.stderr
    stages = ["install", "lint", "test"]
    assert sorted(line.split()[1] for line in done.stderr.splitlines()) == stages
    assert "1 of 1 passed" in done.stdout
    report = json.loads((tmp_path / "r.json").read_text())
    assert (report["schema"], report["passed"]) == ("ragseam.verify.v1", True)
    assert [stage["stage"] for stage in report["services"][0]["stages"]] == stages
    suite = ElementTree.parse(tmp_path / "r.xml").getroot()[0]
    assert (suite.get("tests"), suite.get("failures")) == ("3", "0")


def test_a_check_that_fails_ends_with_status_3_and_its_output(ragseam, make_service, tmp_path):
    folder = make_service({"lint": r"printf 'bad \001 byte\n'; exit 7", "test": "true"})
    done = ragseam("verify", folder, "--json", tmp_path / "r.json", "--junit", tmp_path / "r.xml")
    assert done.returncode == 3
    assert "bad" in done.stdout
    assert "0 of 1 passed" in done.stdout
    stages = json.loads((tmp_path / "r.json").read_text())["services"][0]["stages"]
    outcomes = {stage["stage"]: stage["outcome"] for stage in stages}
    assert outcomes == {"install": "passed", "lint": "failed", "test": "passed"}
    failure = ElementTree.parse(tmp_path / "r.xml").getroot().find(".//failure")
    assert "bad" in failure.text


def test_what_can_not_be_installed_is_not_checked(ragseam, make_service, tmp_path):
    folder = make_service({"lint": "true"})
    text = (folder / "pyproject.toml").read_text()
    (folder / "pyproject.toml").write_text(text.replace('"poethepoet"', '"poethepoet<0.0.1"'))
    done = ragseam("verify", folder, "--json", tmp_path / "r.json")
    assert done.returncode == 3
    stages = json.loads((tmp_path / "r.json").read_text())["services"][0]["stages"]
    assert [stage["outcome"] for stage in stages] == ["failed", "skipped"]


def test_a_folder_that_is_no_service_is_an_error(ragseam, tmp_path):
    done = ragseam("verify", tmp_path)
    assert done.returncode == 2
    assert "no rendered service" in done.stderr


def test_an_unknown_variant_is_refused_with_the_list(ragseam):
    done = ragseam("verify", "--only", "embedding-word2vec")
    assert done.returncode == 2
    assert "There are default, embedding-hash" in done.stderr


def test_a_render_that_fails_is_a_failed_stage(ragseam, copier_template, tmp_path):
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "copier.yml").write_text("name:\n  type: str\n  default: x\n")
    (broken / "a.txt.jinja").write_text("{{ undefined_name.attribute }}")
    done = ragseam("verify", "--all", "--template", broken, "--json", tmp_path / "r.json")
    assert done.returncode == 3
    stages = json.loads((tmp_path / "r.json").read_text())["services"][0]["stages"]
    assert [(stage["stage"], stage["outcome"]) for stage in stages] == [("render", "failed")]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_leaves_nothing_running(number, make_service):
    marker = f"sleep 3{os.getpid()}{int(number)}"
    folder = make_service({"hang": f"{marker} & {marker}"})
    process = subprocess.Popen([sys.executable, "-m", "ragseam", "verify", str(folder)])
    assert wait_until(lambda: len([line for line in alive(marker) if "poe" not in line]) >= 2)
    process.send_signal(number)
    assert process.wait(20) == 130
    assert wait_until(lambda: not alive(marker))


def test_a_stage_that_hangs_is_stopped_and_fails(tmp_path):
    command = ["sh", "-c", "echo begun; sleep 60"]
    result = asyncio.run(run_stage("hang", command, tmp_path, timeout_s=0.3))
    assert result.outcome is Outcome.FAILED
    assert result.seconds < 10
    assert "begun" in result.output
    assert "stopped after" in result.output


def test_variables_of_a_stage_are_set_and_shown(tmp_path):
    command = ["sh", "-c", "echo it is $RAG_EMBEDDING"]
    result = asyncio.run(run_stage("eval", command, tmp_path, variables={"RAG_EMBEDDING": "hash"}))
    assert result.output == "with RAG_EMBEDDING=hash\nit is hash\n"


def test_the_checks_are_those_of_the_service(service):
    names = [check.name for check in read_toolchain(service).checks]
    assert len(names) >= 5
    assert names[-1] == "test"


@pytest.mark.slow
def test_a_fault_planted_in_a_render_is_found(ragseam, service, tmp_path):
    """`generate/` reaches for the store; the service's tests, which take long, are left out."""
    copied = copy_source(service, tmp_path / "faulty")
    project = copied / "pyproject.toml"
    text = project.read_text()
    assert '    "types",\n' in text
    assert '    "test",\n' in text
    project.write_text(text.replace('    "types",\n', "").replace('    "test",\n', ""))
    stage = next(copied.glob("src/*/rag/generate/__init__.py"))
    stage.write_text(f"{stage.read_text()}\nfrom .. import store as store\n")
    done = ragseam("verify", copied, "--json", tmp_path / "r.json")
    assert done.returncode == 3, done.stdout
    stages = json.loads((tmp_path / "r.json").read_text())["services"][0]["stages"]
    outcomes = {stage["stage"]: stage["outcome"] for stage in stages}
    assert outcomes["lint-imports"] == "failed"


def test_on_a_terminal_what_runs_is_shown_and_wiped():
    console = Console(file=io.StringIO(), force_terminal=True, width=80)
    with shown_progress(console, ["a", "b"]) as progress:
        progress.started("a", "install")
        progress.ended("a", StageResult("install", Outcome.PASSED, 1.0, 0))
        progress.started("a", "lint")
        with console.capture() as shown:
            console.print(progress)
    lines = shown.get()
    assert "install" not in lines
    assert "lint" in lines
    assert "✓" in lines
    assert "0 of 2 done" in lines
