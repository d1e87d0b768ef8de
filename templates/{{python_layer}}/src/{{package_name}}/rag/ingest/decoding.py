"""Bytes -> text, by a strict ladder: byte order mark, UTF-8, then only what is configured."""

import codecs

from ..errors import IngestError

MARKS = (  # that of UTF-32 starts with that of UTF-16
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
SIGNATURES = (
    b"\x89PNG\r\n\x1a\n",
    b"\xff\xd8\xff",
    b"GIF87a",
    b"GIF89a",
    b"%PDF-",
    b"PK\x03\x04",
    b"PK\x05\x06",
    b"\x1f\x8b",
    b"BZh",
    b"\xfd7zXZ\x00",
    b"7z\xbc\xaf\x27\x1c",
    b"Rar!\x1a\x07",
    b"(\xb5/\xfd",
    b"\x7fELF",
    b"\xca\xfe\xba\xbe",
    b"\xcf\xfa\xed\xfe",
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    b"SQLite format 3\x00",
    b"\x00asm",
    b"OggS",
    b"ID3",
    b"fLaC",
    b"wOFF",
    b"wOF2",
    b"{\\rtf",
)
CONTROLS = bytes(set(range(0x20)) - set(b"\b\t\n\v\f\r\x1b") | {0x7F})
SAMPLE_CHARS = 8192
MOST_CONTROLS = 0.1


class UnusableError(Exception):
    """The bytes are no text; `reason` is `binary` or `undecodable`."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(reason, detail)
        self.reason = reason
        self.detail = detail


def decode(raw: bytes, *, fallback: str = "") -> str:
    """Decode to valid Unicode without its byte order mark, every line end a line feed.

    Line ends are changed here and nowhere else: offsets count the text that this returns.

    Raises:
        UnusableError: a binary file, or none of the encodings fits.
        IngestError: `fallback` names no text encoding.
    """
    if fallback:
        _check(fallback)
    for mark, encoding in MARKS:
        if raw.startswith(mark):
            marked = _attempt(raw[len(mark) :], encoding)
            return _text(raw, marked, f"not {encoding.upper()}, as its byte order mark says")
    if raw.startswith(SIGNATURES):
        raise UnusableError("binary", "it starts as a binary format does")
    text = _attempt(raw, "utf-8")
    if fallback and (text is None or "\0" in text):
        text = _attempt(raw, fallback)
        return _text(raw, text, f"neither UTF-8 nor {fallback}")
    return _text(raw, text, "not UTF-8, and no fallback encoding is set")


def normalise(text: str) -> str:
    """Make every line end a single line feed."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _text(raw: bytes, text: str | None, fault: str) -> str:
    if text is None:
        if b"\0" in raw and not raw.startswith(tuple(mark for mark, _ in MARKS)):
            raise UnusableError("binary", "it holds NUL bytes")
        raise UnusableError("undecodable", fault)
    if "\0" in text:
        raise UnusableError("binary", "it holds NUL characters")
    sample = text[:SAMPLE_CHARS].encode()
    controls = len(sample) - len(sample.translate(None, CONTROLS))
    if controls > min(len(text), SAMPLE_CHARS) * MOST_CONTROLS:
        raise UnusableError("binary", "it holds control characters")
    return normalise(text)


def _attempt(raw: bytes, encoding: str) -> str | None:
    """The text, or None where the bytes or a lone surrogate among them do not fit."""
    try:
        text = raw.decode(encoding)
        text.encode("utf-8")
    except UnicodeError:
        return None
    return text


def _check(encoding: str) -> None:
    try:
        b" ".decode(encoding)
    except UnicodeError:
        return
    except (LookupError, ValueError) as error:
        raise IngestError(
            f"fallback_encoding: {encoding!r} is no text encoding",
            fix="Name one that Python knows, such as windows-1252.",
        ) from error
