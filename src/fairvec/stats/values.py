"""What a test gives: p-values and intervals, which the records hold as they are."""

from decimal import ROUND_CEILING, Decimal
from math import atanh, inf, isfinite, log10, sqrt, tanh
from statistics import NormalDist
from typing import Any, Literal, Self

from pydantic import Field, model_validator

from fairvec.core.validation import Count, Record, Share

Sides = Literal["two", "greater", "less"]
Ties = Literal[">=", ">"]

MOST_DIGITS = 300
"""A longer count is kept by its logarithm alone: floats end there, and many readers of JSON."""


class PValue(Record):
    """How often a random regrouping of the words gives a statistic at least as extreme."""

    partitions: int | None = Field(
        description=f"Number of possible regroupings; null if it has over {MOST_DIGITS} digits"
    )
    log10_partitions: float = Field(
        default=0.0, description="Decimal logarithm of that number, always there"
    )
    value: Share = Field(description="The p-value; for a certified one the upper bound")
    low: Share = Field(
        description="Lower bound: p itself if exact, proven if certified, 99 % sure if sampled"
    )
    high: Share = Field(
        description="Upper bound: p itself if exact, proven if certified, 99 % sure if sampled"
    )
    method: Literal["exact", "certified", "sampled"] = Field(description="How it was obtained")
    sides: Sides = Field(description="Which tail is counted")
    ties: Ties = Field(description="Whether equal statistics count as extreme")
    smallest: Share = Field(description="The smallest p that these list sizes can give")
    samples: Count | None = Field(default=None, description="Random regroupings drawn, if sampled")
    standard_error: float | None = Field(default=None, description="Monte Carlo error, if sampled")
    seed: int | None = Field(default=None, description="Seed of the sampling, if sampled")

    @model_validator(mode="before")
    @classmethod
    def _count(cls, given: Any) -> Any:
        """Take the logarithm of a count, and long counts out."""
        if not isinstance(given, dict):
            return given
        count = given.get("partitions")
        if count is None and "log10_partitions" not in given:
            raise ValueError("needs partitions, or log10_partitions where there are too many")
        if not isinstance(count, int) or count < 1:
            return given
        kept = count if count < 10**MOST_DIGITS else None
        return {**given, "partitions": kept, "log10_partitions": log10(count)}


class PairedP(Record):
    """How often chance alone changes a figure as much.

    Of an effect of two lists of words: how often permuting the words' changes between the lists
    does. Of a figure over items, such as pairs of persons or rated pairs: how often swapping before
    and after does, item by item. Where a network is trained the item is not all that is drawn: over
    items and trainings p is that of Student's t (two-way). So it is over the two things that the
    items of a benchmark combine, where they are combinations (crossed).
    """

    value: Share = Field(description="The p-value; two-sided, ties and the observed one count")
    low: Share = Field(
        description="Lower bound: p itself if exact, proven if certified, 99 % sure if sampled"
    )
    high: Share = Field(
        description="Upper bound: p itself if exact, proven if certified, 99 % sure if sampled"
    )
    method: Literal["exact", "certified", "sampled", "two-way", "crossed"] = Field(
        description="How it was obtained; two-way: Student's t with the variance over items added "
        "to that over trainings; crossed: with those over the two things that items combine"
    )
    changed: Count = Field(
        description="Words or items that changed; items can be swapped in 2 to this power ways"
    )
    smallest: Share | None = Field(
        default=None, description="The smallest p that so many words or changed items can give"
    )
    samples: Count | None = Field(
        default=None, description="Random permutations or swaps drawn, if sampled"
    )
    standard_error: float | None = Field(default=None, description="Monte Carlo error, if sampled")
    seed: int | None = Field(default=None, description="Seed of the sampling, if sampled")

    @classmethod
    def from_permutation(cls, p: PValue, changed: int) -> Self:
        """Return the p-value of a test that permutes, of which so many words or items changed."""
        return cls(changed=changed, **p.model_dump(include=set(cls.model_fields)))


def is_sampling_floor(how: PValue | PairedP, p: float | None = None) -> bool:
    """Return whether none of N draws was as extreme: then p is at most 1/(N + 1), not equal to it.

    `p` is another p of the same draws, such as the two-sided one; without it that of `how`. A
    corrected p is a bound where the p that was corrected is one.
    """
    p = how.value if p is None else p
    return how.method == "sampled" and how.samples is not None and p * (how.samples + 1) < 1 + 1e-9


LARGEST_WITH_HUNDREDTHS = 1e13

NEARLY_ALL = 0.95
"""An end beyond this share of what is possible rules out next to nothing."""

IntervalKind = Literal[
    "inverted", "bootstrap", "student-t", "korn-graubard", "fisher-z", "prediction", "known"
]
"""How an interval is made: it holds the values that a permutation test does not reject; resampling;
Student's t; Clopper and Pearson's interval of clustered items; Fisher's z of a correlation; where
the effect of one more test lies; one value that is known."""


class Interval(Record):
    """Where the effect would lie with other words of the same kind."""

    low: float = Field(description="Lower end")
    high: float = Field(description="Upper end")
    level: Share = Field(description="Nominal coverage, e.g. 0.95")
    kind: IntervalKind = Field(description="What kind of interval it is")
    method: str = Field(
        description="The same in words: inverted permutation test (of scores or of changes; exact, "
        "certified or sampled), inverted joint regrouping, inverted paired test, the name of the "
        "bootstrap, Fisher's z, or Korn-Graubard or Student's t and over what"
    )
    resamples: Count | None = Field(
        default=None, description="Regroupings or resamples drawn; null if nothing was drawn"
    )
    seed: int | None = Field(default=None, description="Seed of the drawing; null if none")

    @classmethod
    def from_limits(
        cls,
        limits: tuple[float, float],
        level: float,
        kind: IntervalKind,
        method: str,
        *,
        p: PValue | None = None,
    ) -> Self | None:
        """Return the interval between two limits; None where one of them is infinite.

        `p` is the p-value of the test that was inverted: an interval shares its draws.
        """
        low, high = map(float, limits)
        if not (isfinite(low) and isfinite(high)):
            return None
        drawn = {"resamples": p.samples, "seed": p.seed} if p else {}
        return cls(low=low, high=high, level=level, kind=kind, method=method, **drawn)

    @classmethod
    def of_correlation(cls, r: float, items: int, level: float) -> Self | None:
        """Return the interval of a correlation, had its items been drawn at random.

        tanh(artanh r +- z / sqrt(n - 3)), Fisher's z; None for fewer than four items.
        """
        if items <= 3:
            return None
        if abs(r) >= 1:
            return cls(low=r, high=r, level=level, kind="fisher-z", method="Fisher's z")
        reach = NormalDist().inv_cdf((1 + level) / 2) / sqrt(items - 3)
        ends = tanh(atanh(r) - reach), tanh(atanh(r) + reach)
        return cls.from_limits(ends, level, "fisher-z", "Fisher's z")

    @classmethod
    def at(cls, value: float) -> Self:
        """Return the interval of a figure that is known: this value alone."""
        return cls(low=value, high=value, level=1.0, kind="known", method="known")

    def scaled(self, unit: float, offset: float = 0.0) -> Self:
        """Return the interval of `offset + unit x`, x the figure that this one is of."""
        low, high = sorted((offset + unit * self.low, offset + unit * self.high))
        return self.model_copy(update={"low": low, "high": high})

    def clipped(self, lowest: float = -inf, highest: float = inf) -> Self:
        """Return the part of the interval that lies within what the figure can be."""
        return self.model_copy(
            update={"low": max(lowest, self.low), "high": min(highest, self.high)}
        )

    def rules_out(
        self, reach: tuple[float, float] = (-inf, inf)
    ) -> tuple[float | None, float | None]:
        """Return the ends below and above which effects are ruled out; None on a side without one.

        They are rounded to hundredths, away from zero, so that no effect inside the interval is
        ruled out. `reach` are the smallest and the largest effect that can be: an end about as far
        out rules out nothing. Nor does one beyond zero, which would claim an effect by ruling out
        others.
        """
        below, above = -_round_up(-self.low), _round_up(self.high)
        return (
            below if self.low < 0 and below > NEARLY_ALL * reach[0] else None,
            above if self.high > 0 and above < NEARLY_ALL * reach[1] else None,
        )

    def is_within(self, margin: float) -> bool:
        """Return whether every value of the interval is at most `margin` in size."""
        return self.low >= -margin and self.high <= margin

    def contains(self, value: float) -> bool:
        """Return whether the test that was inverted, or what was resampled, allows this value."""
        return self.low <= value <= self.high


def _round_up(end: float) -> float:
    if abs(end) > LARGEST_WITH_HUNDREDTHS:
        return end
    # By its shortest digits: 0.63 is no exact binary number, and would become 0.64.
    return float(Decimal(repr(end)).quantize(Decimal("0.01"), ROUND_CEILING))
