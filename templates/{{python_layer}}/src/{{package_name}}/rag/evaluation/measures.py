"""Measures of one ranking of documents, and what a random order would score.

A ranking is document ids, best first, each once; `relevant` maps document ids to positive
grades. Ties were broken by whoever ranked: the order given is the order scored.
"""

from collections.abc import Mapping, Sequence
from math import fsum, log2

from ..contracts import DocumentId


def recall(ranking: Sequence[DocumentId], relevant: Mapping[DocumentId, int], k: int) -> float:
    """R@k: share of the relevant documents that are among the first `k`.

    Source: Cleverdon, Mills & Keen, Factors determining the performance of indexing systems,
    1966.
    """
    return sum(document_id in relevant for document_id in ranking[:k]) / len(relevant)


def ndcg(ranking: Sequence[DocumentId], relevant: Mapping[DocumentId, int], k: int) -> float:
    """nDCG@k with linear gains and a logarithmic discount, 1 for an ideal order.

    Source: Järvelin & Kekäläinen, ACM TOIS 2002; gains and discount as in trec_eval.
    """
    gains = [relevant.get(document_id, 0) for document_id in ranking[:k]]
    return _discounted(gains) / _ideal(relevant, k)


def reciprocal_rank(
    ranking: Sequence[DocumentId], relevant: Mapping[DocumentId, int], k: int
) -> float:
    """RR@k: 1 / rank of the first relevant document, 0 when it is not among the first `k`.

    Source: Kantor & Voorhees, The TREC-5 confusion track, 2000.
    """
    for rank, document_id in enumerate(ranking[:k], start=1):
        if document_id in relevant:
            return 1 / rank
    return 0.0


def random_recall(documents: int, k: int) -> float:
    """R@k expected of `documents` documents in random order: each is equally likely a hit."""
    return min(k, documents) / documents


def random_ndcg(relevant: Mapping[DocumentId, int], documents: int, k: int) -> float:
    """nDCG@k expected of a random order: at every rank the mean grade of the collection."""
    mean_grade = sum(relevant.values()) / documents
    return _discounted([mean_grade] * min(k, documents)) / _ideal(relevant, k)


def random_reciprocal_rank(relevant: int, documents: int, k: int) -> float:
    """RR@k expected of a random order of `documents`, `relevant` of them relevant."""
    expected, none_before = 0.0, 1.0
    for rank in range(1, min(k, documents) + 1):
        hit = min(1.0, relevant / (documents - rank + 1))
        expected += none_before * hit / rank
        none_before *= 1 - hit
    return expected


def _ideal(relevant: Mapping[DocumentId, int], k: int) -> float:
    return _discounted(sorted(relevant.values(), reverse=True)[:k])


def _discounted(gains: Sequence[float]) -> float:
    return fsum(gain / log2(rank + 1) for rank, gain in enumerate(gains, start=1))
