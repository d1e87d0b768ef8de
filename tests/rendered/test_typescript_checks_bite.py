"""Each check of a TypeScript service rejects what it is there for, and names where it stands."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from rendering import NOT_SOURCE

MODULE = "src/fault.ts"
FAULTS = [
    ("check:format", MODULE, "export const odd = {a:1};\n", "fault.ts"),
    ("lint", MODULE, 'import { join } from "node:path";\n', "noUnusedImports"),
    ("lint", MODULE, "export const f = (x: any) => x;\n", "noExplicitAny"),
    ("types", MODULE, 'export const n: number = "one";\n', "fault.ts(1,14)"),
    ("types", MODULE, "export const f = (x) => x;\n", "TS7006"),
    (
        "check:retrieval-seam",
        "src/rag/generate/fault.ts",
        'import "../retrieve/dense.ts";\n',
        "src/rag/generate/fault.ts:1: allowed-parts",
    ),
    (
        "test test/fault.test.ts",
        "test/fault.test.ts",
        'import { expect, test } from "vitest";\ntest("x", () => expect(1).toBe(2));\n',
        "expected 1 to be 2",
    ),
]


@pytest.fixture(scope="module")
def changed(typescript_service: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the service, to be changed."""
    folder = tmp_path_factory.mktemp("changed") / "service"
    shutil.copytree(typescript_service, folder, ignore=shutil.ignore_patterns(*NOT_SOURCE))
    shutil.copytree(
        typescript_service / "node_modules", folder / "node_modules",
        symlinks=True, copy_function=os.link,
    )  # fmt: skip
    return folder


@pytest.mark.slow
@pytest.mark.xdist_group("typescript-faults")
@pytest.mark.parametrize(
    ("script", "path", "text", "named"), FAULTS, ids=[f"{each[0]}-{each[3]}" for each in FAULTS]
)
def test_a_check_rejects_its_fault(changed: Path, script: str, path: str, text: str, named: str):
    (changed / path).write_text(text, encoding="utf-8")
    command = ["npm", "run", "--silent", *script.split()]
    try:
        done = subprocess.run(
            command, cwd=changed, env={**os.environ, "NO_COLOR": "1"},
            capture_output=True, text=True, encoding="utf-8", check=False,
        )  # fmt: skip
    finally:
        (changed / path).unlink()
    assert done.returncode != 0
    assert named in done.stdout + done.stderr
