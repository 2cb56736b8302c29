"""Whether what was found at several times goes up or down with time."""

from collections import Counter
from dataclasses import dataclass
from itertools import permutations
from math import factorial, isfinite, prod

import numpy as np

from fairvec.ground.errors import SettingError
from fairvec.ground.settings import Count, Seed
from fairvec.stats.arrays import FloatArray

FEWEST_TIMES = 3
MOST_EXACT = 8
"""Orders of so many values are all tried (40,320); of more, some are drawn."""

ROUNDING = 1e-9
"""Slopes that differ by less of the largest one tie: rounding alone may tell them apart."""


@dataclass(frozen=True)
class Trend:
    """The slope over time, and the share of orders in which it is as steep."""

    slope: float
    value: float
    exact: bool
    smallest: float


def trend_test(
    values: FloatArray, when: FloatArray, *, samples: Count = 9_999, seed: Seed = 0
) -> Trend:
    """Return the slope of values over time and how often another order of them is as steep.

    slope = sum (t - mean t) (v - mean v) / sum (t - mean t)^2, and p the share of all orders of the
    values with |slope| as large, exact up to 8 of them, else (c + 1) / (N + 1) of drawn ones.
    A small p says that values follow the time; a large one that they would do so as well in many
    other orders. Each value counts once, however sure it is: under the null they may change places.

    Pitman (1937), doi:10.2307/2983647.
    """
    values, when = np.asarray(values, np.float64), np.asarray(when, np.float64)
    if (
        values.shape != when.shape
        or len(values) < FEWEST_TIMES
        or not (np.isfinite(values).all() and np.isfinite(when).all())
        or len(set(when.tolist())) < 2
    ):
        raise SettingError(
            f"A trend needs {FEWEST_TIMES} finite values or more, each with its time, and two "
            f"different times, not {len(values)} values at {len(when)} times."
        )
    # Sums of squares of very large or small numbers would overflow or vanish.
    scales = [float(np.abs(some).max()) or 1.0 for some in (when, values)]
    times, heights = (
        some / scale - (some / scale).mean()
        for some, scale in zip((when, values), scales, strict=True)
    )
    observed = float(times @ heights)
    steep = abs(observed) - ROUNDING * float(np.linalg.norm(times) * np.linalg.norm(heights))
    count = len(values)
    exact = count <= MOST_EXACT
    if exact:
        orders = heights[np.array([*permutations(range(count))])]
        share = float((np.abs(orders @ times) >= steep).mean())
    else:
        drawn = np.random.default_rng(seed).permuted(np.tile(heights, (samples, 1)), axis=1)
        share = (int((np.abs(drawn @ times) >= steep).sum()) + 1) / (samples + 1)
    slope = observed / float(times @ times) * scales[1] / scales[0]
    if not isfinite(slope):
        raise SettingError(
            f"The values are so large (at most {scales[1]:.1g}) beside the times (at most "
            f"{scales[0]:.1g}) that no float is as steep; use larger units of the values."
        )
    smallest = smallest_of_orders(when)
    return Trend(slope, share, exact, smallest if exact else max(smallest, 1 / (samples + 1)))


def smallest_of_orders(when: FloatArray) -> float:
    """Return the smallest p that so many times can give.

    Equal times may change places, and where times lie as in a mirror the reverse order is as steep.
    """
    ordered = np.sort(np.asarray(when, np.float64))
    middles = ordered / 2 + ordered[::-1] / 2
    slack = 1e-12 * float(np.abs(ordered).max())
    mirrored = 2 if np.allclose(middles, middles[0], rtol=0, atol=slack) else 1
    same = prod(factorial(times) for times in Counter(ordered.tolist()).values())
    return min(1.0, mirrored * same / factorial(len(ordered)))
