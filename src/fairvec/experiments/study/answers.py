"""What each factor explains of a test's effects, and whether time does."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from statistics import fmean
from typing import Any

import numpy as np

from fairvec.core.errors import SettingError
from fairvec.core.format import capitalize_first, format_p, format_signed, is_significant
from fairvec.core.numeric import FloatArray
from fairvec.experiments.audit.verdicts import FamilyMember, correct_families, family_name
from fairvec.experiments.provenance import describe_test
from fairvec.lexicon import SelectedTest
from fairvec.results import (
    CellEffect,
    CellPlace,
    CellRecord,
    ExplainedBy,
    LevelMean,
    RefusedAnswer,
    StudyAnswer,
    StudyCell,
    StudyTrend,
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

# Effects of cells as one balanced table; what has to be left out for that is said.


FACTORS = ("corpus", "model", "window", "dim")
AXES = (*FACTORS, "seed")
FEWEST_SEEDS = 2


@dataclass(frozen=True, eq=False)
class WholeTable:
    """One effect in every cell: an axis for each factor and one for seeds, with their levels."""

    values: FloatArray
    levels: dict[str, tuple[str, ...]]
    effects: tuple[CellEffect, ...]
    left_out: str


def balanced_table(
    places: Sequence[CellPlace], found: Mapping[CellPlace, CellEffect]
) -> WholeTable | str:
    """Return the table of a test, or one sentence that says why there is none.

    Where cells are missing, the one level (of a factor, or seed) that all of them share is left
    out, that of fewest cells if there are several; where no level holds them all, or too little
    would be left, the test is refused. Nothing is ever filled in.
    """
    levels = {axis: tuple(dict.fromkeys(p.level(axis) for p in places)) for axis in AXES}
    missing = [place for place in places if place not in found]
    said = ""
    if missing:
        choice = _droppable(levels, missing)
        if choice is None:
            return (
                f"{_some(missing)} without an effect, and no single level holds all of these cells "
                "that could be left out; see why they failed, and run the study again."
            )
        axis, level = choice
        levels[axis] = tuple(one for one in levels[axis] if one != level)
        said = f"{axis} {level} is left out: {_some(missing)} without an effect."
    kept = [p for p in places if all(p.level(axis) in levels[axis] for axis in AXES)]
    values = np.zeros([len(levels[axis]) for axis in AXES])
    for place in kept:
        at = tuple(levels[axis].index(place.level(axis)) for axis in AXES)
        values[at] = found[place].effect
    return WholeTable(values, levels, tuple(found[place] for place in kept), said)


def _droppable(
    levels: Mapping[str, Sequence[str]], missing: Sequence[CellPlace]
) -> tuple[str, str] | None:
    """Return the axis and level whose loss costs least; None if nothing useful would be left."""
    choices = []
    for axis in AXES:
        shared = {place.level(axis) for place in missing}
        left = len(levels[axis]) - 1
        if len(shared) > 1 or left < (FEWEST_SEEDS if axis == "seed" else 1):
            continue
        counts = {name: left if name == axis else len(levels[name]) for name in FACTORS}
        if max(counts.values()) > 1:
            choices.append((1 / len(levels[axis]), axis, shared.pop()))
    return min(choices)[1:] if choices else None


def _some(missing: Sequence[CellPlace]) -> str:
    first = f"the cell ({missing[0]})"
    if len(missing) == 1:
        return f"{first} is"
    return f"{first} and {len(missing) - 1} more are"


# How effects go with the time of their corpora, each of which counts once.


LEVEL = 0.05


def trend_of(table: WholeTable, when: Mapping[str, float], residual: float) -> StudyTrend | None:
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
    found = trend_test(means, times)
    spread = float(((times - times.mean()) ** 2).sum())
    return StudyTrend(
        slope=found.slope,
        first=float(times.min()),
        last=float(times.max()),
        seed_error=float(np.sqrt(residual * len(corpora) / table.values.size / spread)),
        p=found.value,
        p_holm=None,
        smallest_p=found.smallest,
        exact=found.exact,
        sentence="",
    )


def with_corrected_trends(
    answers: Sequence[StudyAnswer | RefusedAnswer],
) -> tuple[StudyAnswer | RefusedAnswer, ...]:
    """Correct the p of each trend over those of its suite and kind, and say it in a sentence.

    So a trend does not depend on what else a study asks, as the verdict of an audit does not.
    """
    trends = [
        FamilyMember("study", one.test, one.trend.p, one.trend.p, smallest=one.trend.smallest_p)
        for one in answers
        if isinstance(one, StudyAnswer) and one.trend
    ]
    found = iter(correct_families(trends, LEVEL))
    told: list[StudyAnswer | RefusedAnswer] = []
    for answer in answers:
        if isinstance(answer, StudyAnswer) and answer.trend:
            over = next(found)
            family = {"family": over.family, "family_of": family_name(answer.test)}
            trend = answer.trend.model_copy(update={"p_holm": over.holm, **family})
            trend = trend.model_copy(update={"sentence": _trend_sentence(trend, over.candidates)})
            answer = answer.model_copy(update={"trend": trend})
        told.append(answer)
    return tuple(told)


def _trend_sentence(trend: StudyTrend, asked: int) -> str:
    """Say by how much the line rises or falls over the whole time, and how surprising that is."""
    change = format_signed(trend.slope * (trend.last - trend.first))
    error = trend.seed_error * (trend.last - trend.first)
    figures = f"p {format_p(trend.p)}"
    if not is_significant(trend.smallest_p, LEVEL):
        verdict = (
            f"so few corpora cannot show a trend: no order of them has p below "
            f"{format_p(trend.smallest_p)}"
        )
    elif trend.p_holm is None:
        verdict = (
            f"no evidence of a trend, which so few corpora cannot show among the {asked} "
            f"{trend.family_of}"
        )
    else:
        if trend.family > 1:
            figures += f", Holm {format_p(trend.p_holm)} over the {trend.family} {trend.family_of}"
        verdict = (
            "more than chance would give in another order of the corpora"
            if is_significant(trend.p_holm, LEVEL)
            else "no evidence of a trend"
        )
    return (
        f"From {trend.first:g} to {trend.last:g} the effect changes by {change} along a straight "
        f"line (±{error:.2f} by seeds alone): {verdict} ({figures})."
    )


def bare(reason: str) -> str:
    """Return a reason without its remedy, which is that of an audit and not of a study."""
    said, remedy, _ = reason.partition(";")
    return f"{said}." if remedy else reason


NAMES = {"corpus": "corpus", "model": "kind of model", "window": "window", "dim": "dimension"}
"""The factors as a sentence has them."""


def answer_tests(
    cells: Sequence[CellRecord],
    tests: Sequence[SelectedTest],
    when: Mapping[str, float] | None = None,
) -> tuple[StudyAnswer | RefusedAnswer, ...]:
    """Return the answer of every test and metric that some cell gives, in the order of the tests.

    p-values are corrected over all tests, metrics and factors of the study (Holm), and those of
    trends, where `when` has a time for each corpus, over the trends of a test's suite and kind.
    """
    places = [cell.place for cell in cells]
    found: dict[tuple[str, str], dict[CellPlace, CellEffect]] = {}
    reasons: dict[tuple[str, str], str] = {}
    for cell in cells:
        if isinstance(cell, StudyCell):
            for effect in cell.effects:
                found.setdefault((effect.test, effect.metric), {})[cell.place] = effect
            for gap in cell.gaps:
                found.setdefault((gap.test, gap.metric), {})
                reasons.setdefault((gap.test, gap.metric), gap.reason)
    answers: list[StudyAnswer | RefusedAnswer] = []
    for each in tests:
        for test, metric in found:
            if test == each.test.id:
                why = reasons.get((test, metric), "")
                answers.append(_answer(each, metric, places, found[test, metric], why, when or {}))
    return with_corrected_trends(_corrected(answers))


def _answer(
    each: SelectedTest,
    metric: str,
    places: Sequence[CellPlace],
    found: dict[CellPlace, CellEffect],
    why: str,
    when: Mapping[str, float],
) -> StudyAnswer | RefusedAnswer:
    asked: dict[str, Any] = {"test": describe_test(each), "metric": metric}
    if not found:
        return RefusedAnswer(**asked, reason=f"No cell gives an effect: {bare(why)}")
    table = balanced_table(places, found)
    if isinstance(table, str):
        return RefusedAnswer(**asked, reason=capitalize_first(table))
    try:
        whole = anova_table(table.values)
    except SettingError as error:
        return RefusedAnswer(**asked, reason=str(error))
    ends = omega2_intervals(table.values)
    explained = tuple(_explained(term, table, ends[term.axes]) for term in whole.terms)
    halves = [
        (e.high - e.low) / 2 for e in table.effects if e.low is not None and e.high is not None
    ]
    answer = StudyAnswer(
        **asked,
        mean=float(table.values.mean()),
        levels=tuple(chain.from_iterable(_levels(table, axis) for axis in range(len(FACTORS)))),
        seed_spread=float(np.sqrt(whole.residual)),
        word_spread=fmean(halves) if halves else None,
        explained=explained,
        residual=min(1.0, whole.residual_share),
        seed_component=whole.residual,
        trend=trend_of(table, when, whole.residual),
        left_out=table.left_out,
        sentence="",
    )
    return answer.model_copy(update={"sentence": _sentence(answer)})


def _explained(term: AnovaTerm, table: WholeTable, ends: tuple[float, float]) -> ExplainedBy:
    p = factor_permutation_test(table.values, term.axes[0]) if len(term.axes) == 1 else None
    return ExplainedBy(
        factors=tuple(FACTORS[axis] for axis in term.axes),
        df=term.df,
        sum_of_squares=term.sum_of_squares,
        eta2=term.eta2,
        omega2=max(0.0, term.omega2),
        low=ends[0],
        high=ends[1],
        component=max(0.0, term.component),
        was_negative=term.omega2 < 0 or term.component < 0,
        p=p.value if p else None,
        p_holm=None,
        smallest_p=p.smallest if p else None,
        exact=bool(p and p.exact),
    )


def _levels(table: WholeTable, axis: int) -> list[LevelMean]:
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


def _sentence(answer: StudyAnswer) -> str:
    """Say what explains most, what is left to seeds, and how far words alone reach."""
    first = max(answer.explained, key=lambda one: one.omega2)
    lead = _named(first)
    together = " together" if len(first.factors) > 1 else ""
    words = (
        f"; an audit's interval over words reaches ±{answer.word_spread:.2f}, the spread between "
        f"seeds is {answer.seed_spread:.2f}"
        if answer.word_spread is not None
        else ""
    )
    explains = " together explain" if together else " explains"
    share = f"{first.omega2:.0%}"
    surely = f"({first.low:.0%} to {first.high:.0%}){_doubt(first)}"
    if share == f"{answer.residual:.0%}":
        return (
            f"{lead.capitalize()}{explains} as much as seeds alone: {share} of the variance "
            f"{surely}{words}."
        )
    if first.omega2 < answer.residual:
        return (
            f"Seeds alone make {answer.residual:.0%} of the variance, more than any factor "
            f"({lead}{together} {share}){words}."
        )
    others = [one for one in answer.explained if one is not first and f"{one.omega2:.0%}" == share]
    alike = f", {', '.join(map(_named, others))} as much" if others else ""
    return (
        f"{lead.capitalize()}{explains} most: {share} of the variance "
        f"{surely}{alike}, seeds {answer.residual:.0%}{words}."
    )


def _named(term: ExplainedBy) -> str:
    return " and ".join(NAMES[factor] for factor in term.factors)


def _doubt(term: ExplainedBy) -> str:
    """Say so where a share may well be what seeds alone would give a factor that does nothing."""
    if term.p is not None:
        by_chance = not is_significant(term.p, LEVEL)
        return f", which chance alone could make (p = {format_p(term.p)})" if by_chance else ""
    return ", which chance alone could make" if f"{term.low:.0%}" == "0%" else ""


def _corrected(
    answers: Sequence[StudyAnswer | RefusedAnswer],
) -> tuple[StudyAnswer | RefusedAnswer, ...]:
    asked = [one for one in answers if isinstance(one, StudyAnswer)]
    p = [term.p for answer in asked for term in answer.explained if term.p is not None]
    adjusted = iter(holm(np.array(p)).tolist() if p else [])
    found: list[StudyAnswer | RefusedAnswer] = []
    for answer in answers:
        if isinstance(answer, StudyAnswer):
            terms = tuple(
                term if term.p is None else term.model_copy(update={"p_holm": next(adjusted)})
                for term in answer.explained
            )
            answer = answer.model_copy(update={"explained": terms})
        found.append(answer)
    return tuple(found)
