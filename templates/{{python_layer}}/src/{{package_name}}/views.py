"""What search and ask print: text for people, and with --json one document each."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

import click
import msgspec

from .rag.contracts import Answer, Passage, Refusal

if TYPE_CHECKING:
    from rich.table import Table

    from .explanation import Explanation
    from .rag.contracts import RerankedPassages
    from .rag.indexing import IndexSummary

_SNIPPET_CHARS = 200
_CONTROL = dict.fromkeys((*range(9), *range(11, 32), *range(127, 160)))


def clean(text: str) -> str:
    """A document's text without control codes, which a terminal would obey."""
    return text.translate(_CONTROL)


def snippet(text: str) -> str:
    """The beginning of a text on one line."""
    line = " ".join(clean(text).split())
    return line if len(line) <= _SNIPPET_CHARS else line[: _SNIPPET_CHARS - 1] + "…"


def new_table(*headings: str) -> Table:
    """An empty table without borders; its cells are plain text."""
    from rich.table import Table

    return Table(*headings, box=None, pad_edge=False)


def print_table(table: Table) -> None:
    """Print a table; where there is no terminal, wide enough to keep its lines."""
    from rich.console import Console

    width = None if sys.stdout.isatty() else 160
    Console(width=width, highlight=False, markup=False, emoji=False).print(table)


def print_json(schema: str, document: Mapping[str, object]) -> None:
    """Print one JSON document that names its schema, such as `ragseam.search.v1`.

    Whole numbers have no point, since not every language tells 1.0 from 1.
    """
    encoded = msgspec.json.encode({"schema": f"ragseam.{schema}.v1", **document})
    plain = msgspec.json.Decoder(float_hook=_number).decode(encoded)
    click.echo(msgspec.json.format(msgspec.json.encode(plain), indent=2))


def _number(digits: str) -> float | int:
    value = float(digits)
    return int(value) if value.is_integer() else value


def print_error(message: str) -> None:
    """Print an error to standard error."""
    click.echo(f"error: {message}", err=True)


def print_index(summary: IndexSummary, *, json: bool) -> None:
    """Print what an index run did, and why sources were skipped."""
    if json:
        print_json("index", msgspec.to_builtins(summary))
        return
    click.echo(
        f"{summary.seen} seen = {summary.indexed} indexed + {summary.unchanged} unchanged"
        f" + {sum(summary.skipped.values())} skipped; {summary.removed} removed"
    )
    if summary.indexed:
        click.echo(
            f"{summary.chunks} chunks written; {summary.embedded} texts embedded,"
            f" {summary.reused} known from before"
        )
    if summary.oversized:
        click.echo(f"{summary.oversized} texts were longer than the model takes, and were split")
    for skipped in summary.reasons:
        detail = f" ({skipped.detail})" if skipped.detail else ""
        click.echo(clean(f"  skipped {skipped.source}: {skipped.reason}{detail}"))


def print_interrupted(summary: IndexSummary) -> None:
    """Say what a run that stopped early leaves behind, and how to go on."""
    click.echo(
        f"stopped: {summary.seen} sources seen, none indexed; the index is as it was before.\n"
        f"  {summary.embedded} texts were embedded and are kept. Run the same command to go on.",
        err=True,
    )


def print_search(found: RerankedPassages, explanation: Explanation | None, *, json: bool) -> None:
    """Print passages, best first; with an explanation, how each came to its place."""
    if json:
        print_json("search", _search_fields(found, explanation))
        return
    for rank, passage in enumerate(found.passages, start=1):
        chunk = passage.chunk
        place = clean(" › ".join((chunk.document_id, *chunk.heading_path)))
        click.echo(f"{click.style(f'{rank}. {place}', bold=True)}  {passage.score:.3f}  {chunk.id}")
        click.echo(f"   {snippet(chunk.text)}")
    if not found.passages:
        click.echo("nothing found")
    if found.status.startswith("degraded"):
        click.echo(f"warning: rerank {found.status}; this is the fused order", err=True)


def print_reply(reply: Answer | Refusal, passages: RerankedPassages, *, json: bool) -> None:
    """Print an answer with its citations, or the reason of a refusal."""
    numbered = {
        passage.chunk.id: (number, passage)
        for number, passage in enumerate(passages.passages, start=1)
    }
    if json:
        print_json("ask", _reply_fields(reply, {id: each for id, (_, each) in numbered.items()}))
        return
    if isinstance(reply, Refusal):
        detail = f": {clean(reply.detail)}" if reply.detail else ""
        click.echo(f"No answer ({reply.reason}){detail}")
        return
    click.echo(clean(reply.text))
    for citation in reply.citations:
        number, passage = numbered[citation.chunk_id]
        click.echo(f"  [{number}] {clean(passage.chunk.document_id)}: “{snippet(citation.quote)}”")


def passage_fields(passage: Passage) -> dict[str, object]:
    """A passage as JSON: the chunk with its span, and its rank and score in each leg."""
    chunk = passage.chunk
    return {
        "chunk_id": chunk.id,
        "document_id": chunk.document_id,
        "start": chunk.start,
        "end": chunk.end,
        "heading_path": chunk.heading_path,
        "text": chunk.text,
        "score": passage.score,
        "similarity": passage.similarity,
        "placings": {leg: msgspec.to_builtins(at) for leg, at in passage.placings.items()},
    }


def _reply_fields(reply: Answer | Refusal, by_id: Mapping[str, Passage]) -> dict[str, object]:
    usage = msgspec.to_builtins(reply.usage)
    if isinstance(reply, Refusal):
        return {"refused": True, "reason": reply.reason, "detail": reply.detail, "usage": usage}
    citations = [
        {**msgspec.to_builtins(citation), "document_id": by_id[citation.chunk_id].chunk.document_id}
        for citation in reply.citations
    ]
    return {"refused": False, "answer": reply.text, "citations": citations, "usage": usage}


def _search_fields(found: RerankedPassages, explanation: Explanation | None) -> dict[str, object]:
    rows = [passage_fields(passage) for passage in found.passages]
    query = found.query.encode("utf-8", "replace").decode()  # JSON holds no lone surrogate
    fields: dict[str, object] = {"query": query, "rerank": found.status, "passages": rows}
    if explanation:
        for row, matched in zip(rows, explanation.matched, strict=True):
            row["matched_terms"] = matched
        fields["terms"] = explanation.terms
        fields["fusion"] = msgspec.to_builtins(explanation.plan)
    return fields
