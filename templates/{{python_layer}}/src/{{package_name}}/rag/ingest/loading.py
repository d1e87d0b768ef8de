"""A source -> its document."""

from hashlib import sha256

from ..contracts import Document
from .decoding import NotText, decode, is_blank
from .formats import format_of
from .office import office_text
from .records import Skipped, Source
from .titles import title_of


def load_document(source: Source, *, fallback_encoding: str = "") -> Document | Skipped:
    """Read and decode one file; `fallback_encoding` is tried where it is not UTF-8.

    `metadata["format"]` says how the text is laid out: `markdown`, `rst`, `html` (turned
    into Markdown), `code` or `text`.

    Raises:
        IngestError: `fallback_encoding` is unknown.
    """
    try:
        data = source.path.read_bytes()
    except OSError as error:
        return Skipped(source.id, "unreadable", error.strerror or "")
    if sha256(data).hexdigest() != source.digest:
        return Skipped(source.id, "changed", "it changed while it was read; index again")
    try:
        text, kind = _text(data, source, fallback_encoding)
    except NotText as fault:
        return Skipped(source.id, fault.reason, fault.detail)
    if is_blank(text):
        return Skipped(source.id, "empty", "there is no text in it")
    return Document(
        id=source.id,
        text=text,
        digest=sha256(text.encode("utf-8")).hexdigest(),
        source=str(source.path),
        title=title_of(text, kind, source.path.name),
        metadata={"format": kind},
    )


def _text(data: bytes, source: Source, fallback_encoding: str) -> tuple[str, str]:
    kind = format_of(source.path.name)
    if kind == "office":
        return office_text(data, source.path.suffix.lower())
    text = decode(data, fallback_encoding=fallback_encoding)
    if kind == "html":
        from .html import html_text

        text = html_text(text)
    return text, kind
