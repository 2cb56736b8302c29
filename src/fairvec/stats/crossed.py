"""Figures over items and trainings at once: one run of a network proves little.

A table has a row an item and a column a training (a pass). Another sample of items would give
other figures, and so would another pass, so both have a part in the error.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, sqrt
from typing import Literal

import numpy as np
from scipy.special import stdtr, stdtrit

from fairvec.core.errors import SettingError
from fairvec.core.format import is_significant
from fairvec.core.numeric import FloatArray
from fairvec.stats.values import Interval, PairedP

ROUNDING = 1e-13
"""A share of the largest value: values that differ by no more are equal."""


@dataclass(frozen=True, eq=False)
class CrossedRatio:
    """A figure that is a ratio of sums over items, in each pass: sum(above) / sum(below).

    Accuracy, precision, recall and F1 all are. Both tables have the shape (items, passes). Where
    nothing is below the line, the figure is 0.
    """

    above: FloatArray
    below: FloatArray

    def __post_init__(self) -> None:
        if self.above.ndim != 2 or self.above.shape != self.below.shape or self.above.size == 0:
            raise SettingError(
                "A figure over items and passes needs two tables of one shape, not "
                f"{self.above.shape} and {self.below.shape}."
            )

    @property
    def by_pass(self) -> FloatArray:
        """F_s, the figure of each pass."""
        return _divide(self.above.sum(axis=0), self.below.sum(axis=0))

    @property
    def without_item(self) -> FloatArray:
        """The mean of F_s over the passes with each item left out, in closed form."""
        above = self.above.sum(axis=0) - self.above
        below = self.below.sum(axis=0) - self.below
        left: FloatArray = _divide(above, below).mean(axis=1)
        return left


@dataclass(frozen=True)
class CrossedEstimate:
    """A figure, or a difference of two, with its variance from items and from passes.

    estimate    mean over the passes of F_s
    of_items    jackknife: (n - 1) / n sum_i (F_(i) - mean of these)^2, F_(i) without item i; for
                a mean that is the variance of the items' means over n
    of_passes   var_s(F_s) / S; None with one pass, whose luck cannot be told

    The two are added. What is neither the item's nor the pass's (the residual, over n S) is then
    counted twice, so that intervals are a little too wide and p a little too large. With few passes
    it can be the other way: their variance is then hardly known, and where it outweighs that of the
    items a small p comes too often (docs/tasks.md says how often, with 2 passes to 10).

    Testing over items alone leaves out the luck of training, testing over runs alone the luck of
    the items, which all runs share: Nadeau & Bengio (2003), doi:10.1023/A:1024068626366. The
    variance of a two-way crossed mean: Searle, Casella & McCulloch (1992), Variance Components,
    chapter 4.
    """

    estimate: float
    of_items: float
    of_passes: float | None
    items: int
    passes: int

    @property
    def variance(self) -> float:
        """The squared standard error."""
        return self.of_items + (self.of_passes or 0.0)

    @property
    def freedom(self) -> float:
        """Satterthwaite's degrees of freedom: V^2 / (V_i^2 / (n - 1) + V_s^2 / (S - 1)).

        Satterthwaite (1946), doi:10.2307/3002019.
        """
        below = self.of_items**2 / max(self.items - 1, 1)
        if self.of_passes is not None:
            below += self.of_passes**2 / (self.passes - 1)
        return self.variance**2 / below if below > 0 else inf

    @property
    def p(self) -> float:
        """Two-sided p of Student's t against zero.

        Where all items changed alike nothing varies, and p is that of so many equal coins.
        """
        if self.estimate == 0:
            return 1.0
        if self.variance == 0:
            return float(min(1.0, 2.0 ** (1 - self.items)))
        t = abs(self.estimate) / sqrt(self.variance)
        return float(min(1.0, 2 * stdtr(self.freedom, -t)))

    def p_value(self, changed: int, method: Literal["two-way", "crossed"]) -> PairedP:
        """Return p as that of a change in so many items."""
        return PairedP(value=self.p, low=self.p, high=self.p, method=method, changed=changed)

    def interval(
        self, over: str, level: float = 0.95, *, within: tuple[float, float] = (-inf, inf)
    ) -> Interval | None:
        """Return what Student's t `over` some things does not reject, `within` what can be.

        Where nothing varies p is that of coins: if these are too few to reject zero they reject
        nothing, and any figure is allowed: None where there are no bounds. A share lies within 0
        and 1, a change of one within -1 and 1.
        """
        lowest, highest = within
        if self.variance == 0:
            sure = self.estimate == 0 or is_significant(self.p, 1 - level)
            limits = (self.estimate, self.estimate) if sure else (lowest, highest)
        else:
            reach = float(stdtrit(self.freedom, (1 + level) / 2)) * sqrt(self.variance)
            limits = max(lowest, self.estimate - reach), min(highest, self.estimate + reach)
        return Interval.from_limits(limits, level, "student-t", f"Student's t over {over}")


def crossed_estimate(figure: CrossedRatio) -> CrossedEstimate:
    """Return the mean figure over the passes, and how sure it is."""
    return _estimate(figure.by_pass, figure.without_item)


def crossed_difference(before: CrossedRatio, after: CrossedRatio) -> CrossedEstimate:
    """Return figure after less figure before, paired by item and by pass, and how sure it is.

    Both must be of the same items and of as many passes; where two passes share a seed they share
    the folds, and what these do to both models falls out of the difference.
    """
    if before.above.shape != after.above.shape:
        raise SettingError(
            "Figures are compared over the same items and passes, not over tables of shape "
            f"{before.above.shape} and {after.above.shape}."
        )
    return _estimate(after.by_pass - before.by_pass, after.without_item - before.without_item)


def dyadic_mean(values: FloatArray, shared: Sequence[tuple[str, str]]) -> CrossedEstimate:
    """Return the mean of items that combine two things each, and how sure it is over both.

    Items i in group g of the things of one kind, of which there are G:

        V = G / (G - 1) sum_g (sum_{i in g} (v_i - mean) / n)^2

    and the V of the two kinds are added, as in any `CrossedEstimate`. Where things of one kind are
    combined with one another (an analogy asks of two pairs, each of which comes first and second),
    g has the items with it in either place, and there is one V. Items alone would be far too sure:
    one thing that changed moves all items that it is part of. Where models are equal but for luck
    in 11 x 20 pairs, in their combinations, or in both, p <= .05 comes in 1 to 3 % of 3,000 cases
    each, and in 35 % if items are swapped one by one; among 20 pairs combined with one another in
    1 to 5 %, and in 53 %. With one thing of a kind nothing is known of others, and it is held to be
    all there is.

    Aronow, Samii & Assenova (2015), doi:10.1093/pan/mpv018: items that combine things of one kind.
    """
    if len(values) != len(shared) or not len(values):
        raise SettingError(
            f"A mean of combinations needs two names an item, not {len(shared)} of {len(values)}."
        )
    away = _deviations(values) / len(values)
    ones, others = (np.array(names) for names in zip(*shared, strict=True))
    if {*ones.tolist()} & {*others.tolist()}:
        apart = ones != others  # an item that combines a thing with itself has it once
        kinds, places = np.unique(np.concatenate([ones, others[apart]]), return_inverse=True)
        sums = np.bincount(places, weights=np.concatenate([away, away[apart]]))
        spread = float(sums @ sums) * len(kinds) / max(len(kinds) - 1, 1)
        return CrossedEstimate(float(values.mean()), spread, None, len(kinds), 1)
    variances, counts = [], []
    for names in (ones, others):
        kinds, places = np.unique(names, return_inverse=True)
        sums = np.bincount(places, weights=away)
        counts.append(len(kinds))
        variances.append(float(sums @ sums) * len(kinds) / max(len(kinds) - 1, 1))
    second = variances[1] if counts[1] > 1 else None
    return CrossedEstimate(float(values.mean()), variances[0], second, *counts)


def _estimate(by_pass: FloatArray, without_item: FloatArray) -> CrossedEstimate:
    items, passes = len(without_item), len(by_pass)
    return CrossedEstimate(
        float(by_pass.mean()),
        float((items - 1) / items * (_deviations(without_item) ** 2).sum()),
        float((_deviations(by_pass) ** 2).sum() / (passes - 1) / passes) if passes > 1 else None,
        items,
        passes,
    )


def _deviations(values: FloatArray) -> FloatArray:
    """Return values less their mean; what rounding makes of equal ones is nothing."""
    away = values - values.mean()
    return np.where(np.abs(away) > ROUNDING * np.abs(values).max(), away, 0.0)


def _divide(above: FloatArray, below: FloatArray) -> FloatArray:
    """Divide; 0 where nothing is below."""
    return np.divide(above, below, out=np.zeros_like(above), where=below != 0)
