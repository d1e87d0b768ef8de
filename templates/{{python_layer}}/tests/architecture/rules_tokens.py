"""`RerankedPassages` are made by rerank/ alone; everywhere else the name is a type."""

import ast
from collections.abc import Iterator, Sequence

from .layout import PACKAGE, SEALERS
from .references import imports_of, names_of, nodes_of
from .sources import Source, Violation

TOKEN = "RerankedPassages"
SEAL = ("_seal", "_SEALED")
COPIES = frozenset({"copy.copy", "copy.deepcopy"})
REPLACES = frozenset({"copy.replace", "dataclasses.replace"})
READS_TYPES = frozenset(
    "annotationlib.get_annotations inspect.get_annotations inspect.signature "
    "typing.get_type_hints".split()
)
MAKE = "call rerank(), the only maker of RerankedPassages, and pass on what it returns"


def check_tokens(source: Source) -> Iterator[Violation]:
    """Outside its makers, RerankedPassages is annotated and tested for, never used as a value."""
    sealing = _sealing(source)
    names = names_of(source)
    as_type = {id(node) for where in _type_positions(source) for node in ast.walk(where)}
    for node in (node for node in nodes_of(source) if id(node) not in sealing):
        if id(node) not in as_type and _is_token(node, source, names):
            advice = f"{TOKEN} is used as a value: {MAKE}"
            yield source.breach(node, "only-rerank-makes-passages", advice)
        if fault := _forgery(node, names):
            yield source.breach(node, "only-rerank-makes-passages", f"{fault}: {MAKE}")


def check_copies(source: Source) -> Iterator[Violation]:
    """A module that handles RerankedPassages copies nothing and is not patched."""
    names = names_of(source)
    handles = any(one.target.endswith(f".{TOKEN}") for one in imports_of(source))
    tokens = set(_token_names(source, names))
    for node in nodes_of(source):
        if isinstance(node, ast.Call) and handles:
            called = set(names.get(id(node.func), ()))
            given = {getattr(argument, "id", "") for argument in node.args}
            if called & COPIES or (called & REPLACES and tokens & given):
                advice = f"a copy of {TOKEN} is refused: {MAKE}"
                yield source.breach(node, "only-rerank-makes-passages", advice)
        for name in names.get(id(node), ()):
            if name.startswith(f"{PACKAGE}.") and not _is_load(node):
                advice = f"{name} is replaced from outside: change it where it is defined"
                yield source.breach(node, "no-patching", advice)


def check_sealers(sources: Sequence[Source]) -> Iterator[Violation]:
    """What may seal stands where layout.py says, once."""
    found = {source.name: source for source in sources}
    for module, definitions in SEALERS.items():
        source = found.get(f"{PACKAGE}.{module}")
        for name in sorted(definitions):
            count = len(_definitions(source, name)) if source else 0
            if count != 1:
                place = source.path if source else f"src/{PACKAGE}/{module.replace('.', '/')}.py"
                line = _definitions(source, name)[-1].lineno if source and count else 1
                advice = f"{count} definitions of {name}: keep one, or correct SEALERS in layout.py"
                yield Violation(place, line, "one-sealer", advice)


def _token_names(source: Source, names: dict[int, list[str]]) -> Iterator[str]:
    """Names of parameters and variables that are annotated as RerankedPassages."""
    for node in nodes_of(source):
        match node:
            case (
                ast.arg(arg=name, annotation=ast.expr() as annotation)
                | ast.AnnAssign(target=ast.Name(id=name), annotation=annotation)
            ):
                if any(_is_token(inner, source, names) for inner in ast.walk(annotation)):
                    yield name
            case _:
                pass


def _definitions(source: Source, name: str) -> list[ast.stmt]:
    return [node for node in source.tree.body if name in _defined(node)]


def _defined(node: ast.stmt) -> set[str]:
    match node:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return {name}
        case ast.Assign(targets=targets):
            return {target.id for target in targets if isinstance(target, ast.Name)}
        case ast.AnnAssign(target=ast.Name(id=name)):
            return {name}
        case _:
            return set()


def _sealing(source: Source) -> set[int]:
    """Identities of the nodes inside the definitions that may seal."""
    names = SEALERS.get(source.name.partition(".")[2], frozenset())
    inside = [node for name in sorted(names) for node in _definitions(source, name)[:1]]
    return {id(node) for definition in inside for node in ast.walk(definition)}


def _type_positions(source: Source) -> Iterator[ast.AST]:
    """Yield expressions that name a type: annotations, `isinstance`, `type(x) is`, patterns."""
    for node in nodes_of(source):
        match node:
            case ast.arg(annotation=ast.expr() as annotation):
                yield from _plain(annotation)
            case ast.FunctionDef(returns=ast.expr() as annotation):
                yield from _plain(annotation)
            case ast.AsyncFunctionDef(returns=ast.expr() as annotation):
                yield from _plain(annotation)
            case ast.AnnAssign(annotation=annotation):
                yield from _plain(annotation)
            case ast.Call(func=ast.Name(id="isinstance" | "issubclass"), args=[_, kind]):
                yield from _plain(kind)
            case ast.Compare(left=ast.Call(func=ast.Name(id="type")), comparators=[kind]) | (
                ast.Compare(left=kind, comparators=[ast.Call(func=ast.Name(id="type"))])
            ):
                yield from _plain(kind)
            case ast.MatchClass(cls=kind):
                yield kind
            case _:
                pass


def _plain(annotation: ast.expr) -> Iterator[ast.expr]:
    """The annotation, if it only names types: no call, no assignment, no claim about a value."""
    for node in ast.walk(annotation):
        text = getattr(node, "id", getattr(node, "attr", ""))
        if isinstance(node, ast.Call | ast.NamedExpr) or text in ("TypeGuard", "TypeIs"):
            return
    yield annotation


def _is_token(node: ast.AST, source: Source, names: dict[int, list[str]]) -> bool:
    if source.name == f"{PACKAGE}.rag.contracts" and isinstance(node, ast.Name):
        return node.id == TOKEN
    return any(_names_token(name) for name in names.get(id(node), ()))


def _names_token(name: str) -> bool:
    return name.startswith(f"{PACKAGE}.") and f".{TOKEN}." in f"{name}."


def _forgery(node: ast.AST, names: dict[int, list[str]]) -> str:
    """What is wrong with a node that could make an object behind its constructor's back."""
    match node:
        case ast.Attribute(attr=name) | ast.Name(id=name) | ast.alias(name=name) if name in SEAL:
            return name
        case ast.Constant(value=str(name)) if name in SEAL:
            return f"{name!r}"
        case ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr="__new__"):
            return ""
        case ast.Attribute(attr="__new__"):
            return "__new__ skips the constructor"
        case ast.Attribute(attr="__class__", ctx=ast.Store()):
            return "__class__ is assigned"
        case ast.Attribute(attr="__annotations__") if _is_ours(names.get(id(node), ())):
            return "a type read off a function"
        case ast.Attribute(attr="passages", value=value, ctx=ast.Store()) if not _is_self(value):
            return "passages are assigned"
        case ast.Call(func=ast.Call(func=ast.Name(id="type"), args=[value])) if not _is_self(value):
            return "type(x)(...) makes another x"
        case ast.Call(func=ast.Attribute(value=value, attr="__class__")) if not _is_self(value):
            return "x.__class__(...) makes another x"
        case ast.Call(func=func, args=[first, *_]):
            return _false_claim(func, first, names)
        case _:
            return ""


def _false_claim(func: ast.expr, first: ast.expr, names: dict[int, list[str]]) -> str:
    """A cast to the type, or a way to read the type off a function that takes it."""
    called = {getattr(func, "id", ""), getattr(func, "attr", ""), *names.get(id(func), ())}
    text = first.value if isinstance(first, ast.Constant) else ""
    if called & {"cast", "typing.cast"} and isinstance(text, str) and TOKEN in text:
        return f"cast to {TOKEN}"
    taken = names.get(id(first), ())
    if called & READS_TYPES and _is_ours(taken):
        return f"a type read off {taken[0]}"
    return ""


def _is_ours(names: Sequence[str]) -> bool:
    return any(name.startswith(f"{PACKAGE}.rag.") for name in names)


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id in ("self", "cls")


def _is_load(node: ast.AST) -> bool:
    return isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
