"""Recounts both indexes from the chunks, in one read transaction and little memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path

from ..errors import IndexMissingError, StoreError
from .contents import Contents
from .faults import translated
from .manifest import DIGEST_MODULUS, read_identity
from .recount import Analyze, Progress, recounted
from .rows import DOCUMENT_QUERY, assemble, document_element, document_from_row
from .session import Session
from .view import View

Check = Callable[[], Iterator[str]]


def verify_index(
    path: Path,
    *,
    analyze: Analyze,
    progress: Progress = lambda done, total: None,
) -> list[str]:
    """Findings as sentences; none when the index is what its chunks say it should be.

    `analyze` must be the one that the index was built with. `progress` is called with the
    chunks recounted and all there are.

    Raises:
        IndexMissingError: there is no index.
    """
    session = Session(path, None)
    findings: list[str] = []
    try:
        with session.view() as view:
            checks: tuple[Check, ...] = (
                lambda: _file(view),
                lambda: _identity(view),
                lambda: _documents(view),
                lambda: recounted(view, analyze, progress),
                lambda: _frequencies(view),
            )
            for check in checks:
                _collect(path, check, findings)
    except IndexMissingError:
        raise
    except StoreError as error:
        findings.append(error.what)
    finally:
        session.close()
    return findings


def _collect(path: Path, check: Check, findings: list[str]) -> None:
    """Add what a check finds; an error that ends it is a finding too."""
    try:
        with translated(path):
            findings.extend(check())
    except StoreError as error:
        findings.append(error.what)


def _file(view: View) -> Iterator[str]:
    for (message,) in view.connection.execute("PRAGMA integrity_check(20)"):
        if message != "ok":
            yield f"SQLite finds: {message}"
    for table, row, *_ in view.connection.execute("PRAGMA foreign_key_check"):
        yield f"row {row} of table {table} refers to a row that is not there"


def _identity(view: View) -> Iterator[str]:
    if not read_identity(view.connection, view.path).entries:
        yield "the manifest is empty"


def _documents(view: View) -> Iterator[str]:
    """Each document's text, put together from its chunks, has the document's digest."""
    contents = Contents(view.connection, view.path)
    count = digest = 0
    for row in view.connection.execute(DOCUMENT_QUERY):
        entry = document_from_row(row, view.path)
        chunks = [chunk for _, chunk in contents.chunks(entry.number).values()]
        if sorted(chunk.ordinal for chunk in chunks) != list(range(len(chunks))):
            yield f"document {entry.id!r}: a chunk is missing, or is there twice"
        if sha256(assemble(chunks, entry.gaps).encode()).hexdigest() != entry.digest:
            yield f"document {entry.id!r}: its text does not have its digest"
        count += 1
        digest += document_element(entry.id, entry.digest)
    if count != view.state.documents:
        yield f"there are {count} documents, and the index was left with {view.state.documents}"
    if digest % DIGEST_MODULUS != view.state.corpus_digest:
        yield "the documents do not have the corpus digest"


def _frequencies(view: View) -> Iterator[str]:
    """Terms and their postings tell of each other."""
    counted = "(SELECT term, sum(length(postings)) / 3 AS n FROM posting GROUP BY term)"
    for (term,) in view.connection.execute(
        f"SELECT text FROM term LEFT JOIN {counted} ON term = text "
        "WHERE n IS NOT frequency LIMIT 20"
    ):
        yield f"term {term!r}: its frequency is not the number of its postings"
    for (term,) in view.connection.execute(
        "SELECT DISTINCT term FROM posting LEFT JOIN term ON text = posting.term "
        "WHERE text IS NULL LIMIT 20"
    ):
        yield f"term {term!r}: it has postings, and is not among the terms"
