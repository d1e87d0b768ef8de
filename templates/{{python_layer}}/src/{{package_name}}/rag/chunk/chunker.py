"""Document -> chunks."""

from bisect import bisect_left
from hashlib import sha256
from operator import attrgetter

from ..contracts import Chunk, ChunkId, Document, DocumentId, represent
from .graphemes import find_clusters
from .layout import Layout, Sizes
from .markdown import markdown_blocks
from .overlap import overlap_start
from .packing import pack
from .pieces import lay_out
from .plain import code_blocks, rst_blocks, text_blocks
from .structure import one_line

CHUNKER_VERSION = 2
"""Raised whenever the same document and settings would give other chunks."""

PARSERS = {"text": text_blocks, "code": code_blocks, "rst": rst_blocks}
ID_DIGITS = 32


def chunk_document(document: Document, *, chunk_chars: int, overlap_chars: int) -> list[Chunk]:
    """Cut a document along its structure.

    Chunks are in order, their starts rise, none is longer than `chunk_chars` code points,
    and together they hold every character that is not blank. A chunk that goes on with a
    section repeats up to `overlap_chars` of it, less what is left of a sentence; no overlap
    crosses a heading. `document.metadata["format"]` tells the structure: `text`, `code` or
    `rst`; anything else is read as Markdown.

    Raises:
        ValueError: not 0 <= overlap_chars < chunk_chars.
    """
    if not 0 <= overlap_chars < chunk_chars:
        raise ValueError(
            "expected 0 <= overlap_chars < chunk_chars, "
            f"got overlap_chars={overlap_chars}, chunk_chars={chunk_chars}"
        )
    text = document.text
    blocks = PARSERS.get(document.metadata.get("format", ""), markdown_blocks)(text)
    sizes = Sizes(chunk_chars, overlap_chars, find_clusters(text, chunk_chars))
    layout = lay_out(text, blocks, sizes)
    title, repeats = one_line(document.title), dict[str, int]()
    chunks: list[Chunk] = []
    for ordinal, (start, end, section) in enumerate(_spans(text, layout, sizes)):
        path = _heading_path(title, layout.sections[section].path)
        chunk = _chunk(document, ordinal, start, end, path, _preamble(layout, start), repeats)
        chunks.append(chunk)
    return chunks


def _spans(text: str, layout: Layout, sizes: Sizes) -> list[tuple[int, int, int]]:
    """Start, end and section of each chunk."""
    pieces, sections = layout.pieces, layout.sections
    spans: list[tuple[int, int, int]] = []
    for index, stop in pack(text, pieces, sizes.chunk):
        start, end = pieces[index].start, pieces[stop - 1].end
        section = pieces[index].section
        if spans and sizes.overlap:
            earliest = max(
                pieces[index - 1].end - sizes.overlap,
                end - sizes.chunk,
                sections[section].start,
                spans[-1][0] + 1,
            )
            start = overlap_start(text, pieces, index, earliest, sizes.clusters)
        spans.append((start, end, section))
    return spans


def _heading_path(title: str, headings: tuple[str, ...]) -> tuple[str, ...]:
    return headings if not title or headings[:1] == (title,) else (title, *headings)


def _preamble(layout: Layout, start: int) -> str:
    index = bisect_left(layout.tables, start, key=attrgetter("start")) - 1
    if index >= 0 and start < layout.tables[index].end:
        return layout.tables[index].header
    return ""


def _chunk(
    document: Document,
    ordinal: int,
    start: int,
    end: int,
    path: tuple[str, ...],
    preamble: str,
    repeats: dict[str, int],
) -> Chunk:
    text = document.text[start:end]
    content = f"{preamble}\0{text}"
    repeats[content] = repeat = repeats.get(content, 0) + 1
    chunk_id = _chunk_id(document.id, content, repeat)
    digest = _sha256(represent(path, preamble, text))
    return Chunk(chunk_id, document.id, ordinal, start, end, text, path, digest, preamble)


def _chunk_id(document: DocumentId, content: str, repeat: int) -> ChunkId:
    return ChunkId(_sha256(f"{document}\0{content}\0{repeat}")[:ID_DIGITS])


def _sha256(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
