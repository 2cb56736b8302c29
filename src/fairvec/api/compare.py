"""fairvec.compare: two runs side by side."""

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from fairvec.core.errors import SettingError
from fairvec.core.validation import records_in
from fairvec.experiments.comparison.across_geometries import compare_across
from fairvec.experiments.comparison.compare import RunComparison, of_changed_model
from fairvec.experiments.comparison.compare import compare as compare_runs
from fairvec.results import Outcome, read_results

Run = Sequence[Outcome] | str | PathLike[str]
"""What was found: Results, a list of records, or the folder or file that holds them."""


def compare(before: Run, after: Run, *, across_geometries: str | None = None) -> RunComparison:
    """Say of each test that two runs share whether its effect was removed, reversed, ...

    Args:
        before: Results, a list of records, or the folder or file of a run.
        after: The same; of what `fairvec.debias` found the debiased model is compared.
        across_geometries: For models whose similarities differ, as in flat space and the ball:
            "ranks" or "standardised", the unit of every figure.

    Runs are paired by test and by every setting: `pairs` holds both records of a test, `changes` a
    record of what became of each test and each category (`Results(found.changes)` shows them and
    checks conditions on them). A label names a change that its test shows. Lower
    d is not better d: an effect that turned around is REVERSED or OVERSHOT, a new one INTRODUCED.

    >>> import fairvec
    >>> was = fairvec.audit("glove-en-small", suites="caliskan2017/weat-6")
    >>> now = fairvec.audit("glove-en-twin-small", suites="caliskan2017/weat-6")
    >>> found = fairvec.compare(was, now)
    >>> [(pair.before.test.id, pair.change) for pair in found.pairs]
    [('caliskan2017/weat-6', 'not-shown')]
    >>> ball = fairvec.audit("poincare-glove-en-small", suites="caliskan2017/weat-6")
    >>> across = fairvec.compare(now, ball, across_geometries="ranks").changes[0]
    >>> print(str(across).partition(" (")[2])
    weat across geometries, by ranks): no change shown, +1.61 → +1.61, paired p = 1
    """
    runs = [of_changed_model(_outcomes(run)) for run in (before, after)]
    if across_geometries is None:
        return compare_runs(*runs)
    return compare_across(*runs, by=across_geometries)


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
