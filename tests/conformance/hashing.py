"""Hash vectors, to the last bit, and those of texts that are cut into windows."""

import base64

import numpy as np
from acme_search.rag.embed import TextEmbedder
from acme_search.rag.embed.hashing import HashEncoder
from acme_search.rag.embed.windows import batches, cut_to_fit

TEXTS = [
    "The pump drains the tank in nine minutes.",
    "Die Straße zur Müllhalde, GROSS und ß",
    "水泵排空。我想退货",
    "e\u0301 \u00e9 ﬁ ΣΊΣΥΦΟΣ İ Ⅷ ½ x² 𝒳 𐐀",
    "?!",
    "😀👩‍👩‍👧 \u200b",
    "a",
    "a_b-c.d 10.5 " * 20,
]
LONG = "pump tank 水泵 \n\t" * 30 + "x" * 90 + "😀" * 40


def vectors() -> dict[str, object]:
    return {
        "vectors": [
            {"dimensions": dimensions, "text": text, "float32": _bits(_embedder(dimensions), text)}
            for dimensions in (16, 256)
            for text in TEXTS
        ],
        "long": [
            {"maxTokens": limit, "text": text, "float32": _bits(_embedder(16, limit), text)}
            for limit in (1, 7, 64, 200)
            for text in (LONG, TEXTS[2])
        ],
        "windows": [
            {"limit": limit, "text": LONG, "windows": cut_to_fit(LONG, limit, _lengths)}
            for limit in (5, 50, 333, 1000)
        ],
        "batches": [_batches(sizes) for sizes in ([[9], [9], [1, 1], [30], [2]], [], [[5, 5, 5]])],
    }


def _embedder(dimensions: int, max_tokens: int = 0) -> TextEmbedder:
    return TextEmbedder(HashEncoder(dimensions), max_tokens=max_tokens)


def _bits(embedder: TextEmbedder, text: str) -> str:
    """Little-endian single precision, in base 64."""
    vector = np.asarray(embedder.embed_documents([text])[0], dtype="<f4")
    return base64.b64encode(vector.tobytes()).decode()


def _lengths(texts: object) -> list[int]:
    return [len(text) for text in texts]  # type: ignore[attr-defined]


def _batches(sizes: list[list[int]]) -> dict[str, object]:
    ranges = [[part.start, part.stop] for part in batches(sizes, most=2, most_tokens=10)]
    return {"sizes": sizes, "most": 2, "mostTokens": 10, "ranges": ranges}
