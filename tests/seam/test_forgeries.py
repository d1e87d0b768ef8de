"""What was not made by rerank() is refused by answer(), however it was made."""

import json
import subprocess

import pytest
from rendering import environment
from seam_cases import CASES, PACKAGE, lay, named

FORGING = [case for case in CASES if case.get("forges")]
MODULE = "src/{package}/cli_extra.py"

DRIVER = f"""
import importlib, json, sys
from {PACKAGE}.rag.generate import answer, build_generator
from {PACKAGE}.rag.rerank import rerank

def ask(passages):
    return answer("?", passages, generator=build_generator("echo"), min_similarity=0.0)

genuine = rerank("?", [], reranker=None, weight=0.0, top_n=1)
assert ask(genuine).reason == "no_passages"
told = {{}}
for number in range(int(sys.argv[1])):
    genuine = rerank("?", [], reranker=None, weight=0.0, top_n=1)
    try:
        told[number] = "made"
        forged = importlib.import_module(f"{PACKAGE}.forgery_{{number}}").f(genuine)
        told[number] = repr(ask(forged))
    except TypeError as error:
        told[number] = f"TypeError: {{error}}"
print(json.dumps(told))
"""


@pytest.fixture(scope="module")
def outcomes(service, tmp_path_factory):
    """What became of each forgery, by the name of its case; one interpreter tries them all."""
    files = {
        MODULE.replace("cli_extra", f"forgery_{number}"): case["files"][MODULE]
        for number, case in enumerate(FORGING)
    }
    folder = lay(service, tmp_path_factory.mktemp("forgeries"), {"files": files})
    done = subprocess.run(
        ["python", "-c", DRIVER, str(len(FORGING))],
        cwd=folder, env=environment(service, folder), capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    return {case["name"]: told[str(number)] for number, case in enumerate(FORGING)}


@pytest.mark.slow
@pytest.mark.parametrize("case", **named(FORGING))
def test_answer_raises_on_it(outcomes, case):
    assert outcomes[case["name"]].startswith("TypeError")
