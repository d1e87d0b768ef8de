"""Bytes -> text, by a strict ladder; nothing is guessed and nothing replaced."""

import codecs
import re

from ..errors import IngestError

# UTF-32 comes first, since its little-endian mark starts with that of UTF-16.
MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
SIGNATURES = (
    b"\x89PNG\r\n",
    b"\xff\xd8\xff",
    b"%PDF-",
    b"PK\x03\x04",
    b"\x1f\x8b",
    b"\x7fELF",
    b"\xfd7zXZ",
    b"7z\xbc\xaf\x27\x1c",
    b"\xd0\xcf\x11\xe0",
)
# Controls that no text holds: all but tab, line ends, form feed and escape.
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_INVISIBLE = re.compile(r"[\s\u200b-\u200f\u2060\ufeff]*+")


class NotText(Exception):
    """The bytes are no text; `reason` is that of the skipped file."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail


def decode(data: bytes, *, fallback_encoding: str = "") -> str:
    r"""Decode by the byte order mark, else as UTF-8, else as the named fallback.

    The mark is dropped. Line ends become `\n`, here and nowhere else, so that offsets into
    a document count the text that this returns.

    Raises:
        NotText: `binary` or `undecodable`.
        IngestError: the fallback is no text encoding.
    """
    for mark, encoding in MARKS:
        if data.startswith(mark):
            return _checked(_strict(data[len(mark) :], encoding))
    if b"\0" in data or data.startswith(SIGNATURES):
        raise NotText("binary", "it holds bytes that no text holds")
    try:
        return _checked(_strict(data, "utf-8"))
    except NotText as fault:
        if not fallback_encoding or fault.reason == "binary":
            raise
    text = _strict(data, fallback_encoding)
    if _CONTROLS.search(text):
        raise NotText("binary", f"it holds control characters when read as {fallback_encoding}")
    return _checked(text)


def is_blank(text: str) -> bool:
    """Whether there is nothing in `text` to see."""
    return _INVISIBLE.fullmatch(text) is not None


def _strict(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding, "strict")
    except LookupError as error:
        raise IngestError(
            f"the fallback encoding {encoding!r} is unknown",
            fix="Name one that Python knows, such as windows-1252 or latin-1.",
        ) from error
    except UnicodeError as error:
        raise NotText("undecodable", f"not valid {encoding}: {error}") from error


def _checked(text: str) -> str:
    if "\0" in text:
        raise NotText("binary", "it holds NUL characters")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise NotText("undecodable", f"it holds half of a surrogate pair: {error}") from error
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text
