"""Checksums that travel with every stored row, and digests that name a content.

A checksum covers a row and its place, so that two intact rows that changed places are
found too. A digest is a sum over elements modulo 2^256: it follows an edit without a scan, and
does not depend on the order of edits.
"""

import hashlib
import re
import zlib

import msgspec

DIGEST_MODULUS = 1 << 256

_SURROGATE = re.compile("[\ud800-\udfff]")
_ENCODER = msgspec.json.Encoder()


def is_text(value: str) -> bool:
    """Whether UTF-8 can hold it; a lone surrogate is in no document."""
    return value.isascii() or not _SURROGATE.search(value)


def canonical(*fields: object) -> bytes:
    """Fields as one compact JSON array in UTF-8.

    Raises:
        UnicodeEncodeError: text that UTF-8 cannot hold.
    """
    return _ENCODER.encode(fields)


def row_checksum(*fields: object) -> int:
    """CRC-32 of the canonical fields."""
    return zlib.crc32(canonical(*fields))


def blob_checksum(blob: bytes, place: str) -> int:
    """CRC-32 of a blob at its place, such as `lengths 7`."""
    return zlib.crc32(blob, zlib.crc32(place.encode()))


def row_is_intact(checksum: object, *fields: object) -> bool:
    """Whether the row still has the checksum it was written with; never raises."""
    try:
        return row_checksum(*fields) == checksum
    except (TypeError, ValueError):
        return False


def blob_is_intact(checksum: object, blob: object, place: str) -> bool:
    """Whether the blob still has the checksum it was written with; never raises."""
    return isinstance(blob, bytes) and blob_checksum(blob, place) == checksum


def element(*parts: bytes) -> int:
    """One addend of a digest: SHA-256 over the parts, each preceded by its length."""
    sha = hashlib.sha256()
    for part in parts:
        sha.update(len(part).to_bytes(8, "big"))
        sha.update(part)
    return int.from_bytes(sha.digest(), "big")
