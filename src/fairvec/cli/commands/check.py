"""fairvec check: a clear exit code for a pipeline."""

from pathlib import Path
from typing import Annotated

import typer

from fairvec.cli.gates.junit import check_junit_place
from fairvec.cli.gates.telling import JunitOption, MarkdownOption, conclude
from fairvec.cli.runs import is_documents, outcomes_of
from fairvec.ground.errors import SettingError
from fairvec.ground.numbers import counted, p_value
from fairvec.ground.text.visible_text import visible
from fairvec.lexicon.people import ROLE_TITLES
from fairvec.report.sections.before_after import shown
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
from fairvec.results.conditions.gate import Gate, cell
from fairvec.results.conditions.gate_of_results import OF_RESULTS, gate_of_results, named_by

_OF_DOCUMENTS = ("document", "measure", "what", "value", "count_a", "count_b", "p", "p_holm")


def check(
    folder: Annotated[
        Path,
        typer.Argument(help="Folder with results.jsonl or document.jsonl, or the file itself."),
    ],
    fail_if: Annotated[
        str,
        typer.Option(
            help="Condition on a row, for example: p_holm < 0.05 and abs(effect) > 0.5; or on all "
            "rows by count, mean, max and min: count(verdict == 'biased', where=status == "
            "'measured') > 3, mean(abs(effect), where=status == 'measured' and category == "
            "'gender') > 0.5. "
            f"Columns of results: {', '.join(COLUMNS)}. Of documents: "
            f"{', '.join(DOCUMENT_COLUMNS)}."
        ),
    ],
    markdown: MarkdownOption = False,
    junit: JunitOption = None,
) -> None:
    """Exit with 1 and name the offending rows if any result meets a condition.

    The answer for a category is a row beside those of its tests: ask for it alone with
    status == 'pooled' and category == 'gender', and for tests alone with status == 'measured'.
    A name that no row has (category == 'gendre') is bad input (2), because it would always pass.
    A run of 'fairvec debias' holds the model before and after: choose one with model == '...'.
    A missing value (a skipped test has no effect) meets no condition; ask for skipped tests with
    status == 'skipped'. A run in which nothing was measured, or of which the condition cannot be
    decided, is bad input (2). Of documents the figures are checked, as in
    --fail-if "measure == 'mentions' and value < 0.3".
    """
    check_junit_place(junit)
    if is_documents(folder):
        gate = _of_documents(folder, fail_if)
        lines = ["  ".join(f"{name}={cell(row[name])}" for name in gate.shown) for row in gate.met]
        conclude(gate, lines=lines, markdown=markdown, junit=junit)
    condition = Condition(fail_if)
    outcomes = outcomes_of(folder)
    gate = gate_of_results(outcomes, condition, where=str(folder))
    named = named_by(gate.rows)
    skipped = sum(row["status"] == "skipped" for row in gate.rows)
    without = counted(skipped, "of them was skipped and has", "of them were skipped and have")
    conclude(
        gate,
        lines=[] if condition.over_rows else [_line(outcomes[at], named) for at in gate.ruling.met],
        markdown=markdown,
        junit=junit,
        more=f" ({without} no effect)" if skipped else "",
    )


def _of_documents(folder: Path, fail_if: str) -> Gate:
    """Return the gate of the figures of documents."""
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
    return Gate(
        command="fairvec check",
        things="figures",
        condition=condition,
        rows=[flat_figure(figure) for figure in figures],
        shown=_OF_DOCUMENTS,
        place=lambda row: str(row["document"]),
        name=lambda row: f"{row['measure']} ({row['what']})",
    )


def _line(outcome: Outcome, named: tuple[str, ...]) -> str:
    """Return an outcome in one line; a change says what it was before and after."""
    row = flat(outcome)
    if not isinstance(outcome, Change):
        return "  ".join(f"{name}={cell(row[name])}" for name in (*named, *OF_RESULTS))
    values = (shown(outcome, value) for value in (outcome.value_before, outcome.value_after))
    paired = f"  paired p {p_value(outcome.paired.value)}" if outcome.paired else ""
    called = "  ".join([outcome.test.id, *(f"{name}={cell(row[name])}" for name in named[2:])])
    return visible(f"{called}  {' -> '.join(values)}  {outcome.kind}{paired}", but="")
