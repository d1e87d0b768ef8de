"""What the commands print: text for people, and with --json one document each."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from .rag.config import allowed, env_name, reason
from .rag.contracts import Answer, Passage, Placing, Refusal

if TYPE_CHECKING:
    from .rag.config import Settings
    from .rag.contracts import RerankedPassages
    from .rag.indexing import IndexSummary

_SNIPPET_CHARS = 200
_CONTROL = dict.fromkeys((*range(9), *range(11, 32), *range(127, 160)))


def console() -> Console:
    """Standard output; where it is no terminal, wide enough for a table's lines."""
    return Console(width=None if sys.stdout.isatty() else 120, highlight=False)


def clean(text: str) -> str:
    """A document's text made safe to print: no control codes of a terminal, no markup."""
    return escape(text.translate(_CONTROL))


def snippet(text: str) -> str:
    """The beginning of a text on one line."""
    line = " ".join(text.split())
    return clean(line if len(line) <= _SNIPPET_CHARS else line[: _SNIPPET_CHARS - 1] + "…")


def print_json(schema: str, document: Mapping[str, object]) -> None:
    """Print one JSON document that names its schema, such as `ragseam.search.v1`."""
    encoded = msgspec.json.encode({"schema": f"ragseam.{schema}.v1", **document})
    sys.stdout.write(msgspec.json.format(encoded, indent=2).decode() + "\n")


def print_error(message: str) -> None:
    """Print an error to standard error."""
    sys.stderr.write(f"error: {message}\n")


def print_index(summary: IndexSummary, *, json: bool) -> None:
    """Print what an index run did, and why sources were skipped."""
    if json:
        print_json("index", msgspec.to_builtins(summary))
        return
    out = console()
    out.print(
        f"{summary.seen} seen = {summary.indexed} indexed + {summary.unchanged} unchanged"
        f" + {sum(summary.skipped.values())} skipped; {summary.removed} removed"
    )
    if summary.indexed:
        out.print(f"{summary.chunks} chunks written, {summary.embedded} texts embedded")
    if summary.oversized:
        out.print(f"{summary.oversized} texts were longer than the model takes, and were split")
    for skipped in summary.reasons:
        detail = f" ({skipped.detail})" if skipped.detail else ""
        out.print(f"  skipped {clean(skipped.source)}: {skipped.reason}{clean(detail)}")


def print_interrupted(summary: IndexSummary) -> None:
    """Say what a run that stopped early leaves behind, and how to go on."""
    sys.stderr.write(
        f"stopped: {summary.seen} sources seen, 0 indexed; the index is as it was before.\n"
        f"  {summary.embedded} texts were embedded and are kept. Run the same command to go on.\n"
    )


def print_search(
    found: RerankedPassages, terms: Sequence[Sequence[str]], *, explain: bool, json: bool
) -> None:
    """Print passages, best first; with `explain`, how each came to its place."""
    if json:
        rows = [
            {**passage_fields(passage), **({"matched_terms": matched} if explain else {})}
            for passage, matched in zip(found.passages, terms, strict=True)
        ]
        fields = {"query": found.query, "rerank_status": found.status, "passages": rows}
        print_json("search", fields)
        return
    out = console()
    if not found.passages:
        out.print("nothing found")
    for rank, passage in enumerate(found.passages, start=1):
        out.print(f"[bold]{rank}. {clean(place(passage))}[/bold]  {passage.score:.3f}")
        out.print(f"   {snippet(passage.chunk.text)}")
    if explain and found.passages:
        out.print(_explanation(found.passages, terms))
    if found.status.startswith("degraded"):
        sys.stderr.write(f"warning: rerank {found.status}\n")


def print_reply(reply: Answer | Refusal, passages: RerankedPassages, *, json: bool) -> None:
    """Print an answer with its citations, or the reason of a refusal."""
    by_id = {passage.chunk.id: passage for passage in passages.passages}
    if json:
        print_json("ask", _reply_fields(reply, by_id))
        return
    out = console()
    if isinstance(reply, Refusal):
        detail = f": {clean(reply.detail)}" if reply.detail else ""
        out.print(f"No answer ({reply.reason}){detail}")
        return
    out.print(clean(reply.text))
    for number, citation in enumerate(reply.citations, start=1):
        out.print(f"  [{number}] {clean(place(by_id[citation.chunk_id]))}", markup=False)
        out.print(f"      “{snippet(citation.quote)}”")


def place(passage: Passage) -> str:
    """Where a passage stands: its document, then its headings."""
    return " › ".join((passage.chunk.document_id, *passage.chunk.heading_path))


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


def _explanation(passages: Sequence[Passage], terms: Sequence[Sequence[str]]) -> Table:
    table = Table("#", "document", *_LEGS, "matched terms", title="rank and score by leg")
    for rank, (passage, matched) in enumerate(zip(passages, terms, strict=True), start=1):
        placings = (_placing(passage.placings.get(leg)) for leg in _LEGS)
        table.add_row(
            str(rank), clean(passage.chunk.document_id), *placings, clean(" ".join(matched))
        )
    return table


_LEGS = ("dense", "keyword", "fused", "rerank")


def _placing(placing: Placing | None) -> str:
    return f"{placing.rank}  {placing.score:.3f}" if placing else "–"


def print_settings(settings: Settings, *, json: bool) -> None:
    """Print every setting; secrets are shown as set or not set."""
    values = {
        name: bool(value) if name.endswith("_api_key") else value
        for name, value in msgspec.structs.asdict(settings).items()
    }
    if json:
        print_json("config", {"settings": values})
        return
    table = Table("variable", "value", "allowed", "what for", box=None, pad_edge=False)
    for name, value in values.items():
        shown = ("set" if value else "not set") if name.endswith("_api_key") else str(value)
        table.add_row(env_name(name), clean(shown), allowed(name), clean(reason(name)))
    console().print(table)
