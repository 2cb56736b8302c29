"""Lists of other lengths, drawn from the words at hand, and what a test would say with them."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import partial
from math import comb, sqrt

import numpy as np
import numpy.typing as npt

from fairvec.geometry import FloatArray, Geometry
from fairvec.ground.level import significant
from fairvec.lexicon import Groups
from fairvec.metrics import Weat
from fairvec.metrics.bias.parts.association import closeness
from fairvec.metrics.bias.parts.effect_size import EffectSize, leanings
from fairvec.results import DrawnLists
from fairvec.stats import permutation_test

MOST_EXACT, SAMPLES, MORE_SAMPLES = 3 * 10**6, 999, 19_999
"""p is exact up to so many regroupings (12 + 12 words); beyond, so many are drawn, or more."""

Rows = dict[str, npt.NDArray[np.int64]]


@dataclass(frozen=True, eq=False)
class NearTable:
    """The similarity of every target to every attribute: all that lists can be drawn from.

    `near` has a row for each word of X and then Y, a column for each of A and then B.
    """

    near: FloatArray
    sizes: Mapping[str, int]
    effect: EffectSize

    def effect_and_leanings(self, rows: Rows) -> tuple[float, FloatArray, FloatArray]:
        """Return d and the leanings of X and Y for lists given by their words' places."""
        columns = [self.sizes["x"], self.sizes["a"]]
        means = [
            np.column_stack(
                [
                    self.near[np.ix_(targets, rows["a"])].mean(axis=1),
                    self.near[np.ix_(targets, columns[1] + rows["b"])].mean(axis=1),
                ]
            )
            for targets in (rows["x"], columns[0] + rows["y"])
        ]
        return float(self.effect(*means)), leanings(means[0]), leanings(means[1])

    def stretched(self, roles: Collection[str]) -> "NearTable":
        """Return it with the words of some lists farther from their list's mean.

        By sqrt(n / (n - 1)): draws with replacement then have the variance that is estimated of
        the population, and not the smaller one of the n words at hand.
        """
        near = self.near.copy()
        for role in roles:
            first = self.sizes[{"y": "x", "b": "a"}[role]] if role in "yb" else 0
            own = slice(first, first + self.sizes[role])
            part = near[own] if role in "xy" else near[:, own].T
            words = self.sizes[role]
            mean = part.mean(axis=0)
            moved = mean + (part - mean) * sqrt(words / (words - 1))
            if role in "xy":
                near[own] = moved
            else:
                near[:, own] = moved.T
        return replace(self, near=near)


def near_table(groups: Groups, metric: Weat, geometry: Geometry) -> NearTable:
    """Compare all words of a test once."""
    a, b = groups["a"].vectors, groups["b"].vectors
    parts = [
        closeness(groups[role].vectors, a, b, metric.similarity, geometry) for role in ("x", "y")
    ]
    near = np.block([[part.to_a, part.to_b] for part in parts])
    sizes = {role: len(groups[role].found) for role in "xyab"}
    return NearTable(near, sizes, metric.effect_size)


def sublists(
    table: NearTable, roles: Collection[str], words: int, generator: np.random.Generator
) -> Rows:
    """Draw so many words of some lists without replacement, or all of a list that has no more."""

    def drawn(role: str) -> npt.NDArray[np.int64]:
        return np.sort(generator.permutation(table.sizes[role])[:words])

    return _rows(table, roles, drawn)


def new_lists(
    table: NearTable, roles: Collection[str], words: int, generator: np.random.Generator
) -> Rows:
    """Draw so many words of some lists with replacement."""
    return _rows(table, roles, lambda role: generator.integers(table.sizes[role], size=words))


def _rows(
    table: NearTable, roles: Collection[str], drawn: Callable[[str], npt.NDArray[np.int64]]
) -> Rows:
    return {
        role: drawn(role) if role in roles else np.arange(size)
        for role, size in table.sizes.items()
    }


def drawn_lists(
    table: NearTable, draw: Callable[[], Rows], *, sign: float, draws: int, alpha: float, seed: int
) -> DrawnLists:
    """Say how often lists are significant with this sign and the other, and where 95 % of d lie.

    Lists whose words all lean alike have no effect and are not significant.
    """
    effects, evident = [], {True: 0, False: 0}
    for _ in range(draws):
        effect, x, y = table.effect_and_leanings(draw())
        if np.isfinite(effect):
            effects.append(effect)
            evident[effect * sign > 0] += is_evident(x, y, alpha=alpha, seed=seed)
    low, high = np.quantile(effects, [0.025, 0.975]).tolist() if effects else (None, None)
    return DrawnLists(
        significant=evident[True] / draws, opposite=evident[False] / draws, low=low, high=high
    )


def is_evident(x: FloatArray, y: FloatArray, *, alpha: float, seed: int) -> bool:
    """Say whether two lists differ by two-sided permutation.

    Exactly where that is quick; else 999 regroupings decide if their 99 % bounds leave out alpha,
    and 19,999 where they do not.
    """
    if comb(len(x) + len(y), len(x)) <= MOST_EXACT:
        return significant(permutation_test(x, y, method="exact").value, alpha)
    drawn = partial(permutation_test, x, y, method="sampled", seed=seed)
    p = drawn(samples=SAMPLES)
    if p.low <= alpha <= p.high:
        p = drawn(samples=MORE_SAMPLES)
    return significant(p.value, alpha)
