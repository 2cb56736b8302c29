"""One outcome as one flat row: for tables, spreadsheets and conditions."""

from fairvec.results.records import (
    CategoryAnswer,
    Change,
    ConceptView,
    Description,
    Outcome,
    Result,
)
from fairvec.results.verdicts import effect_magnitude
from fairvec.stats.values import Interval, PValue

Plain = str | float | int | None

COLUMNS: dict[str, str] = {
    "status": "measured (with a p-value), described (without), skipped, compared, viewed or pooled",
    "model": "name of the embedding",
    "geometry": "euclidean or poincare",
    "suite": "id of the suite",
    "test": "full id of the test",
    "title": "title of the test",
    "category": "social category",
    "kind": "bias, meaningful-encoding or baseline; category of a pooled answer",
    "tags": "tags of the test, e.g. translated",
    "language": "ISO 639-1 code of the words",
    "metric": "name of the metric",
    "similarity": "how two points were compared",
    "convention": "convention of the effect size",
    "effect": "the effect size, or the metric's value where it has no p-value",
    "interval_low": "lower end of the interval",
    "interval_high": "upper end of the interval",
    "statistic": "mean word score of X minus that of Y",
    "p": "the p-value",
    "p_low": "lower bound of p (p itself when exact)",
    "p_high": "upper bound of p (p itself when exact)",
    "p_method": "exact, certified or sampled",
    "p_sides": "two, greater or less",
    "p_smallest": "smallest p these list sizes can give",
    "p_holm": "p, Holm-corrected over the tests of its suite and kind that can be decided",
    "p_bh": "p, Benjamini-Hochberg-corrected over all tests of this model",
    "family": "number of tests that p_holm is corrected over",
    "detectable": "smallest effect these words show with 80 % power at the corrected level",
    "verdict": "biased, associated, mixed, inconclusive, no-evidence, too-few-words or no-verdict",
    "size": "negligible, small, medium or large; empty where an effect is not standardised",
    "holds": "firm, thin, fragile or frequency: a claimed effect with other words, if they were "
    "tried (--robust)",
    "words_found": "words found over all lists",
    "words_wanted": "words listed over all lists",
    "coverage": "share of the listed words that were found",
    "reason": "why the test was skipped",
    "model_before": "name of the embedding before a change",
    "effect_before": "of a change: the effect or value before",
    "effect_after": "of a change: the effect or value after",
    "change": "of a change: removed, reduced, reversed, introduced, kept, lost and so on",
    "p_paired": "of a change: p of the paired test",
    "difference_low": "of a change: lower end of the interval of effect after minus before",
    "difference_high": "of a change: upper end of that interval",
}


def to_row(outcome: Outcome) -> dict[str, Plain]:
    """Return the outcome as one row with every column of COLUMNS; None where it has no answer."""
    found = sum(group.found for group in outcome.coverage)
    listed = sum(group.wanted for group in outcome.coverage)
    row: dict[str, Plain] = dict.fromkeys(COLUMNS)
    row |= {
        "status": outcome.status,
        "model": outcome.model.name,
        "geometry": outcome.model.geometry,
        "suite": outcome.test.suite,
        "test": outcome.test.id,
        "title": outcome.test.title,
        "category": outcome.test.category,
        "kind": outcome.test.kind,
        "tags": " ".join(outcome.test.tags),
        "language": outcome.test.language,
        "metric": outcome.metric,
        "similarity": outcome.similarity,
    }
    if isinstance(outcome, Change):
        return row | _change(outcome)
    if isinstance(outcome, ConceptView):
        return row
    if isinstance(outcome, CategoryAnswer):  # the rows of its tests say which words were found
        return row | {"effect": outcome.effect} | _ends(outcome.interval) | _answer(outcome)
    row |= {
        "words_found": found,
        "words_wanted": listed,
        "coverage": found / listed if listed else 0.0,
    }
    if isinstance(outcome, Result):
        return row | {"effect": outcome.effect} | _ends(outcome.interval) | _findings(outcome)
    if isinstance(outcome, Description):
        return row | {"effect": outcome.value} | _ends(outcome.interval)
    return row | {"reason": outcome.reason}


def _ends(interval: Interval | None) -> dict[str, Plain]:
    return {
        "interval_low": interval.low if interval else None,
        "interval_high": interval.high if interval else None,
    }


def _change(change: Change) -> dict[str, Plain]:
    """Return the cells of a change; `effect` stays empty, because a change has two."""
    return {
        "model_before": change.before.name,
        "effect_before": change.value_before,
        "effect_after": change.value_after,
        "change": change.kind,
        "p_paired": change.paired.value if change.paired else None,
        "difference_low": change.difference.low if change.difference else None,
        "difference_high": change.difference.high if change.difference else None,
    }


def _answer(answer: CategoryAnswer) -> dict[str, Plain]:
    return {
        "convention": answer.convention.name,
        **_p(answer.p),
        "p_holm": answer.p_holm,
        "family": answer.family,
        "verdict": answer.verdict.kind,
        "size": answer.size,
    }


def _p(p: PValue) -> dict[str, Plain]:
    return {
        "p": p.value,
        "p_low": p.low,
        "p_high": p.high,
        "p_method": p.method,
        "p_sides": p.sides,
        "p_smallest": p.smallest,
    }


def _findings(result: Result) -> dict[str, Plain]:
    return {
        "convention": result.convention.name,
        "statistic": result.statistic,
        **_p(result.p),
        "p_holm": result.p_holm,
        "p_bh": result.p_bh,
        "family": result.family,
        "detectable": result.detectable,
        "verdict": result.verdict.kind,
        "size": effect_magnitude(result.effect) if result.convention.standardised else None,
        "holds": result.robustness.holds if result.robustness else None,
    }
