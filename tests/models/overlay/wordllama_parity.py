"""Read from its files, WordLlama gives the vectors that it gives when it is imported."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from acme_search.rag.embed import build_embedder

CODE = """
import sys
from pathlib import Path
import numpy as np
import wordllama

texts = [path.read_text("utf-8") for path in sorted(Path(sys.argv[1]).glob("*.txt"))]
model = wordllama.WordLlama.load(
    cache_dir=Path(wordllama.__file__).parent, disable_download=True,
    trunc_dim=int(sys.argv[2]) or None,
)
np.save(sys.argv[3], model.embed(texts, norm=True))
"""
TEXTS = [
    "The pump drains the tank in nine minutes.",
    "我想退货 🎉 e\u0301",
    "def rank(query: str) -> list[int]:\n\treturn []\n",
    " ",
    "a" * 3000,
    *(path.read_text("utf-8") for path in sorted(Path("evals/corpus").rglob("*.md"))),
]


@pytest.mark.parametrize("dimensions", [256, 64])
def test_vectors_are_equal(dimensions, tmp_path):
    for number, text in enumerate(TEXTS):
        (tmp_path / f"{number:03}.txt").write_bytes(text.encode())
    saved = tmp_path / "vectors.npy"
    arguments = [str(tmp_path), str(dimensions), str(saved)]
    subprocess.run([sys.executable, "-c", CODE, *arguments], check=True)
    assert len(TEXTS) > 30
    texts = [text for text in TEXTS if text.strip()]
    expected = np.load(saved)[[bool(text.strip()) for text in TEXTS]]
    vectors = build_embedder("wordllama", dimensions=dimensions).embed_documents(texts)
    np.testing.assert_allclose(vectors, expected, atol=1e-6)
