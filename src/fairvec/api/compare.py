"""fairvec.compare: two runs side by side."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any

from fairvec.api.results import Results
from fairvec.core.errors import SettingError
from fairvec.core.format import pluralize
from fairvec.core.validation import records_in
from fairvec.experiments.comparison.across_geometries import compare_across
from fairvec.experiments.comparison.before_after import change_of
from fairvec.experiments.comparison.compare import RunComparison, of_changed_model
from fairvec.experiments.comparison.compare import compare as compare_runs
from fairvec.results import Outcome, read_results

Run = Sequence[Outcome] | str | PathLike[str]
"""What was found: Results, a list of records, or the folder or file that holds them."""


@dataclass(frozen=True)
class ComparedRuns(RunComparison):
    """Every test that two runs share, and what became of its effect."""

    @cached_property
    def results(self) -> Results:
        """A Change for every test that both runs have, and for every category of them."""
        return Results([*map(change_of, self.pairs), *map(change_of, self.categories)])

    def __repr__(self) -> str:
        alone = f", {self.unpaired:,} in one alone" if self.unpaired else ""
        return f"ComparedRuns({pluralize(len(self.pairs), 'test')} in both runs{alone})"

    def _repr_html_(self) -> str:
        """Return what a notebook shows: what became of each test."""
        return self.results._repr_html_()


def compare(before: Run, after: Run, *, across_geometries: str | None = None) -> ComparedRuns:
    """Say of each test that two runs share whether its effect was removed, reversed, ...

    Args:
        before: Results, a list of records, or the folder or file of a run.
        after: The same; of what `fairvec.debias` found the debiased model is compared.
        across_geometries: For models whose similarities differ, as in flat space and the ball:
            "ranks" or "standardised", the unit of every figure.

    Runs are paired by test and by every setting. A label names a change that its test shows. Lower
    d is not better d: an effect that turned around is REVERSED or OVERSHOT, a new one INTRODUCED.

    >>> import fairvec
    >>> was = fairvec.audit("glove-en-small", suites="caliskan2017/weat-6")
    >>> now = fairvec.audit("glove-en-twin-small", suites="caliskan2017/weat-6")
    >>> found = fairvec.compare(was, now)
    >>> [(pair.before.test.id, pair.change) for pair in found.pairs]
    [('caliskan2017/weat-6', 'not-shown')]
    >>> ball = fairvec.audit("poincare-glove-en-small", suites="caliskan2017/weat-6")
    >>> across = fairvec.compare(now, ball, across_geometries="ranks").results[0]
    >>> print(str(across).partition(" (")[2])
    weat across geometries, by ranks): no change shown, +1.61 → +1.61, paired p = 1
    """
    runs = [of_changed_model(_outcomes(run)) for run in (before, after)]
    comparison = (
        compare_runs(*runs)
        if across_geometries is None
        else compare_across(*runs, by=across_geometries)
    )
    return ComparedRuns(
        **{
            comparison_field.name: getattr(comparison, comparison_field.name)
            for comparison_field in fields(comparison)
        }
    )


def _outcomes(run: Any) -> Sequence[Outcome]:
    if isinstance(run, str | PathLike):
        return read_results(Path(run))
    if isinstance(run, list | tuple):
        return records_in(run, "A run holds records, not")
    remedy = "; give its .results" if hasattr(run, "results") else ""
    raise SettingError(
        f"An object of the kind {type(run).__name__} is no run{remedy or '; give results'}, a list "
        "of records, or the folder of a run."
    )
