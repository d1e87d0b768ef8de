"""Scores of the lexical reranker, and how a reranker's scores are mixed with the fused ones."""

from acme_search.rag.contracts import Chunk, ChunkId, DocumentId, Passage, Placing
from acme_search.rag.rerank import rerank
from acme_search.rag.rerank.lexical import LexicalReranker

TEXTS = [
    "The pump drains the tank.",
    "Straße und Müllhalde, GROSS_KLEIN x2",
    "水泵排空 water_pump e-502",
    "ﬁn ΣΊΣΥΦΟΣ İstanbul ½ Ⅷ",
    "",
    "!? \U0001f600",
]
QUERIES = ["Pump TANK pump year", "STRASSE große", "水泵排空 e 502", "σίσυφος İ ½ ⅷ", "", "?!"]
MIXED = [
    ([5.0, 4.0, 3.0, 2.0], [0.1, 0.9, 0.9, 0.3], 0.3),
    ([1.0, 1.0, 1.0, 1.0], [7.0, 7.0, 7.0, 7.0], 0.5),
    ([1 / 3, 0.25, 0.25, 0.1], [-3.0, 10.0, 1 / 7, 2.5], 0.7),
    ([4.0, 3.0, 2.0, 1.0], [1.0, 2.0, 3.0, 4.0], 0.5),
    ([4.0, 3.0, 2.0, 1.0], [1.0, 2.0, 3.0, 4.0], 0.0),
    ([4.0, 3.0, 2.0, 1.0], [1.0, 2.0, 3.0, 4.0], 1.0),
]


class _Scripted:
    def __init__(self, scores: list[float]) -> None:
        self._scores = scores

    def score(self, query: str, passages: object) -> list[float]:
        return self._scores


def vectors() -> dict[str, object]:
    passages = [_passage(number, text, 1.0) for number, text in enumerate(TEXTS)]
    lexical = LexicalReranker()
    return {
        "texts": TEXTS,
        "lexical": [
            {"query": query, "scores": lexical.score(query, passages)} for query in QUERIES
        ],
        "mixed": [_mixed(*case) for case in MIXED],
    }


def _passage(number: int, text: str, score: float) -> Passage:
    id = ChunkId(f"c{number}")
    chunk = Chunk(id, DocumentId("d"), 0, 0, len(text), text, (), "")
    return Passage(chunk, score, {"fused": Placing(1, score)})


def _mixed(fused: list[float], scores: list[float], weight: float) -> object:
    candidates = [_passage(number, "", score) for number, score in enumerate(fused)]
    found = rerank("q", candidates, reranker=_Scripted(scores), weight=weight, top_n=9)
    passages = [
        {
            "id": passage.chunk.id,
            "score": passage.score,
            "rank": passage.placings["rerank"].rank,
            "given": passage.placings["rerank"].score,
        }
        for passage in found.passages
    ]
    return {"fused": fused, "scores": scores, "weight": weight, "passages": passages}
