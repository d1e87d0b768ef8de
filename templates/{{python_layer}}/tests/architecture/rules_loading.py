"""Modules are loaded by plain imports alone, and the environment is read in one place."""

import ast
from collections.abc import Iterator

from .layout import PACKAGE, PARTS, READS_ENVIRONMENT
from .references import SENSITIVE, imports_of, nodes_of, reached_by, references_of, trimmed
from .sources import Source, Violation

LOADERS = frozenset(
    "_frozen_importlib _imp _interpreters _xxsubinterpreters builtins code codeop ctypes gc imp "
    "importlib inspect.currentframe inspect.getmodule inspect.stack inspect.trace logging.config "
    "modulefinder pkg_resources pkgutil pydoc runpy site sys._current_frames "
    "sys._getframe sys.meta_path sys.modules sys.path sys.path_hooks sys.path_importer_cache "
    "types.CodeType types.FunctionType timeit typing.ForwardRef zipimport".split()
)
HARMLESS = frozenset(
    "importlib.metadata.PackageNotFoundError importlib.metadata.distribution "
    "importlib.metadata.files importlib.metadata.metadata importlib.metadata.requires "
    "importlib.metadata.version importlib.resources importlib.util.find_spec".split()
)
PICKLES = frozenset("cloudpickle copyreg dill joblib marshal pickle shelve".split())
PROGRAMS = frozenset(
    "asyncio.create_subprocess_exec asyncio.create_subprocess_shell asyncio.subprocess os.execl "
    "os.execle os.execlp os.execlpe os.execv os.execve os.execvp os.execvpe os.fork os.forkpty "
    "os.popen os.posix_spawn os.posix_spawnp os.spawnl os.spawnle os.spawnlp os.spawnlpe "
    "os.spawnv os.spawnve os.spawnvp os.spawnvpe os.startfile os.system".split()
)
ENVIRONMENT = frozenset(
    "decouple dotenv dynaconf environ environs nt.environ os.environ os.environb os.getenv "
    "os.getenvb os.path.expandvars os.putenv os.unsetenv posix.environ pydantic_settings".split()
)
BUILTINS = frozenset(
    "__builtins__ __import__ __loader__ __spec__ compile eval exec globals".split()
)
INNER = frozenset(
    "__builtins__ __closure__ __code__ __globals__ __import__ __loader__ __path__ "
    "__reduce_ex__ __reduce__ __spec__ __subclasses__ exec_module f_back f_builtins f_globals "
    "f_locals load_module".split()
)
"""Attributes that lead from any object to a loader, or to every class there is."""

OBJECTS = SENSITIVE | {PACKAGE, f"{PACKAGE}.rag"} | {f"{PACKAGE}.rag.{part}" for part in PARTS}
"""Modules in which anything could be looked up by a name that is put together."""

PLAIN = "write a plain import, inside the function where it must be lazy"
SETTING = "take the value as an argument; config.py alone reads the environment"


def check_loading(source: Source) -> Iterator[Violation]:
    """No module is loaded by name, from text, or by a hook."""
    for imported in imports_of(source):
        name = trimmed(imported.target)
        if _within(name, LOADERS) and not _leads_to(name, HARMLESS):
            yield source.breach(imported.line, "plain-imports", f"{name}: {PLAIN}")
    for reference in references_of(source):
        name = reference.name
        if _within(name, LOADERS) and not _within(name, HARMLESS):
            yield source.breach(reference.node, "plain-imports", f"{name}: {PLAIN}")
        if name in OBJECTS or "__dict__" in name.split("."):
            advice = f"{name} is used as a value: write the attribute that you want after it"
            yield source.breach(reference.node, "no-module-objects", advice)
    for node in nodes_of(source):
        for inner in node.body if isinstance(node, ast.ClassDef) else ():
            if isinstance(inner, ast.Import | ast.ImportFrom):
                advice = "an import in a class makes the module an attribute: move it out"
                yield source.breach(inner, "plain-imports", advice)
    yield from _found_specs(source)


def check_programs(source: Source) -> Iterator[Violation]:
    """Nothing is unpickled; below rag/ nothing starts a program, into which no check sees."""
    for line, name in reached_by(source):
        if _within(name, PICKLES):
            advice = f"{name} runs what it reads, and copies anything: write JSON or arrays"
            yield source.breach(line, "no-pickles", advice)
        if source.part and _within(name, PROGRAMS):
            advice = f"{name} starts a program: call the function that it would run instead"
            yield source.breach(line, "no-programs", advice)


def check_builtins(source: Source) -> Iterator[Violation]:
    """No text is run as code, and no object is searched for what it did not offer."""
    defined = {getattr(node, "name", "") for node in source.tree.body}
    imported = {one.bound for one in imports_of(source)}
    for node in nodes_of(source):
        match node:
            case ast.Name(id=name, ctx=ast.Load()) if name in BUILTINS - defined - imported:
                yield source.breach(node, "no-code-from-text", f"{name}: {PLAIN}")
            case (
                ast.Attribute(attr=name)
                | ast.Call(func=ast.Name(id="getattr"), args=[_, ast.Constant(value=str(name)), *_])
            ) if name in INNER:
                advice = f"{name} leads to what no import names: {PLAIN}"
                yield source.breach(node, "no-inner-attributes", advice)
            case _:
                pass


def check_hooks(source: Source) -> Iterator[Violation]:
    """A module holds the names that stand in it, and makes up none when it is asked."""
    for node in source.tree.body:
        for inner in ast.walk(node) if not isinstance(node, ast.ClassDef) else ():
            names = {getattr(inner, "name", ""), getattr(inner, "asname", "")}
            if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
                names.add(inner.id)
            if found := names & {"__getattr__", "__path__"}:
                advice = f"{min(found)} makes up names: define or import them in plain sight"
                yield source.breach(inner, "no-module-hooks", advice)


def check_environment(source: Source) -> Iterator[Violation]:
    """Only config reads environment variables."""
    if source.part == READS_ENVIRONMENT:
        return
    for line, name in reached_by(source):
        if _within(name, ENVIRONMENT):
            yield source.breach(line, "one-reader-of-the-environment", f"{name}: {SETTING}")
    for node in nodes_of(source):
        match node:
            case ast.keyword(arg="envvar" | "auto_envvar_prefix" as name):
                advice = f"{name}=: {SETTING}"
                yield source.breach(node, "one-reader-of-the-environment", advice)
            case ast.Constant(value="auto_envvar_prefix" as name):
                advice = f"{name}: {SETTING}"
                yield source.breach(node, "one-reader-of-the-environment", advice)
            case _:
                pass


def _within(name: str, names: frozenset[str]) -> bool:
    words = name.split(".")
    return any(".".join(words[:length]) in names for length in range(1, len(words) + 1))


def _leads_to(name: str, names: frozenset[str]) -> bool:
    return _within(name, names) or any(one.startswith(f"{name}.") for one in names)


def _is_library(name: str) -> bool:
    return name.partition(".")[0] not in ("", PACKAGE)


def _found_specs(source: Source) -> Iterator[Violation]:
    """`find_spec` may look for a library that is named in the call."""
    calls = {id(n.func): n for n in nodes_of(source) if isinstance(n, ast.Call)}
    for reference in references_of(source):
        if reference.name != "importlib.util.find_spec":
            continue
        match calls.get(id(reference.node)):
            case ast.Call(args=[ast.Constant(value=str(name))]) if _is_library(name):
                pass
            case _:
                advice = f"find_spec takes the name of a library, in quotes; else {PLAIN}"
                yield source.breach(reference.node, "plain-imports", advice)
