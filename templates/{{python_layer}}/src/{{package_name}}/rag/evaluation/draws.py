"""Random whole numbers that are the same in every language."""

import numpy as np
from numpy.typing import NDArray

_STEP = np.uint32(0x9E3779B9)


def draws_at(seed: int, places: NDArray[np.int64], below: int) -> NDArray[np.int64]:
    """Numbers below `below`, at `places` of the sequence that `seed` names; shape of `places`.

    A place, spread over 32 bits by the golden ratio, is mixed; `below` is at most 2 ** 21.

    Source: Steele, Lea & Flood, Fast splittable pseudorandom number generators, OOPSLA 2014, with
    the 32-bit mixer "lowbias32" of Wellons, Hash prospector, 2018.
    """
    mixed = places.astype(np.uint32) * _STEP + np.uint32(seed % 2**32)
    mixed = (mixed ^ (mixed >> np.uint32(16))) * np.uint32(0x7FEB352D)
    mixed = (mixed ^ (mixed >> np.uint32(15))) * np.uint32(0x846CA68B)
    mixed ^= mixed >> np.uint32(16)
    return (mixed.astype(np.int64) * below) >> 32
