"""Each case, judged by the boundary check of a service in TypeScript."""

import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from seam_cases import named
from typescript_cases import CASES, JUDGE, Case, judge, lay

REJECTED = [case for case in CASES if case["expect"] == "reject"]
ACCEPTED = [case for case in CASES if case["expect"] == "accept"]
COMMANDED = [case for case in CASES if case.get("commands")]
SEAM = ["npm", "run", "--silent", "check:retrieval-seam"]
WHOLE = ("src", "test/architecture", "package.json", "tsconfig.json")

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("seam-typescript")]


@pytest.fixture(scope="module")
def verdicts(
    typescript_service: Path, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, list[dict[str, Any]]]:
    """Breaches by the name of the case."""
    base = tmp_path_factory.mktemp("cases")
    folders = [
        lay(typescript_service, base / str(number), case) for number, case in enumerate(CASES)
    ]
    names = [case["name"] for case in CASES]
    return dict(zip(names, judge(typescript_service, folders), strict=True))


@pytest.mark.parametrize("case", **named(REJECTED))
def test_it_is_rejected_with_file_line_and_rule(verdicts, case: Case):
    found = verdicts[case["name"]]
    path, _, line = case["at"].partition(":")
    told = [each for each in found if (each["path"], each["rule"]) == (path, case["rule"])]
    assert told, found
    assert not line or int(line) in [each["line"] for each in told]
    assert all(len(each["advice"]) > 20 for each in found)


@pytest.mark.parametrize("case", **named(ACCEPTED))
def test_it_is_no_false_alarm(verdicts, case: Case):
    assert verdicts[case["name"]] == []


def test_names_are_unique_and_both_outcomes_are_many():
    assert max(Counter(case["name"] for case in CASES).values()) == 1
    assert len(REJECTED) > 100
    assert len(ACCEPTED) > 25


def test_every_rule_has_a_case(typescript_service: Path):
    sources = "".join(
        path.read_text(encoding="utf-8")
        for path in (typescript_service / "test/architecture").glob("*.ts")
        if not path.name.endswith(".test.ts")
    )
    rules = {case["rule"] for case in REJECTED}
    assert len(rules) >= 14
    for rule in rules - {"generate-law", "evaluation-law"}:
        assert f'"{rule}"' in sources, rule


def check(folder: Path, *arguments: str, cwd: Path | None = None) -> tuple[int, str]:
    command = [*SEAM, "--prefix", str(folder), "--", *arguments]
    done = subprocess.run(
        command, cwd=cwd or folder, capture_output=True, text=True, encoding="utf-8", check=False
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("case", **named([{"name": "fresh", "files": {}}, *COMMANDED]))
def test_the_command_says_so_by_its_status(typescript_service, tmp_path, case: Case):
    status, told = check(lay(typescript_service, tmp_path / "service", case, WHOLE))
    assert status == (1 if case.get("expect") == "reject" else 0), told
    if "rule" in case:
        message = rf"^{re.escape(case['at'])}(:\d+)?: {case['rule']}: "
        assert re.search(message, told, re.MULTILINE), told


def test_another_working_folder_changes_nothing(typescript_service, tmp_path):
    case = next(case for case in CASES if case["name"] == "static import")
    folder = lay(typescript_service, tmp_path / "service", case, WHOLE)
    status, told = check(folder, cwd=tmp_path)
    assert status == 1
    assert "src/rag/generate/x.ts:1: allowed-parts" in told


@pytest.mark.parametrize("given", ["nowhere", "src/rag/generate", "package.json"])
def test_a_wrong_path_fails(typescript_service, tmp_path, given: str):
    folder = lay(typescript_service, tmp_path / "service", {"files": {}}, WHOLE)
    status, told = check(folder, given)
    assert status != 0
    assert "missing-parts" in told or "can't be checked" in told


FOREIGN: dict[str, dict[str, str]] = {
    "next": {
        "package.json": '{ "name": "web", "private": true, "dependencies": { "next": "16" } }',
        "tsconfig.json": """{ "compilerOptions": { "jsx": "preserve", "moduleResolution": "bundler",
            "module": "esnext", "paths": { "@/*": ["./src/*"] } }, "include": ["**/*.tsx"] }""",
        "next.config.mjs": "export default { env: { MODE: process.env.MODE } };\n",
        "src/app/layout.tsx": """import type { ReactNode } from "react";
            export default function Layout({ children }: { children: ReactNode }) {
              return <html lang="en"><body>{children}</body></html>;
            }""",
        "src/app/api/ask/route.ts": """import { NextResponse } from "next/server";
            import * as pipeline from "@/rag/pipeline";
            export async function POST(request: Request) {
              const key = process.env.NEXT_PUBLIC_MODE;
              return NextResponse.json({ key, asked: await request.json(), pipeline });
            }""",
        ".next/server/chunk.js": "require('../../src/rag/retrieve/dense.ts'); eval('1');",
    },
    "hono": {
        "package.json": '{ "name": "api", "type": "module", "imports": { "#*": "./src/*" } }',
        "tsconfig.json": '{ "compilerOptions": { "module": "nodenext", "strict": true } }',
        "src/index.tsx": """import { Hono } from "hono";
            import * as pipeline from "#rag/pipeline.ts";
            const app = new Hono();
            app.get("/", (c) => c.html(<main>{Object.keys(pipeline).join(" ")}</main>));
            export default { port: process.env.PORT ?? 3000, fetch: app.fetch };""",
    },
    "nest": {
        "package.json": '{ "name": "nest", "scripts": { "build": "nest build" } }',
        "tsconfig.json": """{ "compilerOptions": { "module": "commonjs", "baseUrl": "./",
            "experimentalDecorators": true, "paths": { "@/*": ["src/*"] } } }""",
        "src/main.ts": """import { NestFactory } from "@nestjs/core";
            import { AppModule } from "./app.module";
            const port = process.env.PORT ?? 3000;
            void NestFactory.create(AppModule).then((app) => app.listen(port));""",
        "src/app.module.ts": """import { Module, Injectable } from "@nestjs/common";
            import * as retrieval from "@/rag/retrieval";
            @Injectable() export class Searching { readonly found = Object.keys(retrieval); }
            @Module({ providers: [Searching] }) export class AppModule {}""",
        "dist/main.js": "const x = require('./rag/retrieve/dense.js');",
    },
}  # fmt: skip
ALIAS = {"next": "@/rag", "hono": "#rag", "nest": "@/rag"}


@pytest.mark.parametrize("kind", FOREIGN)
def test_it_works_in_another_kind_of_checkout(typescript_service, tmp_path, kind: str):
    """`src/rag` and `test/architecture` are laid into it, as the how-to says."""
    folder = tmp_path / kind
    for name, text in FOREIGN[kind].items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    for name in ("src/rag", "test/architecture"):
        shutil.copytree(typescript_service / name, folder / name)
    (folder / "node_modules").symlink_to(typescript_service / "node_modules")
    tsx = [typescript_service / "node_modules/.bin/tsx", "test/architecture/command.ts"]

    def told() -> tuple[int, str]:
        done = subprocess.run(tsx, cwd=folder, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    assert told()[0] == 0, told()[1]
    fault = folder / "src/rag/generate/fault.ts"
    fault.write_text(f'import "{ALIAS[kind]}/retrieve/dense.ts";\n', encoding="utf-8")
    route = folder / "src/route.ts"
    route.write_text(
        f'import type {{ RerankedPassages as R }} from "{ALIAS[kind]}/contracts.ts";\n'
        "export const made = {} as unknown as R;\n",
        encoding="utf-8",
    )
    status, said = told()
    assert status == 1
    assert "src/rag/generate/fault.ts:1: allowed-parts" in said
    assert "src/route.ts:2: only-rerank-makes-passages" in said


def test_the_judge_is_the_services_own_check():
    assert "test/architecture/check.ts" in JUDGE.read_text(encoding="utf-8")
