"""Whether an effect is robust: does it hold with other words for the same concepts?

Three checks of one test: random shorter versions of its own lists, other published lists for the
same concepts, and its target words at equal frequency. `qualify_by_robustness` adds the answer to
the verdict.
"""

from collections.abc import Iterator
from dataclasses import replace
from math import comb
from typing import NamedTuple

import numpy as np

from fairvec.core.errors import UndefinedError
from fairvec.core.format import is_significant
from fairvec.embedding import Embedding
from fairvec.experiments.audit.plan import Statistics
from fairvec.experiments.audit.test_words import require_coverage, usable_groups
from fairvec.geometry import FloatArray
from fairvec.lexicon import Groups, Test, resolve, shipped_suites
from fairvec.messages.verdicts import (
    doubts_clause,
    few_lists_agree,
    firm_clause,
    fragile_doubt,
    frequency_doubt,
    lost_evidence,
    reversing_lists,
    sign_kept_share,
    significant_share,
    thin_doubt,
    with_clause,
)
from fairvec.metrics import Metric, TwoSamples
from fairvec.results.verdicts import FrequencyControl, ListSwap, Robustness, RobustnessKind, Verdict
from fairvec.stats import (
    PMethod,
    adjusted_difference,
    expected_significant_share,
    permutation_test,
    spearman,
)

PAIRS_OF_LISTS = (("a", "b"), ("x", "y"))
"""Lists that are replaced together: each was chosen as the contrast of the other."""


class OtherLists(NamedTuple):
    """The roles whose lists are replaced, the published test they come from, and the new test."""

    roles: tuple[str, ...]
    source: Test
    test: Test


def published_alternatives(test: Test) -> Iterator[OtherLists]:
    """Yield the test with each other pair of shipped lists of its concepts and language, once."""
    used = {_words(test, roles) for roles in PAIRS_OF_LISTS}
    for other in (other for suite in shipped_suites() for other in suite.tests):
        for roles in PAIRS_OF_LISTS:
            if other.language != test.language or not _same_concepts(test, other, roles):
                continue
            if (words := _words(other, roles)) in used:
                continue
            used.add(words)
            lists = {**test.sets, **{role: other.sets[role] for role in roles}}
            yield OtherLists(roles, other, test.model_copy(update={"sets": lists}))


def _same_concepts(test: Test, other: Test, roles: tuple[str, ...]) -> bool:
    return all(
        role in other.sets and other.sets[role].concept == test.sets[role].concept for role in roles
    )


def _words(test: Test, roles: tuple[str, ...]) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(word.word for word in test.sets[role].words) for role in roles)


KEPT_SHARE = 0.8
"""Share of each list that a random shorter version keeps."""

DRAWS = 200
MOST_EXACT, SAMPLES = 2 * 10**8, 999
"""A draw's p is exact up to so many regroupings (15 + 15 words), else sampled."""


def robustness(groups: Groups, metric: Metric, statistics: Statistics) -> Robustness | None:
    """Measure the test again with other words, and say how far the answer moves.

    None if no shorter version of the lists has an effect.
    """
    effect, samples = _measure(groups, metric)
    draws = list(_draws(groups, metric, statistics.seed))
    if not draws:
        return None
    swaps, untried = try_alternatives(groups, metric, statistics)
    effects = np.array([drawn_effect for drawn_effect, _ in draws])
    significant = np.array([is_significant(p, statistics.alpha) for _, p in draws])
    low, high = np.quantile(effects, [0.025, 0.975])
    return Robustness(
        draws=len(draws),
        kept=KEPT_SHARE,
        low=float(low),
        high=float(high),
        same_sign=float((np.sign(effects) == np.sign(effect)).mean()),
        significant=float(significant.mean()),
        expected=_expected_share(groups, samples, statistics.alpha),
        swaps=tuple(swaps),
        untried=tuple(untried),
        frequency=_at_equal_frequency(groups, effect, samples, statistics),
    )


def _measure(groups: Groups, metric: Metric) -> tuple[float, TwoSamples]:
    score = metric.measure(groups, groups.source.geometry)
    if not isinstance(score.samples, TwoSamples):
        raise UndefinedError(f"Robustness of a verdict needs a test, and {metric.name} is none.")
    return score.value, score.samples


def _draws(groups: Groups, metric: Metric, seed: int) -> Iterator[tuple[float, float]]:
    """Yield effect and p of random shorter versions of all lists."""
    generator = np.random.default_rng(seed)
    for _ in range(DRAWS):
        shorter = {}
        for role, group in groups.groups.items():
            rows = generator.permutation(len(group.found))[: _kept_count(len(group.found))]
            shorter[role] = group.only(sorted(rows.tolist()))
        try:
            effect, samples = _measure(replace(groups, groups=shorter), metric)
        except UndefinedError:
            continue
        yield effect, _p(samples.leanings(samples.x), samples.leanings(samples.y), seed)


def _kept_count(words: int) -> int:
    return max(2, round(KEPT_SHARE * words))


def _expected_share(groups: Groups, samples: TwoSamples, alpha: float) -> float | None:
    """Return the share of draws that is significant if every word counts alike."""
    x, y = samples.leanings(samples.x), samples.leanings(samples.y)
    if (len(x), len(y)) != tuple(len(groups[role].found) for role in "xy"):
        return None  # the test regroups sentences, and the draws are of words
    if min(len(x), len(y)) < _kept_count(1):
        return None
    return expected_significant_share(
        x, y, kept=(_kept_count(len(x)), _kept_count(len(y))), alpha=alpha
    )


def _p(x: FloatArray, y: FloatArray, seed: int) -> float:
    exactly = comb(len(x) + len(y), len(x)) <= MOST_EXACT
    method: PMethod = "exact" if exactly else "sampled"
    return permutation_test(x, y, method=method, samples=SAMPLES, seed=seed).value


def try_alternatives(
    groups: Groups, metric: Metric, statistics: Statistics
) -> tuple[list[ListSwap], list[str]]:
    """Return the effect with each alternative pair of lists, and the ids of tests without one."""
    swaps: list[ListSwap] = []
    untried: list[str] = []
    for alternative in published_alternatives(groups.test):
        try:
            swaps.append(try_lists(alternative, groups, metric, statistics))
        except UndefinedError:
            untried.append(alternative.source.id)
    return swaps, untried


def try_lists(
    alternative: OtherLists, groups: Groups, metric: Metric, statistics: Statistics
) -> ListSwap:
    """Return the effect with other lists; raise UndefinedError if they have none."""
    swapped = usable_groups(metric, resolve(alternative.test, groups.source))
    require_coverage(swapped, metric, statistics.min_coverage)
    effect, samples = _measure(swapped, metric)
    p = permutation_test(samples.leanings(samples.x), samples.leanings(samples.y)).value
    return ListSwap(lists=alternative.roles, source=alternative.source.id, effect=effect, p=p)


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
    word_counts = [np.mean([counts[positions[key]] for key in found.keys]) for found in targets]
    if not (np.isfinite(word_counts) & (np.array(word_counts) >= 0)).all():
        return None  # the file's numbers are not counts
    log_counts = np.log1p(np.array(word_counts, dtype=np.float64))
    adjusted = adjusted_difference(x, y, *np.split(log_counts, [len(x)]), seed=statistics.seed)
    correlation = float(spearman(np.column_stack([np.concatenate([x, y]), log_counts])))
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


LEAST_SIGN_KEPT = 0.95
"""If a smaller share of shorter lists has the same sign the effect is fragile."""

MOST_BELOW_EXPECTED = 0.25
"""If the significant share of shorter lists falls this far below the expected one, it is fragile.

By chance that happens in about 1 of 100 tests of 7 + 7 words, and less often with more words."""

MOSTLY_SIGNIFICANT = 0.8
"""If a smaller share of shorter lists is significant the evidence is thin."""

LEAST_AGREEMENT = 0.5
"""If a smaller share of other published lists has the same sign the effect is fragile."""


def qualify_by_robustness(
    verdict: Verdict, effect: float, robustness: Robustness | None
) -> tuple[Verdict, Robustness | None]:
    """Return the verdict with a clause on robustness, and the record with its label `holds`.

    Only verdicts that claim an effect are qualified:

        at equal word frequency evidence is lost and less than half of
        the effect is left                                                frequency
        else: it turns round with shorter lists or with other ones, or
        far fewer shorter lists show it than lists so short should        fragile
        else: many shorter lists do not show it, as is to be expected,
        or evidence alone is lost at equal frequency                      thin
        else                                                              firm

    The clause names all doubts, the label is the first of them. In 600 simulated embeddings with
    8 words a list and a weak planted effect, all words alike but for noise, 2 of the 352 effects
    that were found are fragile and 184 thin; of 300 without an effect 4 show one, all thin (the
    script `holding`).
    """
    if robustness is None or verdict.kind not in ("biased", "associated"):
        return verdict, robustness
    doubts = _doubts(effect, robustness, verdict.alpha)
    holds = next(iter(doubts), "firm")
    clause = doubts_clause(doubts.values()) if doubts else firm_clause(effect, robustness)
    sentence = with_clause(verdict.sentence, clause)
    return (
        verdict.model_copy(update={"sentence": sentence}),
        robustness.model_copy(update={"holds": holds}),
    )


def _doubts(effect: float, robustness: Robustness, alpha: float) -> dict[RobustnessKind, str]:
    """Return the reasons to doubt the effect by their label, the gravest first."""
    doubts: dict[RobustnessKind, str] = {}
    control, thin = robustness.frequency, []
    if control and control.accounts_for(effect):
        doubts["frequency"] = frequency_doubt(effect, control)
    elif control and control.explains:
        thin.append(lost_evidence(effect, control))
    if fragile := _fragile(effect, robustness, alpha):
        doubts["fragile"] = fragile_doubt(fragile)
    elif robustness.significant < MOSTLY_SIGNIFICANT:
        thin.append(thin_doubt(robustness))
    if thin:
        doubts["thin"] = ", and ".join(thin)
    return doubts


def _fragile(effect: float, robustness: Robustness, alpha: float) -> str:
    opposed = [swap for swap in robustness.swaps if swap.effect * effect < 0]
    reversing = list(
        dict.fromkeys(swap.source for swap in opposed if is_significant(swap.p, alpha))
    )
    agreeing = sum(swap.effect * effect > 0 for swap in robustness.swaps)
    if reversing:
        return reversing_lists(reversing)
    if agreeing < LEAST_AGREEMENT * len(robustness.swaps):
        return few_lists_agree(agreeing, robustness)
    if robustness.same_sign < LEAST_SIGN_KEPT:
        return sign_kept_share(robustness)
    if (
        robustness.expected is not None
        and robustness.significant < robustness.expected - MOST_BELOW_EXPECTED
    ):
        return significant_share(robustness)
    return ""
