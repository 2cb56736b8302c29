"""Two runs side by side: what a change did to each verdict."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from fairvec.errors import SettingError
from fairvec.results import Outcome, Result

Change = Literal[
    "removed", "reduced", "unchanged", "increased", "reversed", "introduced", "no-evidence"
]

NOTICEABLE = 0.1
"""A change of |d| up to this is called unchanged."""


@dataclass(frozen=True)
class Comparison:
    """One test before and after."""

    before: Result
    after: Result
    change: Change


def compare(before: Sequence[Outcome], after: Sequence[Outcome]) -> list[Comparison]:
    """Pair the results of two runs by test and settings, and by model where there are several.

    Lower d is not better d: an effect that turned around is REVERSED, one that appeared is
    INTRODUCED, and neither is an improvement.
    """
    by_model = any(len({r.model.name for r in _results(run)}) > 1 for run in (before, after))
    earlier = {_pairing(result, by_model=by_model): result for result in _results(before)}
    comparisons = [
        Comparison(earlier[key], result, change(earlier[key], result))
        for result in _results(after)
        if (key := _pairing(result, by_model=by_model)) in earlier
    ]
    if not comparisons:
        raise SettingError(
            "The two runs share no test under the same metric, similarity and convention"
            f"{' in models of the same name' if by_model else ''}; run them with the same suites."
        )
    return comparisons


def change(before: Result, after: Result) -> Change:
    """Say what happened to one verdict."""
    was, is_now = (r.verdict.p_holm < r.verdict.alpha for r in (before, after))
    if not was:
        return "introduced" if is_now else "no-evidence"
    if not is_now:
        return "removed"
    if before.effect * after.effect < 0:
        return "reversed"
    grown = abs(after.effect) - abs(before.effect)
    if abs(grown) <= NOTICEABLE:
        return "unchanged"
    return "increased" if grown > 0 else "reduced"


def _results(outcomes: Sequence[Outcome]) -> list[Result]:
    return [outcome for outcome in outcomes if isinstance(outcome, Result)]


def _pairing(result: Result, *, by_model: bool) -> tuple[str, ...]:
    settings = (result.test.id, result.metric, result.similarity, result.convention.name)
    return (result.model.name, *settings) if by_model else settings
