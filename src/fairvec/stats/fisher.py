"""The exact test of a table of two by two."""

from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln

from fairvec.ground.errors import SettingError
from fairvec.stats.arrays import FloatArray, IntArray

_TIES = 1e-7
"""Tables whose chances differ by no more than this share are equally likely."""


@dataclass(frozen=True, eq=False)
class TwoByTwo:
    """All tables with the margins of one: `drawn` of n = `first` + `second` items, by chance.

    The count of `first` items among the drawn is hypergeometric: `counts` are its values and
    `chances` their chances.
    """

    counts: IntArray
    chances: FloatArray

    @property
    def smallest(self) -> float:
        """The smallest p that these margins can give."""
        least = float(self.chances.min())
        return float(self.chances[self.chances <= least * (1 + _TIES)].sum())

    def p(self, count: int) -> float:
        """Return how likely a table at most as likely as the one with this count is: two-sided.

        Fisher (1922), doi:10.2307/2340521.
        """
        observed = self.chances[self.counts == count]
        if not len(observed):
            raise SettingError(f"A table with these margins cannot hold {count}.")
        as_rare = self.chances <= observed[0] * (1 + _TIES)
        # All tables together are certain, whatever rounding makes of their sum.
        return 1.0 if as_rare.all() else min(1.0, float(self.chances[as_rare].sum()))


def two_by_two(first: int, second: int, drawn: int) -> TwoByTwo:
    """Return the tables in which `drawn` of `first` + `second` items were drawn by chance."""
    if min(first, second, drawn) < 0 or drawn > first + second:
        raise SettingError(
            f"{drawn} items cannot be drawn of {first} and {second}; count each item once."
        )
    counts = np.arange(max(0, drawn - second), min(first, drawn) + 1)

    def ways(items: int, chosen: IntArray) -> FloatArray:
        found: FloatArray = gammaln(items + 1) - gammaln(chosen + 1) - gammaln(items - chosen + 1)
        return found

    logs = ways(first, counts) + ways(second, drawn - counts)
    chances = np.exp(logs - logs.max())
    return TwoByTwo(counts, chances / chances.sum())
