"""Slow, obvious recomputations to check the fast ones against."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product
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


Regrouping = tuple[Fraction, Fraction]
"""A statistic, and the share of a shift that it carries."""


def regroupings(x: Sequence[Fraction], y: Sequence[Fraction]) -> list[Regrouping]:
    """The difference of means of every split, and what a shift of x by 1 adds to it."""
    pooled, moved = [*x, *y], [*(Fraction(1) for _ in x), *(Fraction(0) for _ in y)]

    def difference(of: Sequence[Fraction], chosen: Sequence[int]) -> Fraction:
        left = [v for i, v in enumerate(of) if i not in chosen]
        return mean(of[i] for i in chosen) - mean(left)

    splits = combinations(range(len(pooled)), len(x))
    return [(difference(pooled, c), difference(moved, c)) for c in splits]


def signed_sums(shares: Sequence[Fraction], weights: Sequence[Fraction]) -> list[Regrouping]:
    """The sum of the shares under every choice of signs, and that of the weights."""
    every = product((1, -1), repeat=len(shares))
    return [
        (
            sum((s * v for s, v in zip(signs, shares, strict=True)), Fraction(0)),
            sum((s * w for s, w in zip(signs, weights, strict=True)), Fraction(0)),
        )
        for signs in every
    ]


def p_of_shift(every: Sequence[Regrouping], shift: Fraction) -> Fraction:
    """The share that is as extreme as the first one, which is what was observed, less a shift."""
    observed = abs(every[0][0] - shift)
    extreme = sum(abs(t - shift * w) >= observed for t, w in every)
    return Fraction(extreme, len(every))


def kept_shifts(every: Sequence[Regrouping], alpha: Fraction) -> tuple[Fraction, Fraction] | None:
    """The least and the greatest shift whose p exceeds alpha; None if there is no end to them."""
    observed = every[0][0]
    turns = {observed}
    for t, w in every:
        turns |= {(observed - t) / (1 - w)} if w != 1 else set()
        turns |= {(observed + t) / (1 + w)} if w != -1 else set()
    # Between two of these nothing changes, and each belongs to both of its sides.
    outside = max(turns) + 1
    if p_of_shift(every, outside) > alpha:
        return None
    kept = [shift for shift in turns if p_of_shift(every, shift) > alpha]
    return min(kept), max(kept)
