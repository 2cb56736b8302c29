"""Would other words for the same ideas have said the same?

Three looks at one test: random shorter versions of its own lists, other published lists for the
same concepts, and its target words at equal frequency.
"""

from collections.abc import Iterator
from dataclasses import replace
from math import comb

import numpy as np

from fairvec.embedding import Embedding
from fairvec.evaluation.runs.other_lists import with_other_lists
from fairvec.evaluation.runs.plan import Statistics
from fairvec.evaluation.runs.shortfall import shortfall, usable_by
from fairvec.geometry import FloatArray
from fairvec.ground.errors import UndefinedError
from fairvec.ground.level import significant
from fairvec.lexicon import Groups, resolve
from fairvec.metrics import Metric, TwoSamples
from fairvec.results import FrequencyControl, Robustness, Swap
from fairvec.stats import (
    PMethod,
    adjusted_difference,
    permutation_test,
    share_still_significant,
    spearman,
)

KEPT = 0.8
"""Share of each list that a draw keeps."""

DRAWS = 200
MOST_EXACT, SAMPLES = 2 * 10**8, 999
"""A draw's p is exact up to so many regroupings (15 + 15 words), else sampled."""


def robustness(groups: Groups, metric: Metric, statistics: Statistics) -> Robustness | None:
    """Measure the test again with other words, and say how far the answer moves.

    None if no shorter version of the lists has an effect.
    """
    effect, samples = _measured(groups, metric)
    drawn = list(_drawn(groups, metric, statistics.seed))
    if not drawn:
        return None
    swaps = list(tried_lists(groups, metric, statistics))
    effects = np.array([one for one, _ in drawn])
    evident = np.array([significant(p, statistics.alpha) for _, p in drawn])
    low, high = np.quantile(effects, [0.025, 0.975])
    return Robustness(
        draws=len(drawn),
        kept=KEPT,
        low=float(low),
        high=float(high),
        same_sign=float((np.sign(effects) == np.sign(effect)).mean()),
        significant=float(evident.mean()),
        expected=_expected(groups, samples, statistics.alpha),
        swaps=tuple(swap for swap in swaps if isinstance(swap, Swap)),
        untried=tuple(swap for swap in swaps if isinstance(swap, str)),
        frequency=_at_equal_frequency(groups, effect, samples, statistics),
    )


def _measured(groups: Groups, metric: Metric) -> tuple[float, TwoSamples]:
    score = metric.measure(groups, groups.source.geometry)
    if not isinstance(score.samples, TwoSamples):
        raise UndefinedError(f"Robustness of a verdict needs a test, and {metric.name} is none.")
    return score.value, score.samples


def _drawn(groups: Groups, metric: Metric, seed: int) -> Iterator[tuple[float, float]]:
    """Yield effect and p of random shorter versions of all lists."""
    generator = np.random.default_rng(seed)
    for _ in range(DRAWS):
        shorter = {}
        for role, group in groups.groups.items():
            rows = generator.permutation(len(group.found))[: _kept(len(group.found))]
            shorter[role] = group.only(sorted(rows.tolist()))
        try:
            effect, samples = _measured(replace(groups, groups=shorter), metric)
        except UndefinedError:
            continue
        yield effect, _p(samples.leanings(samples.x), samples.leanings(samples.y), seed)


def _kept(words: int) -> int:
    return max(2, round(KEPT * words))


def _expected(groups: Groups, samples: TwoSamples, alpha: float) -> float | None:
    """Return the share of draws that is significant if every word counts alike."""
    x, y = samples.leanings(samples.x), samples.leanings(samples.y)
    if (len(x), len(y)) != tuple(len(groups[role].found) for role in "xy"):
        return None  # sentences are regrouped, and words drawn
    if min(len(x), len(y)) < _kept(1):
        return None
    return share_still_significant(x, y, kept=(_kept(len(x)), _kept(len(y))), alpha=alpha)


def _p(x: FloatArray, y: FloatArray, seed: int) -> float:
    few = comb(len(x) + len(y), len(x)) <= MOST_EXACT
    method: PMethod = "exact" if few else "sampled"
    return permutation_test(x, y, method=method, samples=SAMPLES, seed=seed).value


def tried_lists(groups: Groups, metric: Metric, statistics: Statistics) -> Iterator[Swap | str]:
    """Yield the effect with the lists of other tests of the same concepts, or the untried test."""
    for roles, other, changed in with_other_lists(groups.test):
        swapped = usable_by(metric, resolve(changed, groups.source))
        if shortfall(swapped, metric, statistics.smallest_coverage):
            yield other.id
            continue
        try:
            effect, samples = _measured(swapped, metric)
        except UndefinedError:
            yield other.id
            continue
        x, y = samples.leanings(samples.x), samples.leanings(samples.y)
        p = permutation_test(x, y).value
        yield Swap(lists=roles, source=other.id, effect=effect, p=p)


def _at_equal_frequency(
    groups: Groups, effect: float, samples: TwoSamples, statistics: Statistics
) -> FrequencyControl | None:
    """Compare the lists at equal log frequency; None where counts or a difference are missing.

    Counts that are negative, infinite or NaN are missing ones.
    """
    if not isinstance(groups.source, Embedding):
        return None
    counts, positions = groups.source.counts, groups.source.positions
    x, y = samples.leanings(samples.x), samples.leanings(samples.y)
    targets = [*groups["x"].found, *groups["y"].found]
    raw = float(x.mean() - y.mean())
    if counts is None or len(targets) != len(x) + len(y) or raw * effect <= 0:
        return None
    seen = [np.mean([counts[positions[key]] for key in found.keys]) for found in targets]
    if not (np.isfinite(seen) & (np.array(seen) >= 0)).all():
        return None  # a word was not seen fewer than no times: these are no counts
    often = np.log1p(np.array(seen, dtype=np.float64))
    adjusted = adjusted_difference(x, y, *np.split(often, [len(x)]), seed=statistics.seed)
    correlation = float(spearman(np.column_stack([np.concatenate([x, y]), often])))
    if adjusted is None or not np.isfinite(correlation):
        return None
    before = permutation_test(x, y).value
    return FrequencyControl(
        correlation=correlation,
        effect=effect * adjusted.difference / raw,
        p=adjusted.p,
        explains=significant(before, statistics.alpha)
        and not significant(adjusted.p, statistics.alpha),
    )
