"""Each rule bites: a module that breaks it is found, and the same words in a string are not."""

import ast

import pytest

from . import rules_imports, rules_loading, rules_tokens
from .layout import PACKAGE, PARTS
from .sources import Source, read_sources
from .test_boundary import RULES_OVER_ALL

TOKEN = "from ..contracts import RerankedPassages\n"

BREACHES = {
    "allowed-parts": (rules_imports.check_parts, "from ..retrieve import dense"),
    "generate-law": (rules_imports.check_law, "from ..contracts import helper"),
    "known-modules": (rules_imports.check_names, "from ..missing import anything"),
    "no-star-imports": (rules_imports.check_names, "from os import *"),
    "no-package-objects": (rules_imports.check_names, f"import {PACKAGE}.rag.contracts"),
    "no-borrowed-names": (rules_imports.check_borrowed, "from ..contracts import dense"),
    "declared-libraries": (rules_imports.check_libraries, "def f():\n    import qdrant_client"),
    "plain-imports": (rules_loading.check_loading, "from importlib import import_module as f"),
    "no-module-objects": (rules_loading.check_loading, "import sys\nx = getattr(sys, name)"),
    "no-programs": (rules_loading.check_programs, "import os\nos.system('search')"),
    "no-pickles": (rules_loading.check_programs, "import pickle"),
    "no-code-from-text": (rules_loading.check_builtins, "exec('import x')"),
    "no-inner-attributes": (rules_loading.check_builtins, "x = f.__globals__"),
    "no-module-hooks": (rules_loading.check_hooks, "def __getattr__(name):\n    return name"),
    "one-reader-of-the-environment": (rules_loading.check_environment, "import os\nos.environ"),
    "only-rerank-makes-passages": (rules_tokens.check_tokens, TOKEN + "RerankedPassages()"),
    "no-patching": (rules_tokens.check_copies, "from .. import contracts\ncontracts.x = 1"),
    "one-sealer": (rules_tokens.check_sealers, ""),
}


def module(name: str, code: str) -> Source:
    return Source(f"{name}.py", f"{PACKAGE}.{name}", False, ast.parse(code))


def judged(rule, code: str) -> list:
    """Violations in a module of generate, beside contracts that import a retriever."""
    sources = [
        module("rag.generate.x", code),
        module("rag.contracts", "from json import loads as dense\nfrom .retrieve import dense"),
        module("rag.retrieve.dense", ""),
        Source("rag/retrieve", f"{PACKAGE}.rag.retrieve", True, ast.parse("")),
    ]
    return list(rule(sources)) if rule in RULES_OVER_ALL else list(rule(sources[0]))


@pytest.mark.parametrize(("name", "rule", "code"), [(n, *b) for n, b in BREACHES.items()])
def test_a_breach_is_found_with_its_line(name, rule, code):
    found = [one for one in judged(rule, code) if one.rule == name]
    assert found
    assert all(one.line >= 1 and one.advice and name in str(one) for one in found)


@pytest.mark.parametrize(("name", "rule", "code"), [(n, *b) for n, b in BREACHES.items()])
def test_text_is_no_breach(name, rule, code):
    quoted = f'"""Never write:\n\n{code}\n"""\nPROMPT = {code!r}  # {code.splitlines()[:1]}\n'
    found = [one for one in judged(rule, quoted) if one.path == "rag.generate.x.py"]
    assert found == []


def test_an_empty_folder_is_no_service(tmp_path):
    sources, violations = read_sources(tmp_path)
    assert sources == []
    assert [one.rule for one in violations] == ["declared-parts"] * len(PARTS)


def test_a_root_that_loads_a_stage_is_found():
    root = Source("rag/__init__.py", f"{PACKAGE}.rag", True, ast.parse("from . import generate"))
    assert [one.rule for one in rules_imports.check_empty_roots(root)] == ["empty-roots"]
