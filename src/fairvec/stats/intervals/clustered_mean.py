"""Where a mean lies whose items come in clusters."""

from math import sqrt

import numpy as np
from scipy.special import stdtrit

from fairvec.ground.errors import SettingError
from fairvec.stats.arrays import FloatArray, IntArray

METHOD = "t of clusters (linearised ratio)"
FEWEST_CLUSTERS = 3


def clustered_mean(
    sums: FloatArray, sizes: IntArray, *, level: float = 0.95
) -> tuple[float, float] | None:
    """Return the ends of an interval for the mean over all items, given the sums of clusters.

    With m clusters of n_u items and sums s_u, mean = sum s_u / N and its variance is
    m/(m-1) sum (s_u - mean n_u)^2 / N^2; the ends are the mean -+ t(m-1) deviations. None with
    fewer than three clusters. Cochran (1977), Sampling Techniques, chapter 6.
    """
    sums, sizes = np.asarray(sums, np.float64), np.asarray(sizes)
    if sums.shape != sizes.shape or sums.ndim != 1 or (sizes < 0).any():
        raise SettingError("A mean needs one sum and one number of items, not negative, a cluster.")
    sums, sizes = sums[sizes > 0], sizes[sizes > 0]
    clusters, items = len(sums), float(sizes.sum())
    if clusters < FEWEST_CLUSTERS:
        return None
    mean = float(sums.sum()) / items
    apart = float(((sums - mean * sizes) ** 2).sum())
    reach = float(stdtrit(clusters - 1, (1 + level) / 2))
    reach *= sqrt(clusters / (clusters - 1) * apart) / items
    return mean - reach, mean + reach
