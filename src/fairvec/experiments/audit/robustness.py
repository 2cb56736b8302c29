"""Whether an effect holds with other words for the same ideas.

Three looks at one test: random shorter versions of its own lists, other published lists for the
same concepts, and its target words at equal frequency.
"""

from collections.abc import Iterator
from dataclasses import replace
from math import comb
from typing import NamedTuple

import numpy as np

from fairvec.core.errors import UndefinedError
from fairvec.core.format import format_p, is_significant, pluralize
from fairvec.embedding import Embedding
from fairvec.experiments.audit.plan import Statistics
from fairvec.experiments.audit.test_words import coverage_shortfall, usable_groups
from fairvec.geometry import FloatArray
from fairvec.lexicon import Groups, Test, resolve, shipped_suites
from fairvec.metrics import Metric, TwoSamples
from fairvec.results import FrequencyControl, Holds, Robustness, Swap, Verdict
from fairvec.stats import (
    PMethod,
    adjusted_difference,
    expected_significant_share,
    permutation_test,
    spearman,
)

# A test with other published lists for the same concepts.


PAIRS_OF_LISTS = (("a", "b"), ("x", "y"))
"""Lists that change together: one of them alone would not be set against what it was chosen for."""


class OtherLists(NamedTuple):
    """Which lists are others, the published test they are of, and the test with them."""

    roles: tuple[str, ...]
    source: Test
    test: Test


def published_alternatives(test: Test) -> Iterator[OtherLists]:
    """Yield the test with each other pair of shipped lists of its concepts and language, once."""
    seen = {_words(test, roles) for roles in PAIRS_OF_LISTS}
    for other in (other for suite in shipped_suites() for other in suite.tests):
        for roles in PAIRS_OF_LISTS:
            if other.language != test.language or not _alike(test, other, roles):
                continue
            if (words := _words(other, roles)) in seen:
                continue
            seen.add(words)
            lists = {**test.sets, **{role: other.sets[role] for role in roles}}
            yield OtherLists(roles, other, test.model_copy(update={"sets": lists}))


def _alike(test: Test, other: Test, roles: tuple[str, ...]) -> bool:
    return all(
        role in other.sets and other.sets[role].concept == test.sets[role].concept for role in roles
    )


def _words(test: Test, roles: tuple[str, ...]) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(word.word for word in test.sets[role].words) for role in roles)


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
    swaps = list(try_alternatives(groups, metric, statistics))
    effects = np.array([one for one, _ in drawn])
    evident = np.array([is_significant(p, statistics.alpha) for _, p in drawn])
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
    return expected_significant_share(x, y, kept=(_kept(len(x)), _kept(len(y))), alpha=alpha)


def _p(x: FloatArray, y: FloatArray, seed: int) -> float:
    few = comb(len(x) + len(y), len(x)) <= MOST_EXACT
    method: PMethod = "exact" if few else "sampled"
    return permutation_test(x, y, method=method, samples=SAMPLES, seed=seed).value


def try_alternatives(
    groups: Groups, metric: Metric, statistics: Statistics
) -> Iterator[Swap | str]:
    """Yield the effect with the lists of other tests of the same concepts, or the untried test."""
    for roles, other, changed in published_alternatives(groups.test):
        swapped = usable_groups(metric, resolve(changed, groups.source))
        if coverage_shortfall(swapped, metric, statistics.smallest_coverage):
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
        explains=is_significant(before, statistics.alpha)
        and not is_significant(adjusted.p, statistics.alpha),
    )


# Whether a claimed effect holds with other words: what robustness adds to a verdict.


SIGN_KEPT = 0.95
"""Fewer shorter lists with the same sign make an effect fragile."""

SHORT_OF_EXPECTED = 0.25
"""So does a share of significant ones that is so much less than lists so short would show anyway.

By chance it is in about 1 of 100 tests of 7 + 7 words, and less often of more."""

MOSTLY_SHOWN = 0.8
"""If a smaller share of shorter lists is significant the evidence is thin."""

OTHERS_AGREE = 0.5
"""If a smaller share of other published lists has the same sign the effect is fragile."""


def qualify_by_robustness(
    verdict: Verdict, effect: float, tried: Robustness | None
) -> tuple[Verdict, Robustness | None]:
    """Return a verdict that claims an effect with how it holds, and the record with the word.

        evidence is lost at equal word frequency                          frequency
        else: it turns round with shorter lists or with other ones, or
        far fewer shorter lists show it than lists so short should        fragile
        else: many shorter lists do not show it, as is to be expected     thin
        else                                                              firm

    All doubts are told, the word is the first of them. In 600 made-up embeddings with 8 words a
    list and a weak planted effect, all words alike but for noise, 2 of the 352 effects that were
    found are fragile and 184 thin; of 300 without an effect 4 show one, all thin (the script
    `holding`).
    """
    if tried is None or verdict.kind not in ("biased", "associated"):
        return verdict, tried
    doubts = _doubts(effect, tried, verdict.alpha)
    holds = next(iter(doubts), "firm")
    clause = f"but {', and '.join(doubts.values())}" if doubts else _firmly(effect, tried)
    sentence = f"{verdict.sentence.removesuffix('.')}; {clause}."
    return (
        verdict.model_copy(update={"sentence": sentence}),
        tried.model_copy(update={"holds": holds}),
    )


def _doubts(effect: float, tried: Robustness, alpha: float) -> dict[Holds, str]:
    """Return why the effect may not hold, the gravest doubt first."""
    doubts: dict[Holds, str] = {}
    if tried.frequency and tried.frequency.explains:
        doubts["frequency"] = _by_frequency(effect, tried.frequency)
    if fragile := _fragile(effect, tried, alpha):
        doubts["fragile"] = f"it is fragile: {fragile}"
    elif tried.significant < MOSTLY_SHOWN:
        doubts["thin"] = f"the evidence is thin: {_shown(tried)}"
    return doubts


def _fragile(effect: float, tried: Robustness, alpha: float) -> str:
    against = [swap for swap in tried.swaps if swap.effect * effect < 0]
    turned = list(dict.fromkeys(swap.source for swap in against if is_significant(swap.p, alpha)))
    alike = sum(swap.effect * effect > 0 for swap in tried.swaps)
    if turned:
        return f"it turns round with the lists of {', '.join(turned)}"
    if alike < OTHERS_AGREE * len(tried.swaps):
        return f"only {alike} of {_others(tried)} in sign"
    if tried.same_sign < SIGN_KEPT:
        return f"shorter lists keep its sign in {_percent(tried.same_sign)}"
    if tried.expected is not None and tried.significant < tried.expected - SHORT_OF_EXPECTED:
        return _shown(tried)
    return ""


def _others(tried: Robustness) -> str:
    return pluralize(len(tried.swaps), "other list agrees", "other lists agree")


def _shown(tried: Robustness) -> str:
    """Return how many shorter lists show it, beside how many lists so short would anyway."""
    share = f"significant in {_percent(tried.significant)} of shorter lists"
    if tried.expected is None:
        return f"{share}, which are too short to show much"
    expected = _percent(round(tried.expected, 2))
    return f"{share}, where about {expected} would be if every word counted alike"


def _by_frequency(effect: float, control: FrequencyControl) -> str:
    left = round(control.effect / effect, 2) if effect else 0.0
    if control.accounts_for(effect):
        rest = f"{_percent(left)} of the effect is left" if left > 0 else "nothing of it is left"
        return f"word frequency may explain it (at equal frequency {rest})"
    return (
        f"at equal word frequency the evidence is lost (p = {format_p(control.p)}), while "
        f"{_percent(left)} of the effect is left"
    )


def _firmly(effect: float, tried: Robustness) -> str:
    alike = sum(swap.effect * effect > 0 for swap in tried.swaps)
    others = f", and {alike} of {_others(tried)} in sign" * bool(tried.swaps)
    return f"it holds with shorter lists (significant in {_percent(tried.significant)}){others}"


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"
