"""What a module imports, and every dotted name that it reaches through an import."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from .sources import Source

SENSITIVE = frozenset({"builtins", "importlib", "nt", "os", "posix", "sys"})
"""Modules whose names are recognised however they are reached, as in `logging.os.environ`."""


@dataclass(frozen=True)
class Import:
    """One imported name. `target` is absolute; `bound` is the name it has in the module."""

    line: int
    target: str
    bound: str
    binds: str
    is_plain: bool


@dataclass(frozen=True)
class Reference:
    """A dotted name rooted in an import, at the place where it is used."""

    node: ast.expr
    name: str


@cache
def nodes_of(source: Source) -> tuple[ast.AST, ...]:
    """Every node of the syntax tree."""
    return tuple(ast.walk(source.tree))


@cache
def imports_of(source: Source) -> tuple[Import, ...]:
    """Every import, at whatever depth, with relative ones resolved."""
    return tuple(_imports(source))


@cache
def references_of(source: Source) -> tuple[Reference, ...]:
    """The longest dotted name at each place where an imported name is used."""
    return tuple(_references(source))


@cache
def names_of(source: Source) -> dict[int, list[str]]:
    """Absolute names by the identity of the expression that holds them."""
    found: dict[int, list[str]] = defaultdict(list)
    for reference in references_of(source):
        found[id(reference.node)].append(reference.name)
    return found


def reached_by(source: Source) -> Iterator[tuple[int, str]]:
    """Yield every dotted name that is imported or used, with its line; imports come first."""
    for imported in imports_of(source):
        yield imported.line, trimmed(imported.target)
    for reference in references_of(source):
        yield reference.node.lineno, reference.name


def trimmed(name: str) -> str:
    """Drop what stands before the last sensitive module in a dotted name."""
    words = name.split(".")
    starts = [n for n, word in enumerate(words) if word in SENSITIVE]
    return ".".join(words[starts[-1] :]) if starts else name


def _imports(source: Source) -> Iterator[Import]:
    for node in nodes_of(source):
        if isinstance(node, ast.Import):
            for alias in node.names:
                first = alias.name.partition(".")[0]
                binds = alias.name if alias.asname else first
                yield Import(node.lineno, alias.name, alias.asname or first, binds, True)
        elif isinstance(node, ast.ImportFrom):
            origin = _origin(source, node)
            for alias in node.names:
                target = f"{origin}.{alias.name}" if alias.name != "*" else origin
                yield Import(node.lineno, target, alias.asname or alias.name, target, False)


def _references(source: Source) -> Iterator[Reference]:
    bindings: dict[str, set[str]] = defaultdict(set)
    for imported in imports_of(source):
        bindings[imported.bound].add(imported.binds)
    inner = {id(steps[0]) for node in nodes_of(source) if (steps := _step(node))}
    for node in nodes_of(source):
        if isinstance(node, ast.expr) and id(node) not in inner:
            words = [] if _is_assigned(node) else _words(node)
            for origin in bindings.get(words[0], ()) if words else ():
                yield Reference(node, trimmed(".".join([origin, *words[1:]])))


def _origin(source: Source, node: ast.ImportFrom) -> str:
    if not node.level:
        return node.module or ""
    words = source.name.split(".")
    above = node.level - source.is_package
    kept = words[: len(words) - above] if above < len(words) else ["<beyond the package>"]
    return ".".join([*kept, *([node.module] if node.module else [])])


def _step(node: ast.AST) -> tuple[ast.expr, str] | None:
    """The object and the name of an attribute access, `getattr` with a literal name included."""
    match node:
        case ast.Attribute(value=value, attr=name):
            return value, name
        case ast.Call(
            func=ast.Name(id="getattr" | "hasattr"),
            args=[value, ast.Constant(value=str(name)), *_],
        ):
            return value, name
        case _:
            return None


def _is_assigned(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)


def _words(node: ast.expr) -> list[str]:
    words: list[str] = []
    current: ast.expr = node
    while step := _step(current):
        current, word = step
        words.append(word)
    return [current.id, *reversed(words)] if isinstance(current, ast.Name) else []
