"""Text from this machine, cut into chunks of about 800 characters, and seeded vectors for them.

Documentation, manual pages, headers and Python sources are read in the order of their names. Where
a machine holds too little, more documents are put together from lines that were read.
"""

import gzip
import json
import random
import sysconfig
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import numpy as np

CHUNK_CHARS = 800
DIMENSIONS = 384
ROWS = 1000

_ROOTS = ("/usr/share/doc", "/usr/share/man", "/usr/share/perl", "/usr/include", "/usr/lib/python3")
_SUFFIXES = {"", ".gz", ".txt", ".md", ".rst", ".html", ".py", ".h", ".pod", ".pm"}
_LEAST_CHARS = 400
_MOST_CHARS = 400_000


def write_corpus(path: Path, chunks: int) -> None:
    """Write documents as JSON lines `[id, [chunk, ...]]`, `chunks` chunks in all.

    Documents are shuffled with a seed, so that a small corpus is a sample of a large one.
    """
    texts = dict(_read_texts(limit=2 * chunks * CHUNK_CHARS))
    order = sorted(texts)
    random.Random(0).shuffle(order)
    left = chunks
    with path.open("w", encoding="utf-8") as lines:
        for name, text in _endless(order, texts):
            parts = _cut(text)[:left]
            lines.write(json.dumps([name, parts], ensure_ascii=False) + "\n")
            left -= len(parts)
            if not left:
                return


def read_corpus(path: Path, chunks: int) -> Iterator[tuple[str, list[str]]]:
    """The first `chunks` chunks, document by document."""
    left = chunks
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            name, parts = json.loads(line)
            yield name, parts[:left]
            left -= len(parts)
            if left <= 0:
                return


def vector_blocks(count: int) -> Iterator[np.ndarray]:
    """Unit vectors, shape (up to ROWS, DIMENSIONS), float32; row i is the same in any count."""
    for at in range(0, count, ROWS):
        drawn = np.random.default_rng(at).standard_normal((ROWS, DIMENSIONS), dtype=np.float32)
        drawn /= np.linalg.norm(drawn, axis=1, keepdims=True)
        yield drawn[: count - at]


def queries(path: Path, chunks: int, count: int) -> tuple[list[str], np.ndarray]:
    """Two to eight words in a row out of chunks, and as many unit vectors."""
    draw = random.Random(1)
    sample = [parts for _, parts in read_corpus(path, min(chunks, 20_000)) if parts]
    texts: list[str] = []
    while len(texts) < count:
        words = [word for word in draw.choice(draw.choice(sample)).split() if word.isalpha()]
        if len(words) >= 8:
            start = draw.randrange(len(words) - 7)
            texts.append(" ".join(words[start : start + draw.randint(2, 8)]))
    vectors = np.random.default_rng(2).standard_normal((count, DIMENSIONS), dtype=np.float32)
    return texts, vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def _cut(text: str) -> list[str]:
    return [text[at : at + CHUNK_CHARS] for at in range(0, len(text), CHUNK_CHARS)]


def _endless(order: list[str], texts: dict[str, str]) -> Iterator[tuple[str, str]]:
    for name in order:
        yield name, texts[name]
    draw = random.Random(3)
    lines = [line for name in order for line in texts[name].splitlines() if line.strip()]
    for number in range(1 << 30):
        yield f"mixed/{number}", "\n".join(draw.choices(lines, k=200))


def _read_texts(limit: int) -> Iterator[tuple[str, str]]:
    seen: set[bytes] = set()
    found = 0
    for root in (*_ROOTS, sysconfig.get_path("stdlib")):
        for path in sorted(Path(root).rglob("*")):
            if found >= limit:
                return
            if path.suffix not in _SUFFIXES or path.is_symlink() or not path.is_file():
                continue
            text = _read_text(path)
            digest = sha256(text.encode()).digest()
            if len(text) >= _LEAST_CHARS and digest not in seen:
                seen.add(digest)
                found += len(text)
                yield str(path), text


def _read_text(path: Path) -> str:
    """The text of a file; empty if it holds none."""
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            content = file.read(_MOST_CHARS)
        return "" if b"\0" in content else content.decode("utf-8")
    except (OSError, EOFError, ValueError):
        return ""
