"""The analysis of a study: the variance that each factor explains (ANOVA), and trends in time.

Cells without an effect are never filled in: a level is left out to balance the table, and the
answer says which.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count
from math import exp, lgamma, prod
from statistics import fmean
from typing import Any

import numpy as np

from fairvec.core.errors import SettingError, UnanswerableError
from fairvec.core.format import is_significant
from fairvec.core.numeric import FloatArray
from fairvec.experiments.audit.verdicts import FamilyMember, correct_families, family_name
from fairvec.experiments.provenance import describe_test
from fairvec.lexicon import SelectedTest
from fairvec.messages.studies import (
    left_out_note,
    no_effect_reason,
    study_sentence,
    trend_sentence,
    unbalanced_finding,
)
from fairvec.results.study import (
    ALPHA,
    CellEffect,
    CellKey,
    CellRecord,
    IncompleteAnswer,
    LevelMean,
    StudyAnswer,
    StudyCell,
    StudyTrend,
    VarianceTerm,
)
from fairvec.stats import (
    AnovaTerm,
    anova_table,
    factor_permutation_test,
    holm,
    omega2_intervals,
    trend_test,
)
from fairvec.stats.anova import FEWEST_TIMES

FACTORS = ("corpus", "model", "window", "dim")
AXES = (*FACTORS, "seed")
FEWEST_SEEDS = 2


@dataclass(frozen=True, eq=False)
class BalancedTable:
    """One effect in every cell: an axis for each factor and one for seeds, with their levels."""

    values: FloatArray
    levels: dict[str, tuple[str, ...]]
    effects: tuple[CellEffect, ...]
    left_out: str


def balanced_table(
    places: Sequence[CellKey], effects: Mapping[CellKey, CellEffect]
) -> BalancedTable:
    """Return the table of a test; raise UnanswerableError if there is none.

    Where cells are missing, the one level (of a factor, or seed) that all of them share is left
    out, that of fewest cells if there are several; where no level holds them all, or too little
    would be left, the test is refused. Nothing is ever filled in.
    """
    levels = {axis: tuple(dict.fromkeys(place.level(axis) for place in places)) for axis in AXES}
    missing = [place for place in places if place not in effects]
    note = ""
    if missing:
        dropped = _level_to_drop(levels, missing)
        if dropped is None:
            finding = unbalanced_finding(missing)
            remedy = "see why they failed, and run the study again"
            raise UnanswerableError("unbalanced", finding, remedy)
        axis, level = dropped
        levels[axis] = tuple(other for other in levels[axis] if other != level)
        note = left_out_note(axis, level, missing)
    used_places = [
        place for place in places if all(place.level(axis) in levels[axis] for axis in AXES)
    ]
    values = np.zeros([len(levels[axis]) for axis in AXES])
    for place in used_places:
        position = tuple(levels[axis].index(place.level(axis)) for axis in AXES)
        values[position] = effects[place].effect
    return BalancedTable(values, levels, tuple(effects[place] for place in used_places), note)


def _level_to_drop(
    levels: Mapping[str, Sequence[str]], missing: Sequence[CellKey]
) -> tuple[str, str] | None:
    """Return the axis and level whose loss costs least; None if nothing useful would be left."""
    choices = []
    for axis in AXES:
        missing_levels = {place.level(axis) for place in missing}
        levels_left = len(levels[axis]) - 1
        if len(missing_levels) > 1 or levels_left < (FEWEST_SEEDS if axis == "seed" else 1):
            continue
        counts = {name: levels_left if name == axis else len(levels[name]) for name in FACTORS}
        if max(counts.values()) > 1:
            choices.append((1 / len(levels[axis]), axis, missing_levels.pop()))
    return min(choices)[1:] if choices else None


def trend_of(table: BalancedTable, when: Mapping[str, float], residual: float) -> StudyTrend | None:
    """Return the trend of a test over the corpora that are left; None where they have no times.

    The value of a corpus is its mean over models, windows, dimensions and seeds, and orders of the
    corpora are what p counts: seeds repeat a training and not a text, so that they say nothing of
    whether another text of the same year would have given the same. `residual` is their variance.
    """
    corpora = table.levels["corpus"]
    times = np.array([when[name] for name in corpora]) if when else np.zeros(0)
    if len(times) < FEWEST_TIMES or len(set(times.tolist())) < 2:
        return None
    means = table.values.reshape(len(corpora), -1).mean(axis=1)
    trend = trend_test(means, times)
    spread = float(((times - times.mean()) ** 2).sum())
    return StudyTrend(
        slope=trend.slope,
        first=float(times.min()),
        last=float(times.max()),
        seed_error=float(np.sqrt(residual * len(corpora) / table.values.size / spread)),
        p=trend.value,
        p_holm=None,
        smallest_p=trend.smallest,
        exact=trend.exact,
        sentence="",
    )


def with_corrected_trends(
    answers: Sequence[StudyAnswer | IncompleteAnswer],
) -> tuple[StudyAnswer | IncompleteAnswer, ...]:
    """Correct the p of each trend over those of its suite, kind and metric, and say it.

    So a trend does not depend on what else a study asks, be it another metric.
    """
    trends = [
        FamilyMember(
            answer.metric,
            answer.test,
            answer.trend.p,
            answer.trend.p,
            smallest=answer.trend.smallest_p,
        )
        for answer in answers
        if isinstance(answer, StudyAnswer) and answer.trend
    ]
    corrected = iter(correct_families(trends, ALPHA))
    updated: list[StudyAnswer | IncompleteAnswer] = []
    for answer in answers:
        if isinstance(answer, StudyAnswer) and answer.trend:
            trend_p = next(corrected)
            family = {"family": trend_p.family, "family_of": family_name(answer.test)}
            trend = answer.trend.model_copy(update={"p_holm": trend_p.holm, **family})
            trend = trend.model_copy(update={"sentence": trend_sentence(trend, trend_p.candidates)})
            answer = answer.model_copy(update={"trend": trend})
        updated.append(answer)
    return tuple(updated)


def answer_tests(
    cells: Sequence[CellRecord],
    tests: Sequence[SelectedTest],
    when: Mapping[str, float] | None = None,
) -> tuple[StudyAnswer | IncompleteAnswer, ...]:
    """Return the answer of every test and metric that some cell gives, in the order of the tests.

    p-values are corrected over all tests, metrics and factors of the study (Holm), and those of
    trends, where `when` has a time for each corpus, over those of a test's suite, kind and metric.
    """
    places = [cell.place for cell in cells]
    effects_by_test: dict[tuple[str, str], dict[CellKey, CellEffect]] = {}
    reasons: dict[tuple[str, str], str] = {}
    for cell in cells:
        if isinstance(cell, StudyCell):
            for effect in cell.effects:
                effects_by_test.setdefault((effect.test, effect.metric), {})[cell.place] = effect
            for gap in cell.gaps:
                effects_by_test.setdefault((gap.test, gap.metric), {})
                reasons.setdefault((gap.test, gap.metric), gap.reason)
    answers: list[StudyAnswer | IncompleteAnswer] = []
    for selected in tests:
        for test, metric in effects_by_test:
            if test == selected.test.id:
                reason = reasons.get((test, metric), "")
                answers.append(
                    _answer(
                        selected, metric, places, effects_by_test[test, metric], reason, when or {}
                    )
                )
    return with_corrected_trends(_with_corrected_factors(answers))


def _answer(
    selected: SelectedTest,
    metric: str,
    places: Sequence[CellKey],
    effects: dict[CellKey, CellEffect],
    gap_reason: str,
    when: Mapping[str, float],
) -> StudyAnswer | IncompleteAnswer:
    identity: dict[str, Any] = {"test": describe_test(selected), "metric": metric}
    if not effects:
        return IncompleteAnswer(**identity, reason=no_effect_reason(gap_reason))
    try:
        table = balanced_table(places, effects)
        anova = anova_table(table.values)
    except (UnanswerableError, SettingError) as error:
        return IncompleteAnswer(**identity, reason=str(error))
    intervals = omega2_intervals(table.values)
    explained = tuple(_explained(term, table, intervals[term.axes]) for term in anova.terms)
    half_widths = [
        (effect.high - effect.low) / 2
        for effect in table.effects
        if effect.low is not None and effect.high is not None
    ]
    return StudyAnswer(
        **identity,
        mean=float(table.values.mean()),
        levels=tuple(
            chain.from_iterable(_level_means(table, axis) for axis in range(len(FACTORS)))
        ),
        seed_spread=float(np.sqrt(anova.residual)),
        word_spread=fmean(half_widths) if half_widths else None,
        explained=explained,
        residual=min(1.0, anova.residual_share),
        seed_component=anova.residual,
        trend=trend_of(table, when, anova.residual),
        left_out=table.left_out,
        sentence="",
    )


def _explained(
    term: AnovaTerm, table: BalancedTable, interval: tuple[float, float]
) -> VarianceTerm:
    p = factor_permutation_test(table.values, term.axes[0]) if len(term.axes) == 1 else None
    return VarianceTerm(
        factors=tuple(FACTORS[axis] for axis in term.axes),
        df=term.df,
        sum_of_squares=term.sum_of_squares,
        eta2=term.eta2,
        omega2=max(0.0, term.omega2),
        low=interval[0],
        high=interval[1],
        component=max(0.0, term.component),
        was_negative=term.omega2 < 0 or term.component < 0,
        p=p.value if p else None,
        p_holm=None,
        smallest_p=p.smallest if p else None,
        exact=bool(p and p.exact),
    )


def _level_means(table: BalancedTable, axis: int) -> list[LevelMean]:
    """Return the mean effect at each level of a factor; none if it has one level."""
    factor = FACTORS[axis]
    names = table.levels[factor]
    if len(names) < 2:
        return []
    by_level = np.moveaxis(table.values, axis, 0)
    return [
        LevelMean(
            factor=factor,
            level=name,
            mean=float(values.mean()),
            seed_spread=float(np.sqrt(values.var(axis=-1, ddof=1).mean())),
            cells=values.size,
        )
        for name, values in zip(names, by_level, strict=True)
    ]


def _with_corrected_factors(
    answers: Sequence[StudyAnswer | IncompleteAnswer],
) -> tuple[StudyAnswer | IncompleteAnswer, ...]:
    """Correct the p of factors over the study, and say what each answer comes to."""
    p = [term.p for term in tested_terms(answers)]
    adjusted = iter(holm(np.array(p)).tolist() if p else [])
    updated: list[StudyAnswer | IncompleteAnswer] = []
    for answer in answers:
        if isinstance(answer, StudyAnswer):
            explained = tuple(
                term if term.p is None else term.model_copy(update={"p_holm": next(adjusted)})
                for term in answer.explained
            )
            answer = answer.model_copy(update={"explained": explained})
            answer = answer.model_copy(update={"sentence": study_sentence(answer)})
        updated.append(answer)
    return tuple(updated)


def tested_terms(answers: Sequence[StudyAnswer | IncompleteAnswer]) -> list[VarianceTerm]:
    """Return the terms of all answers that have a p, which are corrected together."""
    answered = (answer for answer in answers if isinstance(answer, StudyAnswer))
    return [term for answer in answered for term in answer.explained if term.p is not None]


def smallest_possible_p(answers: Sequence[StudyAnswer | IncompleteAnswer]) -> float:
    """Return the least corrected p that a factor can have, 0 if none has a p.

    Where it is not significant the study decides nothing: the smallest p that are possible are
    corrected as p are.
    """
    smallest = [term.smallest_p for term in tested_terms(answers) if term.smallest_p is not None]
    return float(holm(np.array(smallest)).min()) if smallest else 0.0


def seeds_needed(levels: Sequence[int], terms: int) -> int:
    """Return the fewest seeds with which a factor can be significant, corrected over the terms.

    `levels` are those of each factor that varies. With L levels and n seeds in S strata the
    smallest p of a factor is L! over all arrangements, ((L n)! / n!^L)^S; Holm multiplies it.
    """
    return next(
        seeds
        for seeds in count(2)
        if is_significant(
            terms * min(_smallest_of_factor(levels, place, seeds) for place in range(len(levels))),
            ALPHA,
        )
    )


def _smallest_of_factor(levels: Sequence[int], place: int, seeds: int) -> float:
    own, strata = levels[place], prod(levels) // levels[place]
    log_ways = lgamma(own * seeds + 1) - own * lgamma(seeds + 1)
    return exp(lgamma(own + 1) - strata * log_ways)
