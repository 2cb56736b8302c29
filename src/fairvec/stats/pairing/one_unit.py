"""Leanings of two models in one unit: ranks as normal scores, or standard scores."""

import numpy as np
from scipy.special import ndtri

from fairvec.ground.errors import SettingError
from fairvec.stats.arrays import FloatArray
from fairvec.stats.regrouping.permutation import ROUNDING_BITS


def normal_scores(scores: FloatArray) -> FloatArray:
    """Return for each number the normal deviate of its rank, scaled to a deviation of 1.

    z_i = Phi^-1(rank_i / (n + 1)), ties at their mean rank, less their mean and over their standard
    deviation (ddof 1). Large: among the largest; 0: in the middle. Whatever increasing function is
    put to all numbers, the scores stay. Numbers tie that differ by no more than 2^-43 of the
    largest, as they do in the paired test. All are 0 where no two differ. Van der Waerden (1952),
    Indagationes Mathematicae 55, 453-458.
    """
    # Here and not above: scipy.stats takes longer to import than all of fairvec.
    from scipy.stats import rankdata

    scores = _checked(scores)
    order = np.argsort(scores, kind="stable")
    steps = np.diff(scores[order], prepend=scores[order][:1])
    apart = steps > np.ldexp(np.abs(scores).max(), 1 - ROUNDING_BITS)
    tied = np.empty(len(scores))
    tied[order] = np.cumsum(apart)
    return standard_scores(ndtri(rankdata(tied) / (len(scores) + 1)))


def standard_scores(scores: FloatArray) -> FloatArray:
    """Return the numbers less their mean and over their standard deviation (ddof 1).

    Their difference of means is d. They keep the shape of the numbers: a similarity that stretches
    one end changes d, although no two words change places. All are 0 where no two differ.
    """
    scores = _checked(scores)
    largest = float(np.abs(scores).max())
    if np.ptp(scores) <= np.ldexp(largest, 1 - ROUNDING_BITS):
        return np.zeros(len(scores))
    centred = scores / largest - (scores / largest).mean()
    scaled: FloatArray = centred / centred.std(ddof=1)
    return scaled


def _checked(scores: FloatArray) -> FloatArray:
    scores = np.asarray(scores, np.float64)
    if scores.ndim != 1 or not scores.size or not np.isfinite(scores).all():
        raise SettingError("Numbers are put in one unit as a plain list of finite ones.")
    return scores
