"""Slow, obvious recomputations to check the fast ones against."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from statistics import mean


def permutation_p(x: Sequence[Fraction], y: Sequence[Fraction], sides: str, ties: str) -> Fraction:
    """Try every split, in exact arithmetic."""
    pooled = [*x, *y]

    def statistic(chosen: Sequence[int]) -> Fraction:
        left = [v for i, v in enumerate(pooled) if i not in chosen]
        difference = mean(pooled[i] for i in chosen) - mean(left)
        return {"two": abs(difference), "greater": difference, "less": -difference}[sides]

    observed = statistic(range(len(x)))
    splits = [statistic(c) for c in combinations(range(len(pooled)), len(x))]
    extreme = [t for t in splits if t > observed or (ties == ">=" and t == observed)]
    return Fraction(len(extreme), len(splits))


def subsets_in_tails(scores: Sequence[int], size: int, above: int | None, below: int | None) -> int:
    sums = [sum(c) for c in combinations(scores, size)]
    return sum(
        (above is not None and s >= above) or (below is not None and s <= below) for s in sums
    )
