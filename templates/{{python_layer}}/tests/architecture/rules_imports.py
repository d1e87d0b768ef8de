"""Who may import whom: each import by the table, and all that follows from it by the law."""

import ast
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from .layout import CLIENTS, COMMON, FED_BY, GUARDED, LAW, PACKAGE, PARTS
from .references import imports_of, reached_by
from .sources import Source, Violation

ARGUMENT = "take what it makes as an argument; a composition root passes it in"


@dataclass(frozen=True)
class Edge:
    """One module of the package imports another, or reaches it by attribute."""

    source: Source
    line: int
    target: Source


def check_parts(sources: Sequence[Source]) -> Iterator[Violation]:
    """No part imports another that the table does not allow it."""
    for edge in _edges(sources):
        ours, theirs = edge.source.part, edge.target.part
        what = f"{edge.source.name} imports {edge.target.name}"
        if ours == theirs or not (ours or theirs in FED_BY):
            continue
        if not ours:
            advice = f"{what}, which only {FED_BY[theirs]!r} feeds: call rag.{FED_BY[theirs]}"
            yield edge.source.breach(edge.line, "allowed-parts", advice)
        elif not theirs:
            advice = f"{what}, outside rag/: declare a part for it, or {ARGUMENT}"
            yield edge.source.breach(edge.line, "allowed-parts", advice)
        elif theirs == "rag":
            advice = f"{what}, from where every stage is in reach: name the module itself"
            yield edge.source.breach(edge.line, "allowed-parts", advice)
        elif ours not in PARTS or theirs not in PARTS[ours].parts:
            advice = f"{what}, which layout.py does not allow {ours!r}: {ARGUMENT}"
            yield edge.source.breach(edge.line, "allowed-parts", advice)


def check_law(sources: Sequence[Source]) -> Iterator[Violation]:
    """Nothing that generation or evaluation imports leads to what they may not know."""
    leads = _leads(sources)
    for part, forbidden in LAW.items():
        chains: dict[str, list[Edge]] = {}
        for start in (source for source in sources if source.part == part):
            chain = _chain(start, leads, forbidden)
            if chain and len(chain) < len(chains.get(chain[-1].source.name, [*chain, chain[-1]])):
                chains[chain[-1].source.name] = chain
        for chain in chains.values():
            first = chain[0].source
            path = " -> ".join([first.name, *(edge.target.name for edge in chain)])
            yield first.breach(chain[0].line, f"{part}-law", f"{path}: cut this chain; {ARGUMENT}")


def check_names(sources: Sequence[Source]) -> Iterator[Violation]:
    """Every import names a module that is there, and binds no more than that."""
    known = {source.name: source for source in sources}
    for source in sources:
        for imported in imports_of(source):
            target = imported.target
            if imported.bound == "*":
                advice = f"name what you import from {target}: a star hides it from the checks"
                yield source.breach(imported.line, "no-star-imports", advice)
            if target.partition(".")[0] not in (PACKAGE, "<beyond the package>"):
                continue
            if imported.is_plain and imported.binds == PACKAGE and source.part:
                advice = f"write `from ... import` here: `{PACKAGE}` has every stage in reach"
                yield source.breach(imported.line, "no-package-objects", advice)
            if target not in known and target.rpartition(".")[0] not in known:
                advice = f"{target} is not in this package: name a module that is"
                yield source.breach(imported.line, "known-modules", advice)


def check_borrowed(sources: Sequence[Source]) -> Iterator[Violation]:
    """A library is imported from itself, never picked up from a module that imported it."""
    known = {source.name: source for source in sources}
    for source in sources:
        for line, name in reached_by(source):
            lender = module_of(name, known)
            if lender is None or lender is source or lender.name == name:
                continue
            word = name[len(lender.name) + 1 :].partition(".")[0]
            for lent in imports_of(lender):
                if lent.bound == word and lent.binds.partition(".")[0] != PACKAGE:
                    advice = f"{name} is {lent.binds}: import it from where it is defined"
                    yield source.breach(line, "no-borrowed-names", advice)


def check_libraries(source: Source) -> Iterator[Violation]:
    """Libraries are imported where layout.py declares them; clients of stores, nowhere else."""
    allowed = COMMON | (PARTS[source.part].libraries if source.part in PARTS else frozenset())
    for imported in imports_of(source):
        library = imported.target.partition(".")[0]
        if library in (PACKAGE, "<beyond the package>"):
            continue
        if not source.part:
            refused = _covers(CLIENTS, imported.target)
        elif library in sys.stdlib_module_names:
            refused = _covers(GUARDED, imported.target) and library not in allowed
        else:
            refused = library not in allowed
        if refused:
            where = f"part {source.part!r}" if source.part else "code outside rag/"
            advice = f"{library} in {where}: {ARGUMENT}, or declare it in layout.py"
            yield source.breach(imported.line, "declared-libraries", advice)


def check_empty_roots(source: Source) -> Iterator[Violation]:
    """The two `__init__` above the stages hold nothing that would load any of them."""
    if source.is_package and source.name in (PACKAGE, f"{PACKAGE}.rag"):
        for node in source.tree.body:
            if not isinstance(getattr(node, "value", None), ast.Constant):
                advice = "keep this file empty: it runs before every stage"
                yield source.breach(node, "empty-roots", advice)


def _edges(sources: Sequence[Source]) -> Iterator[Edge]:
    """Yield each pair of modules once, at the first line that ties them."""
    known = {source.name: source for source in sources}
    for source in sources:
        targets: dict[str, int] = {}
        for line, name in reached_by(source):
            target = module_of(name, known)
            if target is not None and target is not source:
                targets.setdefault(target.name, line)
        for name, line in targets.items():
            yield Edge(source, line, known[name])


def _leads(sources: Sequence[Source]) -> dict[str, list[Edge]]:
    """Edges by module; a module's packages run before it, so it has their edges too."""
    own: dict[str, list[Edge]] = {source.name: [] for source in sources}
    for edge in _edges(sources):
        own[edge.source.name].append(edge)
    leads: dict[str, list[Edge]] = {}
    for name in own:
        words = name.split(".")
        packages = (".".join(words[:length]) for length in range(1, len(words) + 1))
        leads[name] = [edge for package in packages for edge in own.get(package, ())]
    return leads


def module_of(name: str, known: Mapping[str, Source]) -> Source | None:
    """The module that a dotted name lies in; None when it is none of this package's."""
    while name and name not in known:
        name = name.rpartition(".")[0]
    return known.get(name)


def _chain(
    start: Source, leads: Mapping[str, Sequence[Edge]], forbidden: frozenset[str]
) -> list[Edge]:
    """The shortest chain of imports from a module to a forbidden part; empty when there is none."""
    paths: dict[str, list[Edge]] = {start.name: []}
    queue = [start.name]
    for name in queue:
        for edge in leads.get(name, ()):
            if edge.target.name not in paths:
                paths[edge.target.name] = [*paths[name], edge]
                if edge.target.part in forbidden:
                    return paths[edge.target.name]
                queue.append(edge.target.name)
    return []


def _covers(names: frozenset[str], target: str) -> bool:
    return any(target == name or target.startswith(f"{name}.") for name in names)
