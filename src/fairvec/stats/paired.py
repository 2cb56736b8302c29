"""Paired tests: did a figure change, item by item, by how much, and between which limits?

Under the null hypothesis the values of an item before and after may be swapped (a sign flip of its
difference). Exact up to `MOST_ITEMS` changed items and for any number of integer differences.
"""

from fractions import Fraction
from functools import partial
from math import sqrt
from typing import Literal

import numpy as np
from scipy.special import betainc, ndtri

from fairvec.core.errors import SettingError
from fairvec.core.format import is_significant
from fairvec.core.numeric import FloatArray, IntArray, check_squares
from fairvec.core.settings import check_choice
from fairvec.stats.correlation import average_ranks
from fairvec.stats.permutation.inversion import Limits, limits_by_search, limits_from_all
from fairvec.stats.permutation.meet_in_the_middle import LOOKED_UP, PairCounter
from fairvec.stats.permutation.subset_sums import sums_in_runs, to_integer_grid
from fairvec.stats.permutation.two_sample import ROUNDING_BITS, clopper_pearson
from fairvec.stats.values import Interval, PValue

PairedMethod = Literal["auto", "exact", "sampled"]

MOST_ITEMS = 50
"""The sums of two halves of 25 items are counted in a second at the most."""

NUMBERS_AT_A_TIME = 2**20


def paired_test(
    before: FloatArray,
    after: FloatArray,
    *,
    method: PairedMethod = "auto",
    samples: int = 100_000,
    seed: int = 0,
) -> PValue:
    """Return how often swapping before and after at random, item by item, changes as much.

    Each item (a word, a question, a rated pair) has a share in a figure before and after, and the
    figure is the sum of the shares. If the change did nothing, the two shares of an item might as
    well be swapped: p = (swaps with |T| >= |T observed|) / 2^n, T = sum(after - before), over the
    n items whose share changed. Always two-sided, ties count, and so does what was observed. A
    small p says that the figure changed; 1 that nothing did. For shares of 0 and 1/n this is the
    exact test of McNemar (1947), doi:10.1007/BF02295996.

    Exact up to 50 changed items, by meeting in the middle, and for any number whose changes are
    equally large, by the binomial distribution; else sampled, (c + 1)/(N + 1). Sums that differ by
    at most n 2^-44 of the largest change tie. Fisher (1935), The Design of Experiments, section 21.
    """
    check_choice("method of a paired test", method, PairedMethod)
    changes = _changes(np.asarray(before, np.float64), np.asarray(after, np.float64))
    items = len(changes)
    p_value = partial(
        PValue,
        sides="two",
        ties=">=",
        partitions=2**items,
        smallest=1 / 2 ** max(items - 1, 0),
    )
    sizes = np.abs(changes)
    slack = items * int(sizes.max(initial=0)) >> ROUNDING_BITS
    extreme = abs(int(changes.sum())) - slack
    if extreme <= 0:
        return p_value(value=1.0, low=1.0, high=1.0, method="exact")
    alike = int(sizes.max()) - int(sizes.min()) <= slack
    if method != "sampled" and (alike or items <= MOST_ITEMS):
        share = _binomial_p(changes) if alike else 2 * _count_signs(sizes, extreme) / 2**items
        return p_value(value=share, low=share, high=share, method="exact")
    if method == "exact":
        raise SettingError(
            f"{items} items changed, and an exact paired test takes {MOST_ITEMS} at most; choose "
            "the method auto or sampled."
        )
    found = _count_sampled(sizes, extreme, samples, seed)
    share = (found + 1) / (samples + 1)
    low, high = clopper_pearson(found, samples)
    error = sqrt(share * (1 - share) / samples)
    return p_value(
        value=share,
        low=low,
        high=high,
        method="sampled",
        samples=samples,
        standard_error=error,
        seed=seed,
    )


def spearman_contributions(pairs: FloatArray) -> FloatArray:
    """Return the share of each row in the rank correlation of two columns: z_i z'_i / n.

    z are the ranks less their mean, over their standard deviation. Ranks before and after have one
    scale, whatever a change does to the similarities themselves.
    """
    ranks = average_ranks(pairs.T).T
    centred = ranks - ranks.mean(axis=0)
    spreads = centred.std(axis=0)
    shares: FloatArray = (centred / np.where(spreads > 0, spreads, 1)).prod(axis=1) / len(pairs)
    return shares


def _changes(before: FloatArray, after: FloatArray) -> IntArray:
    """Return after - before in whole numbers, without the items that differ by rounding only."""
    if before.ndim != 1 or before.shape != after.shape or not before.size:
        raise SettingError(
            "A paired test needs one number per item before and after, not lists of shape "
            f"{before.shape} and {after.shape}."
        )
    with np.errstate(over="ignore", invalid="ignore"):
        changes = after - before
    if not np.isfinite(changes).all():
        raise SettingError(
            "A paired test needs numbers that are finite and so are their differences; leave out "
            "the items without."
        )
    largest = max(np.abs(before).max(), np.abs(after).max())
    return to_integer_grid(changes[np.abs(changes) > np.ldexp(largest, 1 - ROUNDING_BITS)])


def _binomial_p(changes: IntArray) -> float:
    """Return twice the chance of so many equal coins, or more, to fall on the commoner side."""
    items, ups = len(changes), int((changes > 0).sum())
    most = max(ups, items - ups)
    if 2 * most - items <= 1:
        # Every swap is as extreme; the incomplete beta function only nearly says so.
        return 1.0
    return min(1.0, float(2 * betainc(most, items - most + 1, 0.5)))


def _count_signs(sizes: IntArray, extreme: int) -> int:
    """Return how many of all 2^n choices of signs sum to at least `extreme`.

    Twice the sum of those with a plus, less the sum of all, is the sum; see `exact` for the halves.
    """
    least = -(-(extreme + int(sizes.sum())) // 2)
    # Every other item: two halves that spread alike share a tail fairly.
    ordered = np.sort(sizes)
    some, others = ordered[::2], ordered[1::2]
    mean, other_mean = float(some.sum()) / 2, float(others.sum()) / 2
    spread, other_spread = (float(np.linalg.norm(half.astype(float))) for half in (some, others))
    share = spread / (spread + other_spread)
    border = int(mean + share * (least - mean - other_mean))
    counter = PairCounter(sums_in_runs(some), sums_in_runs(others), least, border)
    few = counter.look_ups <= LOOKED_UP
    return int(2 ** len(sizes)) - (counter.looked_up() if few else counter.merged())


def _count_sampled(sizes: IntArray, extreme: int, samples: int, seed: int) -> int:
    if samples < 1:
        raise SettingError(f"A sampled p-value needs at least one sample, not {samples}.")
    generator = np.random.default_rng(seed)
    block = max(1, NUMBERS_AT_A_TIME // len(sizes))
    total, found = int(sizes.sum()), 0
    for start in range(0, samples, block):
        draws = (min(block, samples - start), len(sizes))
        chosen = generator.integers(2, size=draws, dtype=np.int8).astype(np.int64) @ sizes
        found += int((np.abs(2 * chosen - total) >= extreme).sum())
    return found


LISTED = 16
"""Items whose signs are tried one by one: 65,536 choices."""

COUNTED = 34
"""Items whose signs are counted exactly for each shift."""

ROUNDED = 400
"""Items whose shares are rounded to a grid; sums of more are taken as normal."""

NARROW = 0.01
"""Standard errors by which rounding may move an end."""

ROUGH = 2e-3
"""With rounded shares the ends are sought to this share of a step."""


INVERTED = "inverted paired test"


def paired_interval(
    before: FloatArray,
    after: FloatArray,
    weights: FloatArray,
    *,
    p: float,
    level: float = 0.95,
) -> Interval | None:
    """Return the changes of a sum of shares that the paired test does not reject.

    A change delta is kept where the shares less delta times their weights (which add up to 1) have
    a paired p above 1 - level. `p` is that of the shares themselves: 0 is in the interval just
    where it is so large. Exact to 34 items; to 400 the shares are rounded so that an end may lie a
    hundredth of a standard error further out; beyond that T -+ z sqrt(sum (change - T weight)^2).
    Nothing is drawn, so it has no seed. None where so few items reject nothing.
    """
    alpha = 1 - Fraction(str(level))
    check_squares(before, after)
    changes = np.asarray(after, np.float64) - np.asarray(before, np.float64)
    if not (changes.shape == weights.shape and abs(float(weights.sum()) - 1) < 1e-9):
        raise SettingError("A paired interval needs one weight an item, and weights that sum to 1.")
    items = len(changes)
    if Fraction(2, 2**items) > alpha:
        return None
    observed = float(changes.sum())
    largest = float(max(np.abs(before).max(), np.abs(after).max()))
    slack = float(np.ldexp(items * largest, -ROUNDING_BITS))
    if not changes.any():
        # Whatever else it is, it is not that.
        return Interval(low=0.0, high=0.0, level=level, kind="inverted", method=INVERTED)
    if items <= LISTED:
        statistics, carried = _all_signs(changes), _all_signs(weights)
        limits = limits_from_all(observed, statistics, carried, alpha=alpha, slack=slack)
    elif items > ROUNDED:
        error = float(np.linalg.norm(changes - observed * weights))
        reach = -float(ndtri(float(alpha) / 2)) * error
        limits = Limits(observed - reach, observed + reach)
    else:
        exact = items <= COUNTED
        p_of_shift = partial(_exact_p if exact else _rounded_p, changes, weights)
        step = 2 * sqrt(float((changes**2).sum())) + largest / 100
        rough = None if exact else ROUGH
        limits = limits_by_search(p_of_shift, observed, step=step, alpha=float(alpha), rough=rough)
    limits = limits.agreeing(observed, rejected=is_significant(p, float(alpha)))
    return Interval.from_limits(limits, level, "inverted", INVERTED)


def _all_signs(shares: FloatArray) -> FloatArray:
    """Return the sum of the shares under every choice of signs."""
    sums = np.zeros(1)
    for share in shares:
        sums = np.concatenate([sums + share, sums - share])
    return sums


def _exact_p(changes: FloatArray, weights: FloatArray, shift: float) -> float:
    return paired_test(shift * weights, changes, method="exact").value


def _rounded_p(changes: FloatArray, weights: FloatArray, shift: float) -> float:
    """Return an upper bound of p, by the distribution of the sum of rounded shares."""
    sizes = np.abs(changes - shift * weights)
    step = 2 * NARROW * sqrt(float((sizes**2).sum())) / len(sizes)
    if step == 0:
        return 1.0
    cells = np.rint(sizes / step).astype(np.int64)
    hidden = float(np.abs(sizes - cells * step).sum())
    chances = np.ones(1)
    for cell in cells:
        # Signs are worth twice a size apart, so that the sums lie on every second cell.
        grown = np.zeros(len(chances) + cell)
        grown[: len(chances)] += chances / 2
        grown[cell:] += chances / 2
        chances = grown
    sums = 2 * np.arange(len(chances)) - int(cells.sum())
    # Less a millionth of a step, because these sums are rounded as well.
    extreme = abs(float((changes - shift * weights).sum())) - hidden - 1e-6 * step
    return min(1.0, float(chances[np.abs(sums) * step >= extreme].sum()) * (1 + 1e-9))


_ROUNDING = 1e-15
"""Chances below this, times their number, are lost in the rounding of a Fourier transform."""


def sign_flip_test(differences: IntArray) -> tuple[float, float]:
    """Return how often random signs make a sum as large, and the smallest p so many items give.

    p = (choices of signs with |sum of +-d| >= |sum of d|) / 2^n over the n differences that are not
    0: the test of `paired_test`, always two-sided, ties count. Differences are whole numbers, so
    that the sum has few values, and its distribution is a product of those of single signs: the
    inverse Fourier transform of prod ((1 + exp(-i w |d|)) / 2). Exact for any n, up to rounding:
    what is smaller than 1e-15 times the sum of |d| is said to be that, and what is as near to 1 to
    be 1. Fisher (1935), The Design of Experiments, section 21.
    """
    differences = np.asarray(differences)
    if differences.ndim != 1 or not np.issubdtype(differences.dtype, np.integer):
        raise SettingError("Random signs are counted for a plain list of whole numbers.")
    sizes = np.abs(differences[differences != 0])
    smallest = 0.5 ** max(len(sizes) - 1, 0)
    total, observed = int(sizes.sum()), abs(int(differences.sum()))
    if not observed:
        return 1.0, smallest
    turns = np.exp(-2j * np.pi * np.arange(total // 2 + 1) / (total + 1))
    transform = np.ones(len(turns), np.complex128)
    for size, items in zip(*np.unique(sizes, return_counts=True), strict=True):
        transform *= ((1 + turns ** int(size)) / 2) ** int(items)
    # Chances of the sum of those with a plus; half of total plus the sum of all is it.
    chances = np.fft.irfft(transform, total + 1)
    extreme = np.abs(2 * np.arange(total + 1) - total) >= observed
    share = float(np.clip(chances, 0, 1)[extreme].sum())
    rounding = _ROUNDING * (total + 1)
    return (1.0 if share >= 1 - rounding else max(share, smallest, rounding)), smallest
