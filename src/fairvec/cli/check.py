"""fairvec check: a clear exit code for a pipeline."""

from pathlib import Path
from typing import Annotated

import typer

from fairvec.cli.console import answer, say
from fairvec.errors import SettingError
from fairvec.results import COLUMNS, Condition, flat, read_results

_SHOWN = ("model", "test", "effect", "p", "p_holm", "verdict")


def check(
    folder: Annotated[Path, typer.Argument(help="Folder with results.jsonl, or the file itself.")],
    fail_if: Annotated[
        str,
        typer.Option(
            help="Condition on a row, for example: p_holm < 0.05 and abs(effect) > 0.5. "
            f"Columns: {', '.join(COLUMNS)}."
        ),
    ],
) -> None:
    """Exit with 1 and name the offending rows if any result meets a condition.

    A missing value (a skipped test has no effect) meets no condition; ask for skipped tests with
    status == 'skipped'. A run in which nothing was measured is bad input (2).
    """
    condition = Condition(fail_if)
    rows = [flat(outcome) for outcome in read_results(folder)]
    if not any(row["effect"] is not None for row in rows):
        raise SettingError(
            f"{folder}: no test was measured, so there is nothing to check; see the reasons in "
            "the report and audit with suites that fit the model."
        )
    offending = [row for row in rows if condition(row)]
    for row in offending:
        answer("  ".join(f"{name}={_shown(row[name])}" for name in _SHOWN))
    skipped = sum(row["status"] == "skipped" for row in rows)
    say(
        f"{len(offending)} of {len(rows)} results meet: {fail_if}"
        + (f" ({skipped} tests were skipped and have no effect)" if skipped else "")
    )
    raise typer.Exit(1 if offending else 0)


def _shown(cell: object) -> str:
    return f"{cell:.4g}" if isinstance(cell, float) else str(cell)
