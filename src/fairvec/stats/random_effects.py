"""Effects of several studies joined into one, each weighted by how sure it is."""

from typing import NamedTuple

import numpy as np
from scipy.special import ndtr

from fairvec.stats.arrays import FloatArray


class Combined(NamedTuple):
    """The joint effect, its standard error, and the variance of the effects between studies."""

    effect: FloatArray
    error: FloatArray
    between: FloatArray

    @property
    def p_above(self) -> FloatArray:
        """The one-sided p of an effect above zero, if the studies are independent."""
        p: FloatArray = ndtr(-self.effect / self.error)
        return p

    @property
    def p_either(self) -> FloatArray:
        """The two-sided p, if the studies are independent."""
        p: FloatArray = 2 * ndtr(-np.abs(self.effect) / self.error)
        return p


def random_effects(effects: FloatArray, variances: FloatArray) -> Combined:
    """Join the effects d_i of studies with sampling variances V_i, over the last axis.

    With the weights W_i = 1 / V_i, Q = sum W_i d_i^2 - (sum W_i d_i)^2 / sum W_i and
    C = sum W_i - sum W_i^2 / sum W_i,

        tau^2 = max(0, (Q - df) / C),    df = studies - 1
        effect = sum v_i d_i / sum v_i,    v_i = 1 / (V_i + tau^2),    error = sum(v_i)^-1/2

    A large tau^2 says that the studies disagree by more than their variances explain, zero that
    they do not. All of it holds for independent studies. nan where a variance is zero.

    DerSimonian & Laird (1986), doi:10.1016/0197-2456(86)90046-2.
    """
    known = np.where(variances > 0, variances, np.nan)
    weights = 1 / known
    total = weights.sum(axis=-1)
    fixed = (weights * effects).sum(axis=-1) / total
    # Around the mean, which is the same number and loses no digits.
    q = (weights * (effects - fixed[..., None]) ** 2).sum(axis=-1)
    c = total - (weights**2).sum(axis=-1) / total
    excess = q - (effects.shape[-1] - 1)
    between = np.where(excess > 0, excess, 0.0) / np.where(excess > 0, c, 1.0)
    shares = 1 / (known + between[..., None])
    sure = shares.sum(axis=-1)
    return Combined((shares * effects).sum(axis=-1) / sure, 1 / np.sqrt(sure), between)
