"""What the exact answers are: brute force over all vectors, and BM25 by the book."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from . import corpus
from .engines import DEPTH

Ranking = list[tuple[int, float]]


def dense(chunks: int, vectors: np.ndarray) -> list[list[int]]:
    """The DEPTH nearest chunks of each query, in float64, ties by chunk."""
    best: list[Ranking] = [[] for _ in vectors]
    first = 0
    for block in corpus.vector_blocks(chunks):
        products = vectors.astype(np.float64) @ block.astype(np.float64).T
        for kept, row in zip(best, products, strict=True):
            kept += enumerate(row.tolist(), first)
            kept.sort(key=lambda hit: (-hit[1], hit[0]))
            del kept[DEPTH:]
        first += len(block)
    return [[number for number, _ in kept] for kept in best]


def keyword(
    path: Path,
    chunks: int,
    texts: Sequence[str],
    analyze: Callable[[str], list[str]],
    *,
    k1: float = 1.2,
    b: float = 0.75,
) -> list[Ranking]:
    """The DEPTH best chunks of each query by Lucene's BM25, ties by chunk."""
    asked = [analyze(text) for text in texts]
    wanted = {term for terms in asked for term in terms}
    postings: dict[str, list[tuple[int, int]]] = {term: [] for term in wanted}
    lengths: list[int] = []
    for _, parts in corpus.read_corpus(path, chunks):
        for part in parts:
            terms = analyze(part)
            for term, count in Counter(terms).items():
                if term in wanted:
                    postings[term].append((len(lengths), min(count, 255)))
            lengths.append(len(terms))
    average = sum(lengths) / len(lengths)
    rankings: list[Ranking] = []
    for terms in asked:
        scores: Counter[int] = Counter()
        for term, repeats in Counter(terms).items():
            held = postings[term]
            idf = math.log(1 + (len(lengths) - len(held) + 0.5) / (len(held) + 0.5))
            for number, count in held:
                norm = k1 * (1 - b + b * (lengths[number] / average))
                scores[number] += idf * repeats * (count / (count + norm))
        rankings.append(sorted(scores.items(), key=lambda hit: (-hit[1], hit[0]))[:DEPTH])
    return rankings
