"""Posting lists of one block of chunks, as bytes; and exact BM25 over them.

A block is `BLOCK` consecutive chunk numbers. A term's postings in a block are the offsets of the
chunks that hold it, rising, as uint16, and then as many term frequencies as uint8; a
frequency stops at 255.
"""

from __future__ import annotations

import math
from array import array
from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

BLOCK_BITS = 12
BLOCK = 1 << BLOCK_BITS
MOST_FREQUENCY = 255
ENTRY_BYTES = 3

_LOG_2 = 0.6931471805599453


def encode(offsets: NDArray[np.integer], frequencies: NDArray[np.integer]) -> bytes:
    """Postings of rising offsets below `BLOCK`."""
    clipped = np.minimum(frequencies, MOST_FREQUENCY)
    return offsets.astype("<u2").tobytes() + clipped.astype(np.uint8).tobytes()


def decode(postings: bytes) -> tuple[NDArray[np.uint16], NDArray[np.uint8]]:
    """Offsets and frequencies, the inverse of `encode`."""
    count = frequency(postings)
    offsets = np.frombuffer(postings, dtype="<u2", count=count)
    return offsets, np.frombuffer(postings, dtype=np.uint8, offset=2 * count)


def frequency(postings: bytes) -> int:
    """Number of chunks in the postings."""
    return len(postings) // ENTRY_BYTES


def merge(postings: bytes, removed: Sequence[int] | NDArray[np.integer], added: bytes) -> bytes:
    """Take the offsets `removed` out, then put the postings `added` in, over equal offsets."""
    table = np.zeros(BLOCK, dtype=np.uint8)
    offsets, frequencies = decode(postings)
    table[offsets] = frequencies
    table[np.asarray(removed, dtype=np.intp)] = 0
    offsets, frequencies = decode(added)
    table[offsets] = frequencies
    left = np.flatnonzero(table)
    return encode(left, table[left])


class Occurrences:
    """Terms of chunks in the order of arrival, kept in two flat arrays until they are grouped."""

    def __init__(self) -> None:
        self._ids: defaultdict[str, int] = defaultdict()
        self._ids.default_factory = self._ids.__len__
        self._terms = array("I")
        self._numbers: list[int] = []
        self._lengths: list[int] = []

    def __len__(self) -> int:
        return len(self._terms)

    def append(self, number: int, terms: Sequence[str]) -> None:
        """Add the terms of one chunk, repeats kept."""
        self._terms.extend(map(self._ids.__getitem__, terms))
        self._numbers.append(number)
        self._lengths.append(len(terms))

    def grouped(self) -> list[tuple[str, int, bytes]]:
        """Term, block and postings, by rising term and then block."""
        terms = sorted(self._ids)
        ranks, numbers = self._sorted(terms)
        starts = _starts(ranks, numbers)
        frequencies = np.diff(starts, append=len(ranks))
        ranks, numbers = ranks[starts], numbers[starts]
        offsets = (numbers & (BLOCK - 1)).astype("<u2").tobytes()
        counts = np.minimum(frequencies, MOST_FREQUENCY).astype(np.uint8).tobytes()
        blocks = numbers >> BLOCK_BITS
        groups = _starts(ranks, blocks)
        bounds = [*groups.tolist(), len(ranks)]
        return [
            (terms[rank], block, offsets[2 * at : 2 * end] + counts[at:end])
            for rank, block, at, end in zip(
                ranks[groups].tolist(), blocks[groups].tolist(), bounds, bounds[1:], strict=False
            )
        ]

    def _sorted(self, terms: list[str]) -> tuple[NDArray[np.integer], NDArray[np.int64]]:
        """Rank of the term and number of the chunk for each occurrence, both rising.

        Ranks are as narrow as can be: 16 bits are sorted in linear time.
        """
        rank_of = np.empty(len(terms), dtype=np.min_scalar_type(len(terms)))
        rank_of[list(map(self._ids.__getitem__, terms))] = np.arange(len(terms))
        ranks = rank_of[np.frombuffer(self._terms, dtype=np.uint32)]
        chunks = np.array(self._numbers, dtype=np.int64)
        numbers = np.repeat(chunks, np.array(self._lengths, dtype=np.int64))
        if np.all(chunks[1:] > chunks[:-1]):
            order = np.argsort(ranks, kind="stable")
        else:
            order = np.lexsort((numbers, ranks))
        return ranks[order], numbers[order]


def _starts(major: NDArray[np.integer], minor: NDArray[np.integer]) -> NDArray[np.int64]:
    """Indices at which either value differs from the one before it."""
    changed = np.ones(len(major), dtype=bool)
    changed[1:] = (major[1:] != major[:-1]) | (minor[1:] != minor[:-1])
    return np.flatnonzero(changed)


def inverse_document_frequency(chunks: int, frequency: int) -> float:
    """ln(1 + (N - df + 0.5) / (df + 0.5)): above zero for every term."""
    return natural_log(1 + (chunks - frequency + 0.5) / (frequency + 0.5))


def natural_log(number: float) -> float:
    """Natural logarithm of a number from 1 up, in sums and products that IEEE 754 defines.

    Libraries of C and of JavaScript differ in the last bit of theirs, and a tie in one language
    would be none in the other. The series is of 2 artanh((m - 1) / (m + 1)).
    """
    mantissa, doublings = number, 0
    while mantissa > math.sqrt(2):
        mantissa, doublings = mantissa / 2, doublings + 1
    ratio = (mantissa - 1) / (mantissa + 1)
    square, total = ratio * ratio, 0.0
    for odd in range(23, 0, -2):
        total = total * square + 1 / odd
    return 2 * ratio * total + doublings * _LOG_2


def length_norms(
    lengths: NDArray[np.integer], average: float, *, k1: float, b: float
) -> NDArray[np.float64]:
    """k1 * (1 - b + b * length / average), shape of `lengths`; lengths are not rounded."""
    return k1 * (1 - b + b * (lengths / (average or 1.0)))


def saturation(frequencies: NDArray[np.integer], norms: NDArray[np.float64]) -> NDArray[np.float64]:
    """Tf / (tf + norm): Lucene's BM25, without the constant factor k1 + 1.

    Source: Kamphuis, de Vries, Boytsov & Lin, ECIR 2020.
    """
    repeats = frequencies.astype(np.float64)
    return repeats / (repeats + norms)
