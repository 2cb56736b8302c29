"""A comparison of two runs as flat rows, for conditions, tables and JSON lines."""

from typing import Any, get_args

from fairvec.experiments.comparison.compare import (
    NO_ANSWER,
    CategoryComparison,
    Comparison,
    RunComparison,
)
from fairvec.experiments.comparison.drift import drift
from fairvec.results import Outcome, Skipped
from fairvec.results.conditions.checks import STATUSES
from fairvec.results.records import ACROSS
from fairvec.results.rows import Plain, to_row
from fairvec.results.verdicts import ChangeKind, Magnitude, VerdictKind

COMPARISON_COLUMNS: dict[str, str] = {
    "test": "full id of the test",
    "title": "title of the test",
    "suite": "id of the suite",
    "category": "social category",
    "kind": "bias, meaningful-encoding or baseline; category of a pooled answer",
    "language": "ISO 639-1 code of the words",
    "metric": "name of the metric",
    "similarity": "how two points were compared",
    "across": "ranks or standardised: the unit in which models of different geometries were "
    "compared; else empty",
    "pairing": "paired; vanished (only the run before has it), new (only the run after), or "
    "other-settings (both asked it, not alike, or a category by other tests: a row each)",
    "answered": "both, before (there was an answer and now there is none), after or neither",
    "model_before": "name of the embedding before",
    "model_after": "name of the embedding after",
    "status_before": "measured, described, skipped or pooled, before",
    "status_after": "the same, after",
    "effect_before": "the effect or value before",
    "effect_after": "the effect or value after",
    "p_holm_before": "two-sided p before, Holm-corrected over the tests that are compared",
    "p_holm_after": "the same, after",
    "verdict_before": "the verdict in its own run, before",
    "verdict_after": "the same, after",
    "size_before": "negligible, small, medium or large, before",
    "size_after": "the same, after",
    "coverage_before": "share of the listed words that were found before",
    "coverage_after": "the same, after",
    "drift": "changed or unchanged: whether the model behind an endpoint is the same in both runs; "
    "empty of what is no endpoint",
    "same_words": "True if both runs found the same words",
    "p_paired": "p of the test of the change itself",
    "difference_low": "lower end of the interval of effect after minus before",
    "difference_high": "upper end of that interval",
    "change": "removed, reduced, increased, introduced, reversed or overshot where a change is "
    "shown; unchanged, not-shown, or no-answer where one of the two has none",
}

_PAIRINGS = ("paired", "vanished", "new", "other-settings")
_ANSWERED = {
    (True, True): "both",
    (True, False): "before",
    (False, True): "after",
    (False, False): "neither",
}
_COMMON = ("test", "title", "suite", "category", "kind", "language", "metric", "similarity")
_BY_SIDE = ("model", "status", "effect", "verdict", "size", "coverage")

COMPARISON_VALUES: dict[str, tuple[Any, ...]] = {
    "across": tuple(ACROSS),
    "pairing": _PAIRINGS,
    "answered": tuple(_ANSWERED.values()),
    "change": get_args(ChangeKind),
    "same_words": (True, False),
    "drift": ("changed", "unchanged"),
    **{f"status_{side}": STATUSES for side in ("before", "after")},
    **{f"verdict_{side}": get_args(VerdictKind) for side in ("before", "after")},
    **{f"size_{side}": get_args(Magnitude) for side in ("before", "after")},
}
"""The values that a column can have, so that a condition with a misspelt one is refused."""


def comparison_rows(comparison: RunComparison) -> list[dict[str, Plain]]:
    """Return a row for each category, each pair, and each test that has no partner."""
    rows = [_category_row(outcome) for outcome in comparison.categories]
    rows += _lone_categories(comparison)
    rows += [pair_row(pair) for pair in comparison.pairs]
    rows += [
        _row(outcome, None, _pairing_of(outcome, comparison, "vanished"))
        for outcome in comparison.vanished
    ]
    rows += [
        _row(None, outcome, _pairing_of(outcome, comparison, "new")) for outcome in comparison.new
    ]
    return [row | {"across": comparison.across or None} for row in rows]


def _lone_categories(comparison: RunComparison) -> list[dict[str, Plain]]:
    """Return a row for each category answer that the other run lacks or has by other tests."""
    vanished, new = comparison.lone_categories
    in_both = {*map(comparison.category, vanished)} & {*map(comparison.category, new)}

    def pairing(answer: Outcome, otherwise: str) -> str:
        return "other-settings" if comparison.category(answer) in in_both else otherwise

    rows = [_row(answer, None, pairing(answer, "vanished")) for answer in vanished]
    return rows + [_row(None, answer, pairing(answer, "new")) for answer in new]


def _category_row(comparison: CategoryComparison) -> dict[str, Plain]:
    """Return a category as a row, with the effects in which each test has one weight."""
    return pair_row(comparison) | {
        "effect_before": comparison.effect_before,
        "effect_after": comparison.effect_after,
    }


def pair_row(pair: Comparison | CategoryComparison) -> dict[str, Plain]:
    """Return one pair as a row with every column of COMPARISON_COLUMNS, None where not known."""
    return _row(pair.before, pair.after, "paired") | {
        "p_holm_before": pair.p_before,
        "p_holm_after": pair.p_after,
        "drift": _drift(pair),
        "same_words": pair.same_words,
        "p_paired": pair.paired.value if pair.paired else None,
        "difference_low": pair.difference.low if pair.difference else None,
        "difference_high": pair.difference.high if pair.difference else None,
        "change": pair.change,
    }


def _drift(pair: Comparison | CategoryComparison) -> str | None:
    found = drift(pair.before.model, pair.after.model)
    return None if found is None else "changed" if found.changed else "unchanged"


def _pairing_of(outcome: Outcome, comparison: RunComparison, pairing: str) -> str:
    """Return why a test has no partner."""
    return "other-settings" if outcome.test.id in comparison.otherwise else pairing


def _row(before: Outcome | None, after: Outcome | None, pairing: str) -> dict[str, Plain]:
    row: dict[str, Plain] = dict.fromkeys(COMPARISON_COLUMNS)
    for outcome, side in ((before, "before"), (after, "after")):
        if outcome is not None:
            cells = to_row(outcome)
            row |= {name: cells[name] for name in _COMMON}
            row |= {f"{name}_{side}": cells[name] for name in _BY_SIDE}
    answered = _ANSWERED[_is_answered(before), _is_answered(after)]
    return row | {"pairing": pairing, "answered": answered}


def _is_answered(outcome: Outcome | None) -> bool:
    """Return whether there is a finding; that all words lean alike is one too."""
    if outcome is None:
        return False
    if isinstance(outcome, Skipped):
        return outcome.cause == "no-spread"
    return to_row(outcome)["verdict"] not in NO_ANSWER
