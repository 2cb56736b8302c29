"""fairvec.compare: two runs side by side."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any

from fairvec.api.results_list import Results
from fairvec.evaluation.changes.across_geometries import compare_across
from fairvec.evaluation.changes.compare import RunComparison, of_the_last_model
from fairvec.evaluation.changes.compare import compare as compare_runs
from fairvec.evaluation.changes.judge import change_of
from fairvec.ground.errors import SettingError
from fairvec.ground.numbers import counted
from fairvec.results import Outcome, read_results
from fairvec.results.record import records_in

Run = Sequence[Outcome] | str | PathLike[str]
"""What was found: Results, a list of records, or the folder or file that holds them."""


@dataclass(frozen=True)
class ComparedRuns(RunComparison):
    """Every test that two runs share, and what became of its effect."""

    @cached_property
    def results(self) -> Results:
        """A Change for every test that both runs have."""
        return Results(change_of(pair) for pair in self.pairs)

    def __repr__(self) -> str:
        alone = f", {self.unpaired:,} in one alone" if self.unpaired else ""
        return f"ComparedRuns({counted(len(self.pairs), 'test')} in both runs{alone})"

    def _repr_html_(self) -> str:
        """Return what a notebook shows: what became of each test."""
        return self.results._repr_html_()


def compare(before: Run, after: Run, *, across_geometries: str | None = None) -> ComparedRuns:
    """Say of each test that two runs share whether its effect was removed, reversed, ...

    Args:
        before: Results, a list of records, or the folder or file of a run.
        after: The same; of what `fairvec.debias` found the debiased model is compared.
        across_geometries: For models whose similarities differ, as in flat space and the ball:
            "ranks" or "standardised", the unit in which all is then said.

    Runs are paired by test and by every setting. Lower d is not better d: an effect that turned
    around is REVERSED or OVERSHOT, one that is newly significant APPEARED or was INTRODUCED.

    >>> import fairvec
    >>> was = fairvec.audit("glove-en-small", suites="caliskan2017/weat-6")
    >>> now = fairvec.audit("glove-en-twin-small", suites="caliskan2017/weat-6")
    >>> found = fairvec.compare(was, now)
    >>> [(pair.before.test.id, pair.change) for pair in found.pairs]
    [('caliskan2017/weat-6', 'unclear')]
    >>> ball = fairvec.audit("poincare-glove-en-small", suites="caliskan2017/weat-6")
    >>> across = fairvec.compare(now, ball, across_geometries="ranks").results[0]
    >>> print(str(across).partition(" (")[2])
    weat across geometries, by ranks): unclear, +1.61 → +1.61, paired p = 1
    """
    runs = [of_the_last_model(_outcomes(run)) for run in (before, after)]
    found = (
        compare_runs(*runs)
        if across_geometries is None
        else compare_across(*runs, by=across_geometries)
    )
    return ComparedRuns(**{each.name: getattr(found, each.name) for each in fields(found)})


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
