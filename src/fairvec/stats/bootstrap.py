"""Bootstrap intervals over words, and the influence of single words."""

from collections.abc import Callable, Sequence
from math import sqrt

import numpy as np
from scipy.special import ndtr, ndtri, stdtrit

from fairvec.core.errors import SettingError
from fairvec.core.numeric import FloatArray, IntArray
from fairvec.stats.values import Interval

Effect = Callable[..., FloatArray]
"""Takes one batch (cases, words, columns) of numbers per list and gives one effect per case; nan
where it is undefined."""


def leave_one_out(lists: Sequence[FloatArray], effect: Effect) -> tuple[FloatArray, ...]:
    """Return for each list the effect without each of its words.

    A list holds one row of numbers per word. A value far from the effect of all the words says that
    this one word carries it. It is nan where no effect is left, as without the only word of a list.
    """
    return tuple(_leave_out_each(lists, position, effect) for position in range(len(lists)))


def _leave_out_each(lists: Sequence[FloatArray], position: int, effect: Effect) -> FloatArray:
    words = len(lists[position])
    if words < 2:
        return np.full(words, np.nan)
    # A benchmark has thousands of items, and the square of that does not fit into memory.
    blocks = 1 + words * sum(rows.size for rows in lists) // NUMBERS_AT_A_TIME
    effects = []
    for some in np.array_split(np.arange(words), min(words, blocks)):
        batches = [np.broadcast_to(rows, (len(some), *rows.shape)) for rows in lists]
        batches[position] = lists[position][_all_but(some, words)]
        effects.append(effect(*batches))
    return np.concatenate(effects)


def _all_but(some: IntArray, words: int) -> IntArray:
    """Return a table whose row i lists every index but some[i]."""
    table = np.tile(np.arange(words - 1), (len(some), 1))
    return table + (table >= some[:, None])


OUTERMOST = 0.04
"""An end is never sought beyond this share of the tail it cuts off: few resamples lie there, and
which ones do would hang on the seed."""

MOST_UNDEFINED = 0.01
"""With a larger share of resamples without an effect there is no interval."""

FEWEST_WORDS = 3
NUMBERS_AT_A_TIME = 2**21


def bootstrap_interval(
    lists: Sequence[FloatArray],
    effect: Effect,
    *,
    level: float = 0.95,
    resamples: int = 50_000,
    seed: int = 0,
) -> Interval | None:
    """Return the expanded BCa bootstrap interval of an effect, or None where there is none.

    Each list holds one row of numbers per word; words are resampled within it. The bounds are
    the quantiles Phi(z0 + (z0 + z)/(1 - a (z0 + z))) of the resampled effects: z0 corrects the
    bias, a (from leaving out one word each) the skewness, and z = -+ sqrt(n/(n-1)) t(n-1), n the
    smaller list, the narrowness of resampling few words. A narrow interval says that the choice
    of words hardly matters. None if a list has fewer than three words, or if more than 1 % of the
    resamples have no effect.

    Chosen by simulating Caliskan's d for normal scores and a true d of 0, 0.8 and 1.5 (2,000
    studies each). At 95 % it covers 98, 97 and 93 % with 8 + 8 words and 98, 97 and 95 % with
    15 + 15; plain BCa covers 96, 94, 90 and 96, 95, 93 %, the percentile interval 91, 89, 85 and
    94, 92, 89 %. Where scores are skewed and the effect large all cover less, this one most.

    Efron (1987), doi:10.2307/2289144; Hesterberg (2015), doi:10.1080/00031305.2015.1089789.
    """
    if not 0 < level < 1 or resamples < 1:
        raise SettingError(
            f"A bootstrap needs a level between 0 and 1 and at least one resample, not {level} "
            f"and {resamples}."
        )
    fewest = min(len(rows) for rows in lists)
    if fewest < FEWEST_WORDS:
        return None
    observed = float(effect(*(rows[None] for rows in lists))[0])
    resampled = _resample(lists, effect, resamples, seed)
    defined = resampled[np.isfinite(resampled)]
    if not np.isfinite(observed) or len(defined) < (1 - MOST_UNDEFINED) * resamples:
        return None
    bias = _bias(defined, observed)
    acceleration = _acceleration(lists, effect)
    z = sqrt(fewest / (fewest - 1)) * stdtrit(fewest - 1, (1 + level) / 2)
    shares = []
    for reach in (bias - z, bias + z):
        # A denominator at or below zero is the limit of the share towards 0 or 1.
        shares.append(ndtr(bias + reach / max(1 - acceleration * reach, 1e-6)))
    outermost = OUTERMOST * (1 - level) / 2
    low, high = np.quantile(defined, np.clip(shares, outermost, 1 - outermost))
    return Interval(
        low=float(low),
        high=float(high),
        level=level,
        kind="bootstrap",
        method="expanded BCa bootstrap",
        resamples=resamples,
        seed=seed,
    )


def _resample(lists: Sequence[FloatArray], effect: Effect, resamples: int, seed: int) -> FloatArray:
    generator = np.random.default_rng(seed)
    block = max(1, NUMBERS_AT_A_TIME // sum(rows.size for rows in lists))
    effects = []
    for start in range(0, resamples, block):
        cases = min(block, resamples - start)
        chosen = [generator.integers(len(rows), size=(cases, len(rows))) for rows in lists]
        effects.append(effect(*(rows[some] for rows, some in zip(lists, chosen, strict=True))))
    return np.concatenate(effects)


def _bias(resampled: FloatArray, observed: float) -> float:
    """Return z0, the normal quantile of the share of resamples below the observed effect."""
    below = (resampled < observed).sum() + (resampled == observed).sum() / 2
    few = 0.5 / len(resampled)
    return float(ndtri(np.clip(below / len(resampled), few, 1 - few)))


def _acceleration(lists: Sequence[FloatArray], effect: Effect) -> float:
    """Return a = sum l^3 / (6 (sum l^2)^1.5), l each word's pull on the effect over its list."""
    pulls = []
    for without in leave_one_out(lists, effect):
        known = without[np.isfinite(without)]
        pulls.append((known.mean() - known) * (len(known) - 1) / len(known))
    pull = np.concatenate(pulls)
    largest = float(np.abs(pull).max(initial=0))
    if largest == 0:
        return 0.0
    pull /= largest  # a is the same in every unit, and these can be cubed
    spread = float((pull**2).sum())
    return float((pull**3).sum() / (6 * spread**1.5))
