"""The paired test of whole numbers: exact for any number of items."""

import numpy as np

from fairvec.ground.errors import SettingError
from fairvec.stats.arrays import IntArray

_ROUNDING = 1e-15
"""Chances below this, times their number, are lost in the rounding of a Fourier transform."""


def sign_flips(differences: IntArray) -> tuple[float, float]:
    """Return how often random signs make a sum as large, and the smallest p so many items give.

    p = (choices of signs with |sum of +-d| >= |sum of d|) / 2^n over the n differences that are not
    0: the test of `paired_test`, always two-sided, ties count. Differences are whole numbers, so
    that the sum has few values, and its distribution is a product of those of single signs: the
    inverse Fourier transform of prod ((1 + exp(-i w |d|)) / 2). Exact for any n, up to rounding:
    what is smaller than 1e-15 times the sum of |d| is said to be that, and what is as near to 1 to
    be 1. Fisher (1935), The Design of Experiments, section 21.
    """
    differences = np.asarray(differences)
    if differences.ndim != 1 or not np.issubdtype(differences.dtype, np.integer):
        raise SettingError("Random signs are counted for a plain list of whole numbers.")
    sizes = np.abs(differences[differences != 0])
    smallest = 0.5 ** max(len(sizes) - 1, 0)
    total, observed = int(sizes.sum()), abs(int(differences.sum()))
    if not observed:
        return 1.0, smallest
    turns = np.exp(-2j * np.pi * np.arange(total // 2 + 1) / (total + 1))
    transform = np.ones(len(turns), np.complex128)
    for size, items in zip(*np.unique(sizes, return_counts=True), strict=True):
        transform *= ((1 + turns ** int(size)) / 2) ** int(items)
    # Chances of the sum of those with a plus; half of total plus the sum of all is it.
    chances = np.fft.irfft(transform, total + 1)
    extreme = np.abs(2 * np.arange(total + 1) - total) >= observed
    share = float(np.clip(chances, 0, 1)[extreme].sum())
    rounding = _ROUNDING * (total + 1)
    return (1.0 if share >= 1 - rounding else max(share, smallest, rounding)), smallest
