"""The two-sample permutation test: exact, certified or sampled."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from math import comb, sqrt
from typing import Literal

import numpy as np
from scipy.special import betaincinv

from fairvec.core.errors import SettingError
from fairvec.core.numeric import FloatArray, IntArray
from fairvec.core.settings import check_choice
from fairvec.stats.permutation import certified_bounds as certified
from fairvec.stats.permutation import meet_in_the_middle as exact
from fairvec.stats.permutation.subset_sums import TailQuestion, to_integer_grid
from fairvec.stats.values import PValue, Sides, Ties

NUMBERS_AT_A_TIME = 2**22


@dataclass(frozen=True, eq=False)
class Draws:
    """Random subsets: the sum of each, and how many of its scores stood in the first list."""

    sums: IntArray
    stayed: IntArray


def draws(scores: IntArray, size: int, samples: int, seed: int) -> Draws:
    """Draw subsets of `size` scores, of which the first `size` are the first list.

    No score is drawn twice into one subset. The same seed draws the same places whatever the
    scores are, and however many subsets are drawn at a time.
    """
    if samples < 1:
        raise SettingError(f"A sampled p-value needs at least one sample, not {samples}.")
    return _draws(scores.tobytes(), size, samples, seed, NUMBERS_AT_A_TIME)


# A p-value and its interval ask for the same draws, one after the other.
@lru_cache(maxsize=1)
def _draws(numbers: bytes, size: int, samples: int, seed: int, at_a_time: int) -> Draws:
    # Here, because it imports numba.
    from fairvec.stats.permutation.kernels import draw_subsets

    scores = np.frombuffer(numbers, np.int64).copy()
    words = len(scores)
    fewer = min(size, words - size)
    generator = np.random.default_rng(seed)
    sums, stayed = np.empty(samples, np.int64), np.empty(samples, np.int64)
    order = np.arange(words)
    block = max(1, at_a_time // max(fewer, 1))
    for start in range(0, samples, block):
        some = slice(start, min(start + block, samples))
        random = generator.integers(2**32, size=(some.stop - start, fewer), dtype=np.uint32)
        draw_subsets(scores, size, random, order, sums[some], stayed[some])
    if fewer < size:  # the scores that are left out were drawn
        return Draws(int(scores.sum()) - sums, size - stayed)
    return Draws(sums, stayed)


def count(question: TailQuestion, samples: int, seed: int) -> int:
    """Return how many of `samples` random subsets lie in the tails."""
    sums = draws(question.scores, question.size, samples, seed).sums
    found = 0
    if question.above is not None:
        found += int((sums >= question.above).sum())
    if question.below is not None:
        found += int((sums <= question.below).sum())
    return found


PMethod = Literal["auto", "exact", "certified", "sampled"]

ROUNDING_BITS = 44
"""A score is trusted to 2^-44 (6e-14) of the largest one, hundreds of times its own rounding."""

CLOSE_ENOUGH = 1e-4
"""Certified bounds this close are preferred to sampling even where they are not tight."""

SAMPLING_CONFIDENCE = 0.99
"""Confidence of the bounds given with a sampled p-value."""


def permutation_test(
    x: FloatArray,
    y: FloatArray,
    *,
    sides: Sides = "two",
    ties: Ties = ">=",
    method: PMethod = "auto",
    samples: int = 100_000,
    seed: int = 0,
) -> PValue:
    """Return how often regrouping x and y at random gives as extreme a difference of means.

    p = (splits with T >= T observed) / (all splits), where T = mean(x) - mean(y) for `sides`
    "greater", -T for "less" and |T| for "two". A small p says that the grouping matters; p = 1 that
    it does not, as when all scores are equal.

    Sums that differ by at most n 2^-44 of the largest score (n words) tie, because rounding alone
    may have told them apart. With `ties` ">=" the observed split counts itself and p is never 0;
    with ">", as in the WEAT papers, it may be. `method` "auto" is exact as long as the sums can be
    listed (to 25 + 25 words), else certified where the bounds are close, else sampled.

    Caliskan et al. (2017), doi:10.1126/science.aal4230; the sampled p is (c + 1)/(N + 1), or the
    smallest there is if that is larger, after Phipson and Smyth (2010),
    doi:10.2202/1544-6115.1585.
    """
    (found,) = permutation_tests(x, y, [(sides, ties)], method=method, samples=samples, seed=seed)
    return found


def permutation_tests(
    x: FloatArray,
    y: FloatArray,
    rules: Sequence[tuple[Sides, Ties]],
    *,
    method: PMethod = "auto",
    samples: int = 100_000,
    seed: int = 0,
) -> list[PValue]:
    """Return the p-value of x and y for each choice of sides and ties.

    Each is what `permutation_test` returns; the sums that take most of the time are listed once.
    """
    for sides, ties in rules:
        _check_settings(sides, ties, method)
    x, y = checked_scores(x), checked_scores(y)
    sums: exact.SumCache = []
    rows: certified.RowCache = {}
    found = []
    for sides, ties in rules:
        p_value = partial(
            PValue,
            sides=sides,
            ties=ties,
            partitions=comb(len(x) + len(y), len(x)),
            smallest=smallest_attainable_p(len(x), len(y), sides=sides, ties=ties),
        )
        question = question_of(x, y, sides, ties)
        found.append(_answer(question, p_value, method, samples, seed, sums, rows))
    return found


def _answer(
    question: TailQuestion | None,
    p_value: "partial[PValue]",
    method: PMethod,
    samples: int,
    seed: int,
    sums: exact.SumCache,
    rows: certified.RowCache,
) -> PValue:
    if question is None:
        return p_value(value=1.0, low=1.0, high=1.0, method="exact")
    if method == "exact" or (method == "auto" and exact.affordable(question)):
        share = exact.count(question, sums) / question.subsets
        return p_value(value=share, low=share, high=share, method="exact")
    if method == "certified" or (method == "auto" and certified.affordable(question)):
        low, high = certified.bounds(question, rows)
        if method == "certified" or close_enough(low, high):
            low = max(low, p_value.keywords["smallest"])
            return p_value(value=high, low=low, high=high, method="certified")
    found = count(question, samples, seed)
    # Few draws of few splits may miss the observed one and those that tie with it.
    share = max((found + 1) / (samples + 1), p_value.keywords["smallest"])
    low, high = clopper_pearson(found, samples)
    return p_value(
        value=share,
        low=low,
        high=max(high, share),
        method="sampled",
        samples=samples,
        standard_error=sqrt(share * (1 - share) / samples),
        seed=seed,
    )


def close_enough(low: float, high: float) -> bool:
    """Say whether certified bounds are close enough to be preferred to sampling."""
    return high - low <= max(CLOSE_ENOUGH, certified.TIGHT * high)


def smallest_attainable_p(nx: int, ny: int, *, sides: Sides = "two", ties: Ties = ">=") -> float:
    """Return the smallest p that lists of nx and ny words can give.

    One split in all of them; two if the lists are equally long and both sides count, because
    swapping the lists then always ties; 0 if ties do not count, not even the split with itself.
    """
    if ties == ">":
        return 0.0
    return (2 if sides == "two" and nx == ny else 1) / comb(nx + ny, nx)


def question_of(x: FloatArray, y: FloatArray, sides: Sides, ties: Ties) -> TailQuestion | None:
    """Say which sums over the first list are as extreme as the observed one; None if all are.

    All in whole numbers: with n words, a of them in the first list, the sum s of these and the sum
    t of all, the difference of means is (n s - a t) up to a positive factor.
    """
    words, size = len(x) + len(y), len(x)
    scores = to_integer_grid(np.concatenate([x, y]))
    largest = int(np.abs(scores).max())
    if int(scores.max()) - int(scores.min()) <= largest >> (ROUNDING_BITS - 1):
        return None
    slack = words * (words * largest >> ROUNDING_BITS)
    centre = size * int(scores.sum())
    observed = words * int(scores[:size].sum()) - centre
    observed = {"two": abs(observed), "greater": observed, "less": -observed}[sides]
    extreme = observed - slack if ties == ">=" else observed + slack + 1
    above = -(-(centre + extreme) // words) if sides != "less" else None
    below = (centre - extreme) // words if sides != "greater" else None
    if above is not None and below is not None and above <= below + 1:
        return None
    return TailQuestion(scores, size, above, below)


def clopper_pearson(found: int, samples: int) -> tuple[float, float]:
    """Return the share that `found` of so many draws stand for, between two sure bounds."""
    outside = (1 - SAMPLING_CONFIDENCE) / 2
    rest = samples - found
    low = float(betaincinv(found, rest + 1, outside)) if found else 0.0
    high = float(betaincinv(found + 1, rest, 1 - outside)) if rest else 1.0
    return low, high


def checked_scores(scores: FloatArray) -> FloatArray:
    """Return the scores as floats, or say why they cannot be regrouped."""
    scores = np.asarray(scores, np.float64)
    if scores.ndim != 1 or not scores.size or not np.isfinite(scores).all():
        raise SettingError(
            "A permutation test needs two non-empty lists of finite scores; "
            f"one has shape {scores.shape} and {int((~np.isfinite(scores)).sum())} "
            "value(s) that are not finite: leave those words out."
        )
    return scores


def _check_settings(sides: str, ties: str, method: str) -> None:
    check_choice("choice of sides", sides, Sides)
    check_choice("rule for ties", ties, Ties)
    check_choice("method of a permutation test", method, PMethod)
