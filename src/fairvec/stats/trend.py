"""Whether what was found at several times goes up or down with time."""

from collections import Counter
from dataclasses import dataclass
from itertools import permutations
from math import factorial, prod

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
    times, heights = when - when.mean(), values - values.mean()
    # In a unit of their own, so that squares of very large or small times are numbers too.
    unit = float(np.abs(times).max())
    times = times / unit
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
    return Trend(observed / float(times @ times) / unit, share, exact, smallest_of_orders(when))


def smallest_of_orders(when: FloatArray) -> float:
    """Return the smallest p that so many times can give.

    Equal times may change places, and where times lie as in a mirror the reverse order is as steep.
    """
    ordered = np.sort(np.asarray(when, np.float64))
    sums = ordered + ordered[::-1]
    mirrored = 2 if np.allclose(sums, sums[0], rtol=1e-12, atol=0) else 1
    same = prod(factorial(times) for times in Counter(ordered.tolist()).values())
    return min(1.0, mirrored * same / factorial(len(ordered)))
