"""PDF, Office and EPUB files -> text, by the optional dependency `markitdown`."""

import logging
import warnings
from collections.abc import Generator
from contextlib import contextmanager
from io import BytesIO
from typing import Any, cast

from .decoding import UnusableError, normalise

ZIP, OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
SIGNATURES = {
    ".pdf": b"%PDF-",
    ".docx": ZIP,
    ".pptx": ZIP,
    ".xlsx": ZIP,
    ".xls": OLE,
    ".epub": ZIP,
}
INSTALL = "uv sync --extra documents"


def office_text(raw: bytes, suffix: str) -> str:
    """Plain text of a PDF, Markdown of the others.

    Raises:
        UnusableError: `empty`, `needs_extra`, `unreadable` or `no_text_layer`.
    """
    if not raw.strip(b"\0 \t\r\n"):
        raise UnusableError("empty", "there is nothing in it")
    if SIGNATURES[suffix] not in raw[:1024]:
        raise UnusableError("unreadable", f"its content is not that of a {suffix} file")
    text = normalise(_convert(raw, suffix)).replace("\f", "\n\n").replace("\0", "")
    if suffix == ".pdf" and not text.strip():
        raise UnusableError("no_text_layer", "its pages are pictures; run OCR on it first")
    return text.encode("utf-8", "replace").decode("utf-8")


def _convert(raw: bytes, suffix: str) -> str:
    try:
        import markitdown  # pyright: ignore
        import markitdown.converters  # pyright: ignore
    except ImportError as error:
        raise UnusableError("needs_extra", f"install it: {INSTALL}") from error
    library = cast("Any", markitdown)
    converters = library.converters
    # Chosen by suffix: by content, damaged files would count as plain text.
    by_suffix = {
        ".pdf": converters.PdfConverter,
        ".docx": converters.DocxConverter,
        ".pptx": converters.PptxConverter,
        ".xlsx": converters.XlsxConverter,
        ".xls": converters.XlsConverter,
        ".epub": converters.EpubConverter,
    }
    info = library.StreamInfo(extension=suffix)
    try:
        with _quiet():
            return str(by_suffix[suffix]().convert(BytesIO(raw), info).markdown)
    except library.MissingDependencyException as error:
        raise UnusableError("needs_extra", f"install it: {INSTALL}") from error
    except Exception as error:  # its converters raise whatever their parsers do
        fault = " ".join(f"{type(error).__name__}: {error}".split())
        raise UnusableError("unreadable", fault[:200]) from error


@contextmanager
def _quiet() -> Generator[None]:
    """Keep the parsers' warnings off standard error: what matters is in the reason."""
    parser = logging.getLogger("pdfminer")
    before = parser.level
    parser.setLevel(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        parser.setLevel(before)
