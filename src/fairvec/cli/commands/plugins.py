"""fairvec plugins: metrics and methods of other packages."""

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from fairvec.cli.console import print_answer, print_note, print_table
from fairvec.cli.plugin_names import methods_named, metrics_named
from fairvec.core.errors import BrokenLawError, SettingError
from fairvec.geometry import geometry
from fairvec.metrics import FOREIGN_METRICS, Metric, metric
from fairvec.mitigation import FOREIGN_METHODS, Debiaser, debiaser

app = typer.Typer(
    help="Metrics and methods of other packages: list them, check one by the laws.",
    no_args_is_help=True,
)


@app.command("list")
def list_plugins() -> None:
    """List what other packages add, where it comes from, and why it cannot be used if so.

    Every package is imported to see whether it works; one that does not costs no other.
    """
    table = Table("kind", "name", "package", "state", box=None, header_style="bold")
    offered = {"metric": FOREIGN_METRICS.offered(), "method": FOREIGN_METHODS.offered()}
    for kind, several in offered.items():
        for one in several:
            state = Text(one.trouble or "works", style="bold red" if one.trouble else "")
            table.add_row(kind, Text(one.name), Text(str(one.package)), state)
    if not table.row_count:
        print_note(
            "No package here adds a metric or a method; docs/extending.md says how one does."
        )
        return
    print_table(table)


@app.command()
def check(
    metrics: Annotated[
        list[str] | None,
        typer.Option("--metric", "-m", help="A metric, or python:module:name; may be repeated."),
    ] = None,
    methods: Annotated[
        list[str] | None,
        typer.Option("--method", help="A method, or python:module:name; may be repeated."),
    ] = None,
    spaces: Annotated[
        list[str] | None,
        typer.Option(
            "--space",
            help="Where a method works: euclidean, poincare or poincare-x5; may be repeated. "
            "Default: everywhere.",
        ),
    ] = None,
    looks_around: Annotated[
        bool,
        typer.Option("--looks-around", help="A method looks at the neighbours of words."),
    ] = False,
) -> None:
    """Hold metrics and methods, by their default settings, to the laws; exit with 1 if one breaks.

    Where a metric works its traits say. Settings and seeds of your own:
    fairvec.testing.check_metric and check_method.
    """
    from fairvec.testing import check_method, check_metric

    named, moving = metrics_named(metrics) or [], methods_named(methods) or []
    if not named and not moving:
        raise SettingError("Name what to check, as in --metric python:my_module:MyMetric.")
    if (spaces or looks_around) and not moving:
        raise SettingError("--space and --looks-around are for methods; name one with --method.")
    how: dict[str, Any] = {"looks_around": looks_around}
    if spaces:
        how["spaces"] = [geometry(space) for space in spaces]
    obeys = [_obeys("metric", one, partial(check_metric, one)) for one in map(metric, named)]
    obeys += [
        _obeys("method", one, partial(check_method, one, **how)) for one in map(debiaser, moving)
    ]
    if not all(obeys):
        raise typer.Exit(1)


def _obeys(kind: str, one: Metric | Debiaser, check: Callable[[], None]) -> bool:
    """Run the laws, and say what came of it."""
    try:
        check()
    except BrokenLawError as error:
        print_answer(f"The {kind} {error}")
        return False
    print_answer(f"The {kind} {one.name} obeys all laws.")
    return True
