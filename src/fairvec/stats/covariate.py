"""The difference of two lists at equal frequency, or whatever else is known of each word."""

from dataclasses import dataclass

import numpy as np

from fairvec.stats.arrays import FloatArray
from fairvec.stats.squares import check_squares

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
