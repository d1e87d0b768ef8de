"""Source -> document: decoded, normalised, titled, and told apart by format."""

import re
from hashlib import sha256
from pathlib import PurePosixPath

from ..contracts import Document
from .decoding import UnusableError, decode
from .files import read_file
from .office import SIGNATURES, office_text
from .records import Skipped, Source
from .titles import markdown_title, rst_title

INGEST_VERSION = 1
"""Raised whenever the same bytes would give another text."""

FORMATS = {
    "markdown": ".md .markdown .mdown .mkd .mdx .qmd .rmd",
    "rst": ".rst .rest",
    "html": ".html .htm .xhtml",
    "text": ".txt .text .log .adoc .asciidoc .org .tex .srt .vtt",
}
FORMAT_OF = {suffix: name for name, listed in FORMATS.items() for suffix in listed.split()}
VISIBLE = re.compile(r"[^\s\x00-\x1f\x7f-\x9f\xad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")


def load_document(source: Source, *, fallback_encoding: str = "") -> Document | Skipped:
    """Read a source; `metadata["format"]` is `markdown`, `html`, `rst`, `text` or `code`.

    HTML and Office files become Markdown, a PDF plain text; the others stay as they are, but
    for the byte order mark and line ends. A file with another suffix is code, and one without
    is text. `fallback_encoding` is tried on what is neither marked nor UTF-8.

    Raises:
        IngestError: `fallback_encoding` names no text encoding.
    """
    suffix = PurePosixPath(source.id).suffix.lower()
    try:
        raw = read_file(source.path)
        text, title, name = _read(raw, suffix, fallback_encoding)
    except OSError as error:
        return Skipped(source.id, "unreadable", error.strerror or str(error))
    except UnusableError as error:
        return Skipped(source.id, error.reason, error.detail)
    if not VISIBLE.search(text):
        return Skipped(source.id, "empty", "nothing in it can be seen")
    digest = sha256(text.encode("utf-8")).hexdigest()
    title = title or PurePosixPath(source.id).stem
    return Document(source.id, text, digest, source.id, title, {"format": name})


def _read(raw: bytes, suffix: str, fallback: str) -> tuple[str, str, str]:
    """Text, title and format."""
    if suffix in SIGNATURES:
        text = office_text(raw, suffix)
        return (text, "", "text") if suffix == ".pdf" else (text, markdown_title(text), "markdown")
    text = decode(raw, fallback=fallback)
    name = FORMAT_OF.get(suffix, "code") if suffix else "text"
    match name:
        case "html":
            from .html import html_text

            return (*html_text(text), name)
        case "markdown":
            return text, markdown_title(text), name
        case "rst":
            return text, rst_title(text), name
        case _:
            return text, "", name
