"""bm25s for words and a NumPy matrix for vectors: fast, in memory, rebuilt for every change."""

import json
import time
from pathlib import Path

import bm25s
import numpy as np
import Stemmer

from . import DEPTH, Documents, fused


class _Engine:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.stemmer = Stemmer.Stemmer("english")
        self.keyword_cpu_s = 0.0

    def build(self, documents: Documents) -> None:
        texts: list[str] = []
        vectors: list[np.ndarray] = []
        for _, parts, rows in documents:
            texts += parts
            vectors.append(rows)
        began = time.process_time()
        ranker = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
        ranker.index(self._tokens(texts), show_progress=False)
        self.keyword_cpu_s = time.process_time() - began
        ranker.save(self.folder / "words")
        np.save(self.folder / "vectors.npy", np.concatenate(vectors))
        (self.folder / "texts.json").write_text(json.dumps(texts))

    def open(self) -> None:
        self.ranker = bm25s.BM25.load(self.folder / "words")
        self.vectors = np.load(self.folder / "vectors.npy")
        self.texts: list[str] = json.loads((self.folder / "texts.json").read_text())

    def dense(self, vector: np.ndarray) -> list[int]:
        scores = self.vectors @ vector
        best = np.argpartition(scores, -DEPTH)[-DEPTH:]
        return best[np.argsort(-scores[best])].tolist()

    def keyword(self, text: str) -> list[int]:
        found, _ = self.ranker.retrieve(self._tokens([text]), k=DEPTH, show_progress=False)
        return found[0].tolist()

    def hybrid(self, text: str, vector: np.ndarray) -> list[str]:
        return [self.texts[number] for number in fused(self.dense(vector), self.keyword(text))]

    def _tokens(self, texts: list[str]) -> object:
        return bm25s.tokenize(texts, stopwords="en", stemmer=self.stemmer, show_progress=False)


make = _Engine
