"""BEIR collections: documents in `corpus.jsonl`, one JSON object a line.

Source: Thakur et al., BEIR, NeurIPS Datasets and Benchmarks 2021.
"""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import msgspec

from ..contracts import Document, DocumentId
from ..errors import IngestError


class _Line(msgspec.Struct):
    id: str = msgspec.field(name="_id")
    text: str = ""
    title: str = ""


def load_collection(folder: Path) -> Iterator[Document]:
    """Yield the documents of `folder/corpus.jsonl` in the order of the file.

    A document without text has its title for text.

    Raises:
        IngestError: the file can't be read; a line is no such object, or repeats an id; the
            message holds the line number.
    """
    path = folder / "corpus.jsonl"
    decoder = msgspec.json.Decoder(_Line)
    lines_of: dict[str, int] = {}
    try:
        with path.open("rb") as file:
            for number, raw in enumerate(file, start=1):
                line = raw.removeprefix(b"\xef\xbb\xbf").strip()
                if line:
                    yield _document(_decoded(decoder, line, path, number), path, number, lines_of)
    except OSError as error:
        raise IngestError(
            f"the collection {path} can't be read: {error.strerror}",
            fix="A collection is a folder with corpus.jsonl, queries.jsonl and qrels.",
        ) from error


def _decoded(decoder: "msgspec.json.Decoder[_Line]", line: bytes, path: Path, number: int) -> _Line:
    try:
        return decoder.decode(line)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise IngestError(
            f"{path}:{number}: {error}",
            fix='Each line holds one object with "_id", "title" and "text".',
        ) from error


def _document(line: _Line, path: Path, number: int, lines_of: dict[str, int]) -> Document:
    if not line.id:
        raise IngestError(f"{path}:{number}: the id is empty")
    first = lines_of.setdefault(line.id, number)
    if first != number:
        raise IngestError(f"{path}:{number}: the id {line.id!r} stands on line {first} already")
    title = " ".join(line.title.split())
    text = line.text.replace("\r\n", "\n").replace("\r", "\n")
    text = text if text.strip() else title
    return Document(
        id=DocumentId(line.id),
        text=text,
        digest=sha256(text.encode("utf-8")).hexdigest(),
        source=f"{path}:{number}",
        title=title,
        metadata={"format": "text"},
    )
