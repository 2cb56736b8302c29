"""Slow, obvious recomputations to check the fast ones against."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from statistics import mean

import numpy as np
from numpy.typing import ArrayLike

from fairvec.core.numeric import FloatArray
from fairvec.stats import ScoredLists

# --- Slow, obvious recomputations to check the fast ones against ---


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


# --- An effect to resample: Caliskan's d ---


def caliskan_d(x: FloatArray, y: FloatArray) -> FloatArray:
    """Difference of means over the standard deviation (ddof 1) of both lists together."""
    spread = np.concatenate([x, y], axis=1).std(axis=(1, 2), ddof=1)
    difference = x.mean(axis=(1, 2)) - y.mean(axis=(1, 2))
    effects = np.full(len(x), np.nan)
    np.divide(difference, spread, out=effects, where=spread > 1e-12)
    return effects


# --- Joint regroupings the slow way: every word changes side or does not ---


def lists(
    x: Sequence[str], y: Sequence[str], x_scores: ArrayLike, y_scores: ArrayLike
) -> ScoredLists:
    return ScoredLists(tuple(x), tuple(y), np.array(x_scores, float), np.array(y_scores, float))


def drawn_lists(
    words: Sequence[tuple[str, str]], seed: int, *, leaning: float = 0.0
) -> list[ScoredLists]:
    """Tests of the letters in each pair of strings, with normal scores."""
    generator = np.random.default_rng(seed)
    return [
        lists(x, y, generator.normal(leaning, 1, len(x)), generator.normal(0, 1, len(y)))
        for x, y in words
    ]


def d_of(x: FloatArray, y: FloatArray) -> float:
    return float((x.mean() - y.mean()) / np.concatenate([x, y]).std(ddof=1))


def flipped(tests: Sequence[ScoredLists]) -> Iterator[tuple[frozenset[str], list[float]]]:
    """Yield the words that change side, wherever all lists keep their sizes, and each test's d."""
    words = sorted({word for test in tests for word in (*test.x, *test.y)})
    for signs in product((False, True), repeat=len(words)):
        away = {word for word, gone in zip(words, signs, strict=True) if gone}
        if any(len(away.intersection(test.x)) != len(away.intersection(test.y)) for test in tests):
            continue
        effects = []
        for test in tests:
            scores = np.concatenate([test.x_scores, test.y_scores])
            is_x = np.array(
                [word not in away for word in test.x] + [word in away for word in test.y]
            )
            effects.append(d_of(scores[is_x], scores[~is_x]))
        yield frozenset(away), effects


def pooled(every: FloatArray, own: FloatArray, sigma: FloatArray | None = None) -> FloatArray:
    """The pooled effect of every regrouping (a row), by the formulas and with loops."""
    if sigma is None:
        sigma = np.atleast_2d(np.cov(every.T, ddof=0))
    correlations = sigma / np.sqrt(np.outer(np.diag(sigma), np.diag(sigma)))
    repeats = (correlations**2).sum(axis=1)
    weights = 1 / (own * repeats)
    moments = np.diag(weights) - np.outer(weights, weights) / weights.sum()
    found = []
    for effects in every:
        q = effects @ moments @ effects
        trace = np.trace(moments)
        between = max(0.0, (q - np.trace(moments @ sigma)) / trace) if len(own) > 1 else 0.0
        shares = 1 / ((own + between) * repeats)
        found.append(shares @ effects / shares.sum())
    return np.array(found)
