"""The paired test: did a figure change more than chance could have made it, item by item?"""

from functools import partial
from math import sqrt
from typing import Literal

import numpy as np
from scipy.special import betainc

from fairvec.ground.errors import SettingError
from fairvec.ground.settings import check_choice
from fairvec.stats.arrays import FloatArray, IntArray
from fairvec.stats.regrouping.exact import LOOKED_UP
from fairvec.stats.regrouping.halves import sums_in_runs
from fairvec.stats.regrouping.meeting import Meeting
from fairvec.stats.regrouping.permutation import ROUNDING_BITS, PermutationP, clopper_pearson
from fairvec.stats.regrouping.subset_sums import on_a_fine_grid

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
) -> PermutationP:
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
        PermutationP,
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
        share = _of_equal_size(changes) if alike else 2 * _count(sizes, extreme) / 2**items
        return p_value(value=share, low=share, high=share, method="exact")
    if method == "exact":
        raise SettingError(
            f"{items} items changed, and an exact paired test takes {MOST_ITEMS} at most; choose "
            "the method auto or sampled."
        )
    found = _sampled(sizes, extreme, samples, seed)
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


def shares_of_difference(x: FloatArray, y: FloatArray) -> FloatArray:
    """Return the share of each word in mean(x) - mean(y): x_i / |X| and -y_i / |Y|.

    Leanings are differences of similarities, which mean the same before and after a change of the
    vectors, so their raw difference is compared; d divides by a spread that the change moves too.
    """
    return np.concatenate([x / len(x), -y / len(y)])


def shares_of_spearman(pairs: FloatArray) -> FloatArray:
    """Return the share of each row in the rank correlation of two columns: z_i z'_i / n.

    z are the ranks less their mean, over their standard deviation. Ranks before and after have one
    scale, whatever a change does to the similarities themselves.
    """
    # Here and not above: scipy.stats takes longer to import than all of fairvec.
    from scipy.stats import rankdata

    ranks = rankdata(pairs, axis=0)
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
    return on_a_fine_grid(changes[np.abs(changes) > np.ldexp(largest, 1 - ROUNDING_BITS)])


def _of_equal_size(changes: IntArray) -> float:
    """Return twice the chance of so many equal coins, or more, to fall on the commoner side."""
    items, ups = len(changes), int((changes > 0).sum())
    most = max(ups, items - ups)
    if 2 * most - items <= 1:
        # Every swap is as extreme; the incomplete beta function only nearly says so.
        return 1.0
    return min(1.0, float(2 * betainc(most, items - most + 1, 0.5)))


def _count(sizes: IntArray, extreme: int) -> int:
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
    meeting = Meeting(sums_in_runs(some), sums_in_runs(others), least, border)
    few = meeting.look_ups <= LOOKED_UP
    return int(2 ** len(sizes)) - (meeting.looked_up() if few else meeting.merged())


def _sampled(sizes: IntArray, extreme: int, samples: int, seed: int) -> int:
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
