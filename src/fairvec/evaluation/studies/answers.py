"""What each factor explains of a test's effects, with what chance and words do beside it."""

from collections.abc import Mapping, Sequence
from itertools import chain
from statistics import fmean
from typing import Any

import numpy as np

from fairvec.evaluation.runs.describe import identity_of_test
from fairvec.evaluation.studies.coverage import bare
from fairvec.evaluation.studies.trends import LEVEL, trend_of, with_corrected_trends
from fairvec.evaluation.studies.whole_tables import FACTORS, WholeTable, whole_table
from fairvec.ground.errors import SettingError
from fairvec.ground.level import significant
from fairvec.ground.numbers import p_value
from fairvec.ground.text.capitals import titled
from fairvec.lexicon import Selected
from fairvec.results import (
    CellEffect,
    CellPlace,
    CellRecord,
    ExplainedBy,
    LevelMean,
    RefusedAnswer,
    StudyAnswer,
    StudyCell,
)
from fairvec.stats import CrossedTerm, decomposed, exchange_test, holm, share_intervals

NAMES = {"corpus": "corpus", "model": "kind of model", "window": "window", "dim": "dimension"}
"""The factors as a sentence has them."""


def answers_of(
    cells: Sequence[CellRecord],
    tests: Sequence[Selected],
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
    each: Selected,
    metric: str,
    places: Sequence[CellPlace],
    found: dict[CellPlace, CellEffect],
    why: str,
    when: Mapping[str, float],
) -> StudyAnswer | RefusedAnswer:
    asked: dict[str, Any] = {"test": identity_of_test(each), "metric": metric}
    if not found:
        return RefusedAnswer(**asked, reason=f"No cell gives an effect: {bare(why)}")
    table = whole_table(places, found)
    if isinstance(table, str):
        return RefusedAnswer(**asked, reason=titled(table))
    try:
        whole = decomposed(table.values)
    except SettingError as error:
        return RefusedAnswer(**asked, reason=str(error))
    ends = share_intervals(table.values)
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


def _explained(term: CrossedTerm, table: WholeTable, ends: tuple[float, float]) -> ExplainedBy:
    p = exchange_test(table.values, term.axes[0]) if len(term.axes) == 1 else None
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
        by_chance = not significant(term.p, LEVEL)
        return f", which chance alone could make (p = {p_value(term.p)})" if by_chance else ""
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
