"""PDF, Office and EPUB files -> text, by the optional dependency `markitdown`."""

from io import BytesIO

from .decoding import NotText

INSTALL = "uv sync --extra documents"


def office_text(data: bytes, suffix: str) -> tuple[str, str]:
    """Return the text and its format: `text` for a PDF, `markdown` for the others.

    Raises:
        NotText: `empty`, `needs_extra`, `unreadable`, or `no_text_layer`.
    """
    if not data.strip(b"\0 \t\r\n"):
        raise NotText("empty", "there is nothing in it")
    is_pdf = suffix == ".pdf"
    if not (b"%PDF-" in data[:1024] if is_pdf else data.startswith(b"PK\x03\x04")):
        raise NotText("unreadable", f"its content is not that of a {suffix} file")
    text = _convert(data, suffix).replace("\r\n", "\n").replace("\r", "\n")
    text = text.replace("\f", "\n\n").replace("\0", "").encode("utf-8", "replace").decode()
    if is_pdf and not text.strip():
        raise NotText("no_text_layer", "its pages are images; run it through OCR first")
    return text, "text" if is_pdf else "markdown"


def _convert(data: bytes, suffix: str) -> str:
    try:
        import markitdown
        from markitdown import converters
    except ImportError as error:
        raise NotText("needs_extra", INSTALL) from error
    # The converter is chosen by name, since by content damaged files count as plain text.
    by_suffix = {
        ".pdf": converters.PdfConverter,
        ".docx": converters.DocxConverter,
        ".pptx": converters.PptxConverter,
        ".xlsx": converters.XlsxConverter,
        ".epub": converters.EpubConverter,
    }
    converter, info = by_suffix[suffix](), markitdown.StreamInfo(extension=suffix)
    try:
        return str(converter.convert(BytesIO(data), info).markdown)
    except markitdown.MissingDependencyException as error:
        raise NotText("needs_extra", INSTALL) from error
    except Exception as error:
        raise NotText("unreadable", f"{type(error).__name__}: {error}"[:200]) from error
