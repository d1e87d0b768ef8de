"""Bytes as text: the ladder of encodings, line ends, and what is refused with which reason."""

import base64
import hashlib

from acme_search.rag.ingest.decoding import UnusableError, decode

NAMED = [
    *("ascii", "latin-1", "koi8-r"),
    *(f"iso-8859-{part}" for part in (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16)),
    *(f"cp{page}" for page in (1250, 1251, 1252, 1253, 1254, 1256, 1257, 1258)),
    *(f"cp{page}" for page in (437, 775, 850, 852, 855, 857, 858, 860, 861, 862, 863, 864, 865)),
    *(f"cp{page}" for page in (866, 869, 1125)),
]
ALIASES = ["windows-1252", "ISO-8859-1", "latin1", "iso8859_15", "us-ascii", "IBM437", "KOI8_R"]
RAW: dict[str, bytes] = {
    "plain": b"a\r\nb\rc\n\r\n\rd",
    "utf-8": "naïve 水泵 👩‍👩‍👧 e\u0301\u2028\x0b\x0c\x85".encode(),
    "mark of utf-8": b"\xef\xbb\xbf\xef\xbb\xbfa",
    "mark of utf-8 before bad bytes": b"\xef\xbb\xbf\xff",
    "utf-16-le": b"\xff\xfe" + "水\r\n😀".encode("utf-16-le"),
    "utf-16-be": b"\xfe\xff" + "水\r\n😀".encode("utf-16-be"),
    "utf-32-le": b"\xff\xfe\0\0" + "水\r\n😀".encode("utf-32-le"),
    "utf-32-be": b"\0\0\xfe\xff" + "水\r\n😀".encode("utf-32-be"),
    "utf-16 of odd length": b"\xff\xfea\0b",
    "utf-16 with a lone surrogate": b"\xff\xfe\x00\xd8a\0",
    "utf-32 of no character": b"\xff\xfe\0\0" + b"\xff\xff\xff\xff",
    "utf-32 with a surrogate": b"\xff\xfe\0\0" + b"\x00\xd8\0\0",
    "utf-32 of odd length": b"\xff\xfe\0\0" + b"a\0\0",
    "surrogate in utf-8": b"a\xed\xa0\x80",
    "overlong": b"a\xc0\xaf",
    "latin": "café €".encode("cp1252"),
    "no character of cp1252": b"caf\x81",
    "zero": b"a\0b",
    "zero in bad utf-8": b"a\0b\xff",
    "png": b"\x89PNG\r\n\x1a\nrest",
    "pdf": b"%PDF-1.7",
    "zip": b"PK\x03\x04..",
    "rtf": b"{\\rtf1}",
    "controls": b"abc\x01\x02\x03",
    "few controls": b"a line of text with one \x07 bell in it, as a terminal writes it",
    "escapes": b"\x1b[31mred\x1b[0m",
    "empty": b"",
}


def vectors() -> dict[str, object]:
    fallbacks = ("", "windows-1252", "latin-1")
    return {
        "texts": [
            {"name": name, "fallback": fallback, "raw": _in_base_64(raw), **_decoded(raw, fallback)}
            for name, raw in RAW.items()
            for fallback in fallbacks
        ],
        "upperHalves": {name: _upper_half(name) for name in [*NAMED, *ALIASES]},
    }


def _decoded(raw: bytes, fallback: str) -> dict[str, str]:
    try:
        text = decode(raw, fallback=fallback)
    except UnusableError as error:
        return {"reason": error.reason, "detail": error.detail}
    return {"text": text, "digest": hashlib.sha256(text.encode()).hexdigest()}


def _upper_half(encoding: str) -> list[str | None]:
    """What each byte from 128 stands for, with an `a` before it."""
    found: list[str | None] = []
    for byte in range(128, 256):
        try:
            found.append(bytes([97, byte]).decode(encoding)[1:])
        except UnicodeError:
            found.append(None)
    return found


def _in_base_64(raw: bytes) -> str:
    return base64.b64encode(raw).decode()
