"""Checksums, digests, and every row that an index holds after two runs."""

import base64
import hashlib
import json
import random
import sqlite3
import tempfile
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
from acme_search.rag.contracts import Chunk, ChunkId, Document, DocumentId
from acme_search.rag.store import Manifest, open_writer
from acme_search.rag.store.checksums import (
    blob_checksum,
    canonical,
    element,
    row_checksum,
)
from acme_search.rag.store.lengths import BLOCK

CONTROLS = "".join(map(chr, range(0x20))) + '"\\/\x7f\x80\u2028\u2029\ufeff\U0001f600'
FIELDS: list[list[object]] = [
    [],
    [0, -1, 2**53 - 1, "text"],
    [CONTROLS, None],
    ["Straße 水泵", ["heading", "\U0001f41d"], [[3, "gap"]]],
]
BLOBS = [b"", b"\0", bytes(range(256)), "水泵".encode()]
MANIFEST = Manifest({"analysis": "1", "embedder": '"h\U0001f41d"'}, b"\x00\x00\x80\x3f")
TABLES = ("manifest", "document", "chunk", "lengths", "vectors", "term", "posting")

FIRST: dict[str, list[str]] = {
    "a.md": ["pump valve pump", "tank \U0001f41d valve", "水泵 水泵"],
    "dir/ü.md": ["valve", "valve"],
    "c.md": ["steam " * 300, "gone"],
}
SECOND: dict[str, list[str]] = {"a.md": ["tank \U0001f41d valve", "new pump"], "e.md": ["steam"]}
REMOVED = ["c.md"]


def vectors() -> dict[str, object]:
    draw = random.Random(8)
    return {
        "canonical": [
            {"fields": fields, "json": canonical(*fields).decode(), "crc32": row_checksum(*fields)}
            for fields in FIELDS
        ],
        "blobs": [
            {"blob": _base64(blob), "place": place, "crc32": blob_checksum(blob, place)}
            for blob in BLOBS
            for place in ("lengths 7", "水泵 0")
        ],
        "elements": [
            {"parts": [_base64(part) for part in parts], "digest": f"{element(*parts):064x}"}
            for parts in ([], [b""], [b"a", b"bc"], [b"ab", b"c"], [draw.randbytes(300)])
        ],
        "runs": [{"put": FIRST, "removed": []}, {"put": SECOND, "removed": REMOVED}],
        "manifest": {"entries": dict(MANIFEST.entries), "probe": _base64(MANIFEST.probe or b"")},
        "tables": _tables(),
    }


def _tables() -> Mapping[str, object]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "index.sqlite"
        write(path, FIRST, [], 1000.5)
        write(path, SECOND, REMOVED, 2000.25)
        with closing(sqlite3.connect(path)) as connection:
            return {table: _rows(connection, table) for table in TABLES}


def write(path: Path, put: Mapping[str, list[str]], removed: list[str], now: float) -> None:
    """One run; a vector is what the text's digest holds, as signed bytes."""
    with open_writer(path, MANIFEST, analyze=str.split, clock=lambda: now) as writer:
        for name, texts in put.items():
            document, chunks = made(name, texts)
            digests = [hashlib.sha256(chunk.text.encode()).digest() for chunk in chunks]
            rows = np.array([list(digest[:6]) for digest in digests], dtype=np.float32)
            writer.put(document, chunks, rows - 127.5, source_digest=f"source of {name}")
        for name in removed:
            writer.remove(DocumentId(name))


def made(name: str, texts: list[str]) -> tuple[Document, list[Chunk]]:
    """A document that starts and ends with a gap; of a chunk's heading the last part counts up."""
    chunks: list[Chunk] = []
    text = "# \U0001f41d\n"
    for ordinal, part in enumerate(texts):
        digest = hashlib.sha256(part.encode()).hexdigest()
        id = hashlib.sha256(f"{name} {ordinal} {part}".encode()).hexdigest()[:16]
        chunks.append(
            Chunk(
                ChunkId(id), DocumentId(name), ordinal, len(text), len(text) + len(part), part,
                ("Top", f'"{ordinal}"'), digest, "| pre |" if ordinal else "",
            )
        )  # fmt: skip
        text += f"{part}\n\n"
    digest = hashlib.sha256(text.encode()).hexdigest()
    metadata = {"10": "ten", "2": "two", "\uffee": "x", "\U0001f41d": CONTROLS}
    return Document(DocumentId(name), text, digest, f"src/{name}", "Title", metadata), chunks


def _rows(connection: sqlite3.Connection, table: str) -> list[list[Any]]:
    order = "key" if table == "manifest" else "1, 2" if table == "posting" else "1"
    rows = connection.execute(f"SELECT * FROM {table} ORDER BY {order}").fetchall()
    return [_state(row) if row[0] == "state" else [_shown(value) for value in row] for row in rows]


def _state(row: tuple[Any, ...]) -> list[Any]:
    """The state as it is read: how its JSON is spaced does not matter."""
    return ["state", json.loads(row[1])]


def _shown(value: Any) -> Any:
    """Bytes in base 64; of lengths, which are zeros in the main, the digest."""
    if not isinstance(value, bytes):
        return value
    return hashlib.sha256(value).hexdigest() if len(value) == 4 * BLOCK else _base64(value)


def _base64(blob: bytes) -> str:
    return base64.b64encode(blob).decode()
