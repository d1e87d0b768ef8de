"""BEIR collection -> documents.

Source: Thakur et al., BEIR, NeurIPS Datasets and Benchmarks 2021.
"""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Annotated

import msgspec

from ..contracts import Document, DocumentId
from ..errors import IngestError
from .decoding import normalise

FILE_NAME = "corpus.jsonl"


class _Entry(msgspec.Struct, frozen=True, rename={"id": "_id"}):
    id: Annotated[str, msgspec.Meta(min_length=1)]
    text: str
    title: str = ""


def load_collection(folder: Path) -> Iterator[Document]:
    """Read `corpus.jsonl` in its order; a document with a title alone has that as its text.

    A document with neither is there too, since it may be judged; it gives no chunks.

    Raises:
        IngestError: the file can't be read, a line is not a document, or an id comes twice;
            the message names file and line.
    """
    path = folder / FILE_NAME
    decoder = msgspec.json.Decoder(_Entry)
    lines: dict[str, int] = {}
    for number, line in _read_lines(path):
        try:
            entry = decoder.decode(line)
        except (msgspec.DecodeError, UnicodeError) as error:
            raise _fault(path, number, str(error)) from error
        if entry.id in lines:
            raise _fault(path, number, f"id {entry.id!r} is that of line {lines[entry.id]} too")
        lines[entry.id] = number
        yield _document(entry)


def _document(entry: _Entry) -> Document:
    title, text = normalise(entry.title), normalise(entry.text)
    if not text.strip():
        title, text = "", title
    digest = sha256(text.encode("utf-8")).hexdigest()
    return Document(
        DocumentId(entry.id), text, digest, FILE_NAME, title.strip(), {"format": "text"}
    )


def _read_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Lines that are not blank, numbered from 1."""
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                line = line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line
                if line.strip():
                    yield number, line
    except OSError as error:
        raise IngestError(
            f"{path} can't be read: {error.strerror}",
            fix="Give a folder in BEIR's layout, with corpus.jsonl in it.",
        ) from error


def _fault(path: Path, number: int, what: str) -> IngestError:
    return IngestError(f"{path}:{number}: {what}", fix="Mend the line, or remove it.")
