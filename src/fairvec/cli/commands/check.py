"""fairvec check: a clear exit code for a pipeline."""

from pathlib import Path
from typing import Annotated

import typer

from fairvec.cli.console import answer, say
from fairvec.cli.runs import is_documents, outcomes_of
from fairvec.ground.errors import SettingError
from fairvec.lexicon.people import ROLE_TITLES
from fairvec.report.sections.before_after import shown
from fairvec.report.words.numbers import p_value
from fairvec.results import (
    COLUMNS,
    DOCUMENT_COLUMNS,
    DOCUMENT_VALUES,
    Change,
    Condition,
    DocumentFigure,
    Outcome,
    flat,
    flat_figure,
    read_document_lines,
)

_OF_DOCUMENTS = ("document", "measure", "what", "value", "count_a", "count_b", "p", "p_holm")
_SHOWN = ("model", "test", "effect", "p", "p_holm", "verdict")


def check(
    folder: Annotated[
        Path,
        typer.Argument(help="Folder with results.jsonl or document.jsonl, or the file itself."),
    ],
    fail_if: Annotated[
        str,
        typer.Option(
            help="Condition on a row, for example: p_holm < 0.05 and abs(effect) > 0.5. "
            f"Columns of results: {', '.join(COLUMNS)}. Of documents: "
            f"{', '.join(DOCUMENT_COLUMNS)}."
        ),
    ],
) -> None:
    """Exit with 1 and name the offending rows if any result meets a condition.

    The answer for a category is a row beside those of its tests: ask for it alone with
    status == 'pooled' and category == 'gender', and for tests alone with status == 'measured'.
    A missing value (a skipped test has no effect) meets no condition; ask for skipped tests with
    status == 'skipped'. A run in which nothing was measured is bad input (2). Of documents the
    figures are checked, as in --fail-if "measure == 'mentions' and value < 0.3".
    """
    if is_documents(folder):
        raise typer.Exit(_check_documents(folder, fail_if))
    condition = Condition(fail_if)
    outcomes = outcomes_of(folder)
    if all(flat(outcome)["effect"] is None for outcome in outcomes):
        raise SettingError(
            f"{folder}: no test was measured, so there is nothing to check; see the reasons in "
            "the report and audit with suites that fit the model."
        )
    offending = [outcome for outcome in outcomes if condition(flat(outcome))]
    for outcome in offending:
        answer(_line(outcome))
    skipped = sum(outcome.status == "skipped" for outcome in outcomes)
    say(
        f"{len(offending)} of {len(outcomes)} results meet: {fail_if}"
        + (f" ({skipped} tests were skipped and have no effect)" if skipped else "")
    )
    raise typer.Exit(1 if offending else 0)


def _check_documents(folder: Path, fail_if: str) -> int:
    """Name the figures of documents that meet a condition; return the exit code."""
    figures = [line for line in read_document_lines(folder) if isinstance(line, DocumentFigure)]
    # A slip in what is asked of would pass every check; a word may well be in no document.
    values = DOCUMENT_VALUES | {
        "document": tuple(dict.fromkeys(figure.document.name for figure in figures)),
        "what": ("all", *ROLE_TITLES),
    }
    words = {figure.what for figure in figures} - {*values["what"]}
    values["what"] += tuple(words)
    condition = Condition(fail_if, DOCUMENT_COLUMNS, values, loose=("what",))
    if not figures:
        raise SettingError(
            f"{folder}: no figure was found in these documents, so there is nothing to check."
        )
    offending = [row for row in map(flat_figure, figures) if condition(row)]
    for row in offending:
        answer("  ".join(f"{name}={_cell(row[name])}" for name in _OF_DOCUMENTS))
    say(f"{len(offending)} of {len(figures)} figures meet: {fail_if}")
    return 1 if offending else 0


def _line(outcome: Outcome) -> str:
    """Return an outcome in one line; a change says what it was before and after."""
    if not isinstance(outcome, Change):
        row = flat(outcome)
        return "  ".join(f"{name}={_cell(row[name])}" for name in _SHOWN)
    values = (shown(outcome, value) for value in (outcome.value_before, outcome.value_after))
    paired = f"  paired p {p_value(outcome.paired.value)}" if outcome.paired else ""
    return f"{outcome.test.id}  {' -> '.join(values)}  {outcome.kind}{paired}"


def _cell(cell: object) -> str:
    return f"{cell:.4g}" if isinstance(cell, float) else str(cell)
