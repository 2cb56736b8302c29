"""Correlations in batches, differences at equal frequency, and scores in one unit."""

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri

from fairvec.core.errors import SettingError
from fairvec.core.numeric import FloatArray, check_squares
from fairvec.stats.permutation.two_sample import ROUNDING_BITS


def pearson(pairs: FloatArray) -> FloatArray:
    """Return the correlation of the two columns of each batch (..., words, 2).

    nan where a column has no spread: the caller must say so in words.
    """
    for column in np.moveaxis(pairs, -1, 0):
        check_squares(column)
    return _correlations(pairs)


def spearman(pairs: FloatArray) -> FloatArray:
    """Return the correlation of the ranks, equal values sharing their mean rank."""
    columns = np.ascontiguousarray(np.swapaxes(pairs, -1, -2))
    return _correlations(np.swapaxes(average_ranks(columns), -1, -2))


def _correlations(pairs: FloatArray) -> FloatArray:
    centred = pairs - pairs.mean(axis=-2, keepdims=True)
    spreads = np.sqrt((centred**2).sum(axis=-2))
    # A spread below the rounding of the values is rounding, not spread.
    rounding = 8 * np.finfo(np.float64).eps * np.sqrt((pairs**2).sum(axis=-2))
    defined = (spreads > rounding).all(axis=-1)
    product = (centred[..., 0] * centred[..., 1]).sum(axis=-1)
    correlations: FloatArray = np.divide(
        product, spreads.prod(axis=-1), out=np.full_like(product, np.nan), where=defined
    )
    return np.clip(correlations, -1, 1)


def average_ranks(values: FloatArray) -> FloatArray:
    """Return the rank of each value along the last axis, equal values sharing their mean rank.

    Several times faster than scipy's, and scipy.stats takes longer to import than all of fairvec.
    """
    order = values.argsort(axis=-1)
    ordered = np.take_along_axis(values, order, axis=-1)
    places = np.arange(values.shape[-1])
    differs = ordered[..., 1:] != ordered[..., :-1]
    edge = np.ones((*differs.shape[:-1], 1), np.bool_)
    begins = np.concatenate([edge, differs], axis=-1)
    ends = np.concatenate([differs, edge], axis=-1)
    first = np.maximum.accumulate(np.where(begins, places, 0), axis=-1)
    last = np.where(ends, places, places.size)[..., ::-1]
    last = np.minimum.accumulate(last, axis=-1)[..., ::-1]
    ranks = np.empty(values.shape)
    np.put_along_axis(ranks, order, (first + last) / 2 + 1, axis=-1)
    return ranks


DRAWS_AT_A_TIME = 2**12


@dataclass(frozen=True)
class AdjustedDifference:
    """The difference of means at equal covariate, and how often chance alone gives as much."""

    difference: float
    p: float


def adjusted_difference(
    x: FloatArray,
    y: FloatArray,
    covariate_x: FloatArray,
    covariate_y: FloatArray,
    *,
    draws: int = 9_999,
    seed: int = 0,
) -> AdjustedDifference | None:
    """Return b of score = a + b [in x] + c covariate, with its two-sided p by permutation.

    The p is Freedman and Lane's: the residuals of score = a + c covariate are permuted and the
    whole model is fitted again, so the uncertainty of the slope c is part of the null; p is
    (k + 1)/(N + 1) for k of N permutations with |t| at least as large. Permuting scores that were
    adjusted once instead finds too much where the lists differ in the covariate. None where the
    covariate leaves no difference between the lists to look at, or no spread.

    Freedman and Lane (1983), doi:10.1080/07350015.1983.10509354.
    """
    scores, others = np.concatenate([x, y]), np.concatenate([covariate_x, covariate_y])
    check_squares(scores)
    check_squares(others)
    eps = float(np.finfo(np.float64).eps)
    membership = np.repeat([1.0, 0.0], [len(x), len(y)])
    nuisance = np.ones((len(scores), 1))
    if np.ptp(others) > eps * np.abs(others).max() * len(others):
        # One that is the same for all words has nothing to adjust for, and rounding would have.
        nuisance = np.column_stack([nuisance, others])
    basis = np.linalg.qr(nuisance)[0]

    def without_nuisance(rows: FloatArray) -> FloatArray:
        rest: FloatArray = rows - (rows @ basis) @ basis.T
        return rest

    own = without_nuisance(membership)
    room, residuals = float(own @ own), without_nuisance(scores)
    if room < 1e-9 * len(scores) or float(residuals @ residuals) <= eps * float(scores @ scores):
        return None

    def strength(rows: FloatArray) -> FloatArray:
        """Return t^2 up to a constant for each row of residuals."""
        explained = (rows @ own) ** 2 / room
        left = (rows**2).sum(axis=-1) - explained
        return np.asarray(explained / np.maximum(left, eps * explained))

    observed = float(strength(residuals[None])[0])
    generator = np.random.default_rng(seed)
    extreme = 0
    for start in range(0, draws, DRAWS_AT_A_TIME):
        cases = min(DRAWS_AT_A_TIME, draws - start)
        shuffled = generator.permuted(np.tile(residuals, (cases, 1)), axis=1)
        extreme += int((strength(without_nuisance(shuffled)) >= observed * (1 - 1e-12)).sum())
    return AdjustedDifference(float(residuals @ own) / room, (extreme + 1) / (draws + 1))


def normal_scores(scores: FloatArray) -> FloatArray:
    """Return for each number the normal deviate of its rank, scaled to a deviation of 1.

    z_i = Phi^-1(rank_i / (n + 1)), ties at their mean rank, less their mean and over their standard
    deviation (ddof 1). Large: among the largest; 0: in the middle. Whatever increasing function is
    put to all numbers, the scores stay. Numbers tie that differ by no more than 2^-43 of the
    largest, as they do in the paired test. All are 0 where no two differ. Van der Waerden (1952),
    Indagationes Mathematicae 55, 453-458.
    """
    scores = _checked(scores)
    order = np.argsort(scores, kind="stable")
    steps = np.diff(scores[order], prepend=scores[order][:1])
    apart = steps > np.ldexp(np.abs(scores).max(), 1 - ROUNDING_BITS)
    tied = np.empty(len(scores))
    tied[order] = np.cumsum(apart)
    return standard_scores(ndtri(average_ranks(tied) / (len(scores) + 1)))


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
