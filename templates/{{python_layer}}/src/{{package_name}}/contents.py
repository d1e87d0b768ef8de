"""Prints what the index holds: chunks, documents, neighbours, drift, findings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click
import msgspec

from .rag.config import allowed, env_name, reason
from .views import clean, new_table, print_json, print_table, snippet

if TYPE_CHECKING:
    from .rag.config import Settings
    from .rag.contracts import Chunk, Document, DocumentId, Hit
    from .rag.store import IndexStats


def print_chunk(chunk: Chunk, document: Document, *, json: bool) -> None:
    """Print a chunk as it stands in its document."""
    if json:
        print_json("chunk", {**asdict(chunk), "lines": lines_of(chunk, document)})
        return
    click.echo(f"chunk     {chunk.id}, number {chunk.ordinal} of {clean(chunk.document_id)}")
    click.echo(f"headings  {clean(' › '.join(chunk.heading_path)) or '–'}")
    first, last = lines_of(chunk, document)
    click.echo(f"span      characters {chunk.start}–{chunk.end}, lines {first}–{last}")
    if chunk.preamble:
        click.echo(f"preamble  {clean(chunk.preamble)}")
    click.echo()
    click.echo(clean(chunk.text))


def print_document(document: Document, chunks: Sequence[Chunk], *, json: bool) -> None:
    """Print a document's record and where its chunks are."""
    if json:
        fields = {key: value for key, value in asdict(document).items() if key != "text"}
        rows = [{**asdict(chunk), "lines": lines_of(chunk, document)} for chunk in chunks]
        print_json("document", {**fields, "characters": len(document.text), "chunks": rows})
        return
    click.echo(f"document  {clean(document.id)}")
    click.echo(f"title     {clean(document.title) or '–'}")
    click.echo(f"text      {len(document.text)} characters, SHA-256 {document.digest}")
    table = new_table("#", "chunk", "lines", "characters", "text")
    for chunk in chunks:
        first, last = lines_of(chunk, document)
        span = f"{chunk.start}–{chunk.end}"
        table.add_row(str(chunk.ordinal), chunk.id, f"{first}–{last}", span, snippet(chunk.text))
    print_table(table)


def print_neighbours(hits: Sequence[Hit], chunks: Sequence[Chunk], *, json: bool) -> None:
    """Print the nearest chunks, nearest first."""
    if json:
        rows = [
            {"similarity": hit.score, **asdict(chunk)}
            for hit, chunk in zip(hits, chunks, strict=True)
        ]
        print_json("neighbours", {"neighbours": rows})
        return
    table = new_table("similarity", "chunk", "document", "text")
    for hit, chunk in zip(hits, chunks, strict=True):
        place = clean(chunk.document_id)
        table.add_row(f"{hit.score:.3f}", chunk.id, place, snippet(chunk.text))
    print_table(table)


def print_status(
    stats: IndexStats, changes: Mapping[str, Sequence[DocumentId]], *, json: bool
) -> None:
    """Print the size of the index, and the sources that it is behind of."""
    if json:
        print_json("status", {"index": asdict(stats), "sources": dict(changes)})
        return
    written = datetime.fromtimestamp(stats.updated, tz=UTC)
    click.echo(
        f"{stats.documents} documents, {stats.chunks} chunks, {stats.terms} terms,"
        f" {stats.dimensions} dimensions, {stats.size_bytes / 1e6:.1f} MB"
    )
    click.echo(f"written {written:%Y-%m-%d %H:%M:%S} UTC, corpus {stats.corpus_digest[:16]}")
    if not any(changes.values()):
        click.echo("up to date with its sources")
        return
    for kind, documents in changes.items():
        for document_id in documents:
            click.echo(f"  {kind:8} {clean(document_id)}")
    click.echo("Run `index` to bring it up to date.")


def print_findings(findings: Sequence[str], *, json: bool) -> None:
    """Print what a verification found."""
    if json:
        print_json("verify", {"findings": list(findings)})
        return
    for finding in findings:
        click.echo(f"  {clean(finding)}")
    click.echo(
        f"{len(findings)} findings. Run `index --rebuild` to mend the index."
        if findings
        else "the index is sound: both indexes agree with the chunks"
    )


def lines_of(chunk: Chunk, document: Document) -> tuple[int, int]:
    """First and last line of a chunk in its document's text, counted from 1."""
    first = document.text.count("\n", 0, chunk.start) + 1
    return first, first + chunk.text.rstrip("\n").count("\n")


def print_settings(settings: Settings, *, json: bool) -> None:
    """Print every setting; keys are shown as set or not set."""
    values = {
        name: bool(value) if name.endswith("_api_key") else value
        for name, value in msgspec.structs.asdict(settings).items()
    }
    if json:
        print_json("config", {"settings": values})
        return
    table = new_table("variable", "value", "allowed", "what for")
    for name, value in values.items():
        shown = ("set" if value else "not set") if name.endswith("_api_key") else str(value)
        table.add_row(env_name(name), clean(shown), allowed(name), reason(name))
    print_table(table)
