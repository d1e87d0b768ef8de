"""200 random corruptions of the file: each is harmless, or an error; no answer is wrong."""

import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from acme_search.rag.errors import RagError
from acme_search.rag.store import open_store, verify_index

from .building import DIMENSIONS, MANIFEST, analyze, make, write

PAGE = 8192
WORDS = [f"word{i}" for i in range(300)]


def texts(seed: int) -> list[str]:
    draw = random.Random(seed)
    return [" ".join(draw.choices(WORDS, k=40)) for _ in range(5)]


CORPUS = {f"folder/{i}.md": texts(i) for i in range(80)}


@pytest.fixture(scope="module")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("corruption") / "index.sqlite"
    write(path, CORPUS)
    write(path, {"folder/3.md": texts(1000)}, ["folder/4.md"])
    return path


def flip(content: bytearray, draw: random.Random) -> None:
    content[draw.randrange(len(content))] ^= 1 << draw.randrange(8)


def overwrite(content: bytearray, draw: random.Random) -> None:
    at = draw.randrange(len(content) - 64)
    content[at : at + 64] = draw.randbytes(64)


def truncate(content: bytearray, draw: random.Random) -> None:
    del content[draw.randrange(len(content)) :]


def swap(content: bytearray, draw: random.Random) -> None:
    one, other = (PAGE * draw.randrange(len(content) // PAGE) for _ in range(2))
    kept = content[one : one + PAGE]
    content[one : one + PAGE] = content[other : other + PAGE]
    content[other : other + PAGE] = kept


def zero(content: bytearray, draw: random.Random) -> None:
    at = PAGE * draw.randrange(len(content) // PAGE)
    content[at : at + PAGE] = bytes(PAGE)


def searches() -> list[Callable]:
    """What a check is promised for: both legs, and the chunks that are shown."""
    draw = np.random.default_rng(0)
    vectors = [draw.standard_normal(DIMENSIONS).astype(np.float32) for _ in range(3)]
    queries = [WORDS[at : at + 3] for at in range(0, 300, 3)]
    ids = [
        chunk.id
        for name in ("folder/7.md", "folder/60.md")
        for chunk in make(name, CORPUS[name])[1]
    ]
    return [
        lambda store: [store.search_dense(vector, 20) for vector in vectors],
        lambda store: store.load_chunks(ids),
        *(lambda store, query=query: store.search_keyword(query, 20) for query in queries),
    ]  # fmt: skip


def answer(index: Path, search: Callable) -> object:
    """What it returns, or that it fails as it should."""
    try:
        with open_store(index, MANIFEST) as store:
            return search(store)
    except RagError:
        return RagError


@pytest.fixture(scope="module")
def expected(pristine: Path) -> list[object]:
    return [answer(pristine, search) for search in searches()]


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("damage", [flip, overwrite, truncate, swap, zero])
def test_no_answer_is_wrong_in_silence(damage, seed, pristine, expected, tmp_path):
    content = bytearray(pristine.read_bytes())
    damage(content, random.Random(f"{damage.__name__} {seed}"))
    index = tmp_path / "index.sqlite"
    index.write_bytes(content)
    answers = [answer(index, search) for search in searches()]
    assert all(found in (right, RagError) for found, right in zip(answers, expected, strict=True))
    try:
        findings = verify_index(index, analyze=analyze)
    except RagError:
        findings = ["it does not open"]
    assert findings or answers == expected
