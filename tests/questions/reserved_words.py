"""Writes templates/_macros/reserved.jinja: names that no package and no command may have.

    python tests/questions/reserved_words.py [VENV ...]

Each VENV is that of a rendered service; what it installs is reserved too. Words are added and
never dropped, so running this on each supported Python gathers the standard library of all.
"""

import keyword
import re
import sys
import textwrap
from collections.abc import Iterable
from pathlib import Path

MACRO = Path(__file__).parents[2] / "templates/_macros/reserved.jinja"

WINDOWS_DEVICES = {"aux", "clock", "con", "conin", "conout", "nul", "prn"} | {
    f"{port}{number}" for port in ("com", "lpt") for number in range(10)
}

NODE = """
    assert async_hooks buffer child_process cluster console constants crypto dgram
    diagnostics_channel dns domain events favicon_ico fs http http2 https inspector module net
    node node_modules npm npx os path perf_hooks process punycode querystring readline repl sea
    sqlite stream string_decoder sys test timers tls trace_events tty url util v8 vm wasi
    worker_threads zlib
"""

ECMASCRIPT = """
    abstract arguments await boolean break byte case catch char class const continue debugger
    default delete do double else enum eval export extends false final finally float for function
    goto if implements import in instanceof int interface let long native new null package private
    protected public return short static super switch synchronized this throw throws transient
    true try typeof undefined var void volatile while with yield
"""

NODE_PACKAGES = """
    better_sqlite3 biome commander esbuild eslint fast_check iconv_lite ignore markdown_it
    multilingual_stemmer oxc_parser oxc_resolver parse5 tsc tsx typescript typescript_eslint vite
    vitest zod
"""

NEWER_STANDARD_LIBRARY = "annotationlib compression"

FOLDERS = "build conftest dist docs evals lib src templates tests venv"

COMMANDS = """
    alias bash bg cd command copier cp curl declare docker echo env eval exec exit export false fg
    git hash help history jobs kill let local ls make mv pip pipx printf pwd pyright python python3
    ragseam read rm set sh shift source ssh sudo time trap true type ulimit umask unset uv uvx wait
    which
"""

ADAPTERS_TO_COME = """
    anthropic chromadb elasticsearch fastapi fastify hono jest lancedb langchain litestar
    llama_index mcp openai opensearchpy opentelemetry pgvector pino prettier prometheus_client
    psycopg pydantic pydantic_settings pymilvus qdrant_client ray redis sentence_transformers
    sqlalchemy starlette torch transformers undici uvicorn
"""


def as_package(name: str) -> str:
    """Fold `name` as the template folds a project's name."""
    return re.sub("[^a-z0-9]+", "_", name.lower()).strip("_")


def language_words() -> set[str]:
    """Keywords and standard library of the running Python."""
    words = {
        *keyword.kwlist,
        *keyword.softkwlist,
        *sys.stdlib_module_names,
        *sys.builtin_module_names,
    }
    return {word.lower() for word in words if not word.startswith("_")}


def listed_words() -> set[str]:
    """Everything that no interpreter can tell."""
    node = (NODE, NODE_PACKAGES, ECMASCRIPT)
    lists = (*node, NEWER_STANDARD_LIBRARY, FOLDERS, COMMANDS, ADAPTERS_TO_COME)
    return WINDOWS_DEVICES | {word for text in lists for word in text.split()}


def installed_words(venv: Path) -> set[str]:
    """Modules, distributions and commands of `venv`, less those of the project itself."""
    (site,) = venv.glob("lib/python*/site-packages")
    entries = {entry.name for entry in site.iterdir()}
    modules = {name.split(".")[0] for name in entries if not name.endswith((".dist-info", ".pth"))}
    distributions = {name.rsplit("-", 1)[0] for name in _distributions(site)}
    commands = {command.name for command in (venv / "bin").iterdir()}
    words = {as_package(name) for name in modules | distributions | commands if name[0] != "_"}
    return {word for word in words if re.match("[a-z]", word)} - _own(site)


def _distributions(site: Path) -> Iterable[str]:
    return (path.stem for path in site.glob("*.dist-info"))


def _own(site: Path) -> set[str]:
    """Names of the project that is installed in editable mode, in every spelling."""
    editable = {path.parent.stem for path in site.glob("*.dist-info/direct_url.json")}
    return {as_package(name.rsplit("-", 1)[0]) for name in editable}


def reserved_words() -> set[str]:
    """What the template refuses today."""
    text = MACRO.read_text(encoding="utf-8")
    return set(text.partition("reserved() %}")[2].partition("{% endmacro")[0].split())


def write(words: set[str]) -> None:
    """Replace the macro by one that holds `words`."""
    lines = textwrap.wrap(" ".join(sorted(words)), width=98, break_on_hyphens=False)
    origin = "{# Written by tests/questions/reserved_words.py, which only adds. #}"
    MACRO.write_text(
        "\n".join([origin, "{% macro reserved() %}", *lines, "{% endmacro %}", ""]),
        encoding="utf-8",
    )


if __name__ == "__main__":
    installed = [installed_words(Path(venv)) for venv in sys.argv[1:]]
    write(reserved_words().union(language_words(), listed_words(), *installed))
