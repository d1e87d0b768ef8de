"""What is tried on a fresh render beyond its own checks: its files, a planted fault, `eval`."""

import ast
import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from .errors import TemplateError

STAND_INS = {
    "embedding": ("hash", {"fastembed", "openai"}),
    "rerank": ("none", {"cross-encoder", "http"}),
}
"""By question: what takes the place of choices that need an endpoint or a model's files."""

LEFT_OVER = re.compile(r"(?<!\$){{ ?\w|{%-? ?\w+")
NOT_RENDERED = (".git/", ".venv/", "node_modules/")
FAULTS = {
    "python": ("rag/generate/planted.py", '"""Fetches."""\n\nfrom ..retrieve import fusion\n'),
    "typescript": ("rag/generate/planted.ts", 'import "../retrieve/fusion.ts";\n'),
}


def find_faults(service: Path, snapshot: Path | None = None) -> list[str]:
    """What is wrong with the files of a render: one line each, with the path; none if sound.

    `snapshot` lists the paths that a render holds, as `expected_files` reads it.
    """
    files = dict(_files(service))
    faults = [f"{name}: {fault}" for name, path in files.items() for fault in _faults(name, path)]
    if snapshot is not None:
        expected = expected_files(snapshot.read_text(encoding="utf-8"), _answers(service))
        faults += [f"{name}: is not in {snapshot.name}" for name in sorted(files.keys() - expected)]
        faults += [f"{name}: is missing" for name in sorted(expected - files.keys())]
    return faults


def stand_ins(service: Path) -> dict[str, str]:
    """Settings by which a render is evaluated offline; none when its own choices can be.

    A reranker that reads the embedding model's token vectors goes when that model does.
    """
    answers = _answers(service)
    replaced = {
        question: stand_in
        for question, (stand_in, remote) in STAND_INS.items()
        if answers[question] in remote
    }
    if "embedding" in replaced and answers["rerank"] == "maxsim":
        replaced["rerank"] = "none"
    return {f"RAG_{question.upper()}": choice for question, choice in replaced.items()}


def _answers(service: Path) -> dict[str, Any]:
    return yaml.safe_load((service / ".copier-answers.yml").read_text(encoding="utf-8"))


def expected_files(snapshot: str, answers: Mapping[str, object]) -> set[str]:
    """Paths of a snapshot that stand in a render of `answers`.

    A line is a path, alone or with the answers on which it depends: `path  ci=github`.
    """
    expected: set[str] = set()
    for line in snapshot.splitlines():
        path, _, conditions = line.partition("  ")
        if all(_holds(condition, answers) for condition in conditions.split()):
            expected.add(path)
    return expected


def _holds(condition: str, answers: Mapping[str, object]) -> bool:
    question, _, choice = condition.partition("=")
    return str(answers[question]) == choice


def _files(service: Path) -> Iterator[tuple[str, Path]]:
    for path in sorted(service.rglob("*")):
        name = path.relative_to(service).as_posix()
        if path.is_file() and not name.startswith(NOT_RENDERED):
            yield name, path


def _faults(name: str, path: Path) -> Iterator[str]:
    text = path.read_text(encoding="utf-8")
    try:
        _parse(name, text)
    except (ValueError, SyntaxError, yaml.YAMLError) as error:
        yield f"does not parse: {error}"
    if name.endswith(".jinja"):
        yield "is a template still"
    # One document of the corpus holds braces on purpose.
    if not name.startswith("evals/") and (found := LEFT_OVER.search(text)):
        yield f"Jinja is left over: {found[0]!r}"


def _parse(name: str, text: str) -> None:
    parsers: dict[str, Callable[[str], Any]] = {
        "py": ast.parse,
        "toml": tomllib.loads,
        "json": json.loads,
        "jsonl": lambda text: [json.loads(line) for line in text.splitlines()],
        "yml": yaml.safe_load,
        "yaml": yaml.safe_load,
    }
    if parse := parsers.get(name.rpartition(".")[2]):
        parse(text)


def plant(service: Path) -> Path:
    """Write a module of generation that fetches its own context, and return its path.

    Raises:
        TemplateError: the render has no `rag/generate/` to plant it in.
    """
    for name, text in FAULTS.values():
        for stage in service.glob(f"src/**/{Path(name).parent}"):
            suffix = Path(name).suffix
            if any(stage.glob(f"*{suffix}")):
                planted = stage / Path(name).name
                planted.write_text(text, encoding="utf-8")
                return planted
    raise TemplateError(f"{service} has no rag/generate/ with modules in it")
