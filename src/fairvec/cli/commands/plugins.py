"""fairvec plugins: metrics and methods of other packages."""

import sys
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any

from fairvec.cli.console import print_answer, print_note, print_table
from fairvec.cli.options import Option
from fairvec.cli.plugin_names import resolve_methods, resolve_metrics
from fairvec.core.errors import BrokenLawError, SettingError
from fairvec.core.tables import Cell, alarm, table_of
from fairvec.geometry import geometry
from fairvec.metrics import FOREIGN_METRICS, Metric, metric
from fairvec.mitigation import FOREIGN_METHODS, Debiaser, debiaser


def list_plugins() -> None:
    """List what other packages add, where it comes from, and why it cannot be used if so.

    Every package is imported to see whether it works; one that does not costs no other.
    """
    rows: list[tuple[Cell, ...]] = []
    offered = {"metric": FOREIGN_METRICS.offered(), "method": FOREIGN_METHODS.offered()}
    for kind, several in offered.items():
        for one in several:
            state = alarm(one.trouble) if one.trouble else "works"
            rows.append((kind, one.name, str(one.package), state))
    if not rows:
        print_note(
            "No package here adds a metric or a method; docs/extending.md says how one does."
        )
        return
    print_table(table_of(("kind", "name", "package", "state"), rows))


def check(
    metrics: Annotated[
        list[str] | None,
        Option("--metric", "-m", help="A metric, or python:module:name; may be repeated."),
    ] = None,
    methods: Annotated[
        list[str] | None,
        Option("--method", help="A method, or python:module:name; may be repeated."),
    ] = None,
    spaces: Annotated[
        list[str] | None,
        Option(
            "--space",
            help="Where a method works: euclidean, poincare or poincare-x5; may be repeated. "
            "Default: everywhere.",
        ),
    ] = None,
    looks_around: Annotated[
        bool, Option(help="A method looks at the neighbours of words.")
    ] = False,
) -> None:
    """Hold metrics and methods, by their default settings, to the laws; exit with 1 if one breaks.

    Where a metric works its traits say. Settings and seeds of your own:
    fairvec.testing.check_metric and check_method.
    """
    from fairvec.testing import check_method, check_metric

    metric_names, method_names = resolve_metrics(metrics) or [], resolve_methods(methods) or []
    if not metric_names and not method_names:
        raise SettingError("Name what to check, as in --metric python:my_module:MyMetric.")
    if (spaces or looks_around) and not method_names:
        raise SettingError("--space and --looks-around are for methods; name one with --method.")
    conditions: dict[str, Any] = {"looks_around": looks_around}
    if spaces:
        conditions["spaces"] = [geometry(space) for space in spaces]
    obeys = [_obeys("metric", one, partial(check_metric, one)) for one in map(metric, metric_names)]
    obeys += [
        _obeys("method", one, partial(check_method, one, **conditions))
        for one in map(debiaser, method_names)
    ]
    if not all(obeys):
        sys.exit(1)


def _obeys(kind: str, one: Metric | Debiaser, check: Callable[[], None]) -> bool:
    """Run the laws, print the outcome and return whether all of them hold."""
    try:
        check()
    except BrokenLawError as error:
        print_answer(f"The {kind} {error}")
        return False
    print_answer(f"The {kind} {one.name} obeys all laws.")
    return True


plugins = {"list": list_plugins, "check": check}
"""The commands below `fairvec plugins`."""
