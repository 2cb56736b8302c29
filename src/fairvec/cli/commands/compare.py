"""fairvec compare and fairvec check: two runs side by side, and conditions that fail a build."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated

from fairvec.api.compare import compare as compare_runs
from fairvec.cli.console import print_answer, print_note, print_table
from fairvec.cli.gates import (
    JunitOption,
    MarkdownOption,
    check_junit_place,
    finish_gate,
    rows_as_markdown,
)
from fairvec.cli.options import Argument, Option
from fairvec.cli.runs import is_documents, outcomes_of
from fairvec.cli.tables import print_category_changes
from fairvec.core.errors import SettingError
from fairvec.core.format import format_signed
from fairvec.core.tables import Table, table_of
from fairvec.core.text import escape_control
from fairvec.experiments.comparison.compare import Comparison, RunComparison, change_of
from fairvec.experiments.comparison.table import (
    COMPARISON_COLUMNS,
    COMPARISON_VALUES,
    comparison_rows,
)
from fairvec.languages.people import ROLE_TITLES
from fairvec.messages.changes import (
    MISSING_ANSWERS,
    change_label,
    difference_summary,
    drift_note,
    format_paired_p,
    format_value,
    lost_answers_note,
    not_compared_notes,
    other_words_found_note,
    unit_notes,
)
from fairvec.messages.figures import effect_digits as digits_of
from fairvec.messages.remarks import skipped_rows_note
from fairvec.messages.test_details import fitted_words_note
from fairvec.messages.verdicts import format_corrected_p
from fairvec.results import Outcome, Result, Skipped
from fairvec.results.conditions.expression import Condition
from fairvec.results.conditions.gate import (
    OF_RESULTS,
    Gate,
    Row,
    cell,
    distinguishing_columns,
    full_name,
    named_by,
    named_cell,
    results_gate,
)
from fairvec.results.documents import (
    DOCUMENT_COLUMNS,
    DOCUMENT_VALUES,
    DocumentMeasure,
    document_row,
    read_document_lines,
)
from fairvec.results.records import ACROSS, CATEGORY, Change
from fairvec.results.rows import COLUMNS, to_row

_COLUMNS = (
    *("test", "model_before", "model_after", "pairing", "answered", "effect_before"),
    *("effect_after", "p_holm_before", "p_holm_after", "p_paired", "change"),
)


def compare(
    before: Annotated[Path, Argument(help="Folder of the first run.")],
    after: Annotated[Path, Argument(help="Folder of the second run.")],
    as_json: Annotated[bool, Option("--json", help="Print JSON lines.")] = False,
    fail_if: Annotated[
        str | None,
        Option(
            help="Condition on a compared test, for example: change in ['introduced', 'increased', "
            "'overshot', 'reversed'] or answered == 'before'; or on all by count, "
            f"mean, max and min, as in 'fairvec check'. Columns: {', '.join(COMPARISON_COLUMNS)}."
        ),
    ] = None,
    across_geometries: Annotated[
        str | None,
        Option(
            metavar="UNIT",
            help="Compare models whose similarities differ, as in flat space and the ball: by "
            "'ranks' of the words, or by 'standardised' leanings.",
        ),
    ] = None,
    markdown: MarkdownOption = False,
    junit: JunitOption = None,
) -> None:
    """Say of each test that two runs share whether its effect was removed, reversed, ...

    Categories come first: the tests of each that both runs share, pooled. Of a run of 'fairvec
    debias' the debiased model is compared. With --fail-if it exits with 1 and names the offending
    rows, categories among them (kind == 'category'); a test that only one run has is a row too,
    whose pairing is vanished or new, and answered == 'before' says that an answer was lost. With
    --across-geometries every figure is in a unit that both models share, and none is one of a run.
    """
    _check_options(as_json=as_json, fail_if=fail_if, markdown=markdown, junit=junit)
    condition = Condition(fail_if, COMPARISON_COLUMNS, COMPARISON_VALUES) if fail_if else None
    comparison = compare_runs(
        outcomes_of(before), outcomes_of(after), across_geometries=across_geometries
    )
    rows = comparison_rows(comparison)
    notes = _notes(comparison, rows)
    if condition is None:
        _show(comparison, rows, as_json=as_json, markdown=markdown)
        for note in notes:
            print_note(note)
        return
    gate = Gate(
        command="fairvec compare",
        things="comparisons",
        condition=condition,
        rows=rows,
        shown=_columns(rows),
        place=_models_of,
        name=full_name(rows),
        unanswered=_missing_answer,
        notes=notes,
    )
    if as_json:
        answers = [None] * len(rows) if condition.over_rows else gate.ruling.answers
        for row, meets in zip(rows, answers, strict=True):
            print_answer(json.dumps({**row, "meets": meets}, ensure_ascii=False))
    elif not markdown:
        _print_comparison(comparison)
    lines = ["  ".join(named_cell(row, name) for name in gate.shown) for row in gate.met]
    finish_gate(gate, lines=None if as_json else lines, markdown=markdown, junit=junit)


def _check_options(
    *, as_json: bool, fail_if: str | None, markdown: bool, junit: Path | None
) -> None:
    check_junit_place(junit)
    if as_json and markdown:
        raise SettingError("--json and --markdown are two answers to one question; choose one.")
    if junit is not None and fail_if is None:
        raise SettingError("--junit writes what a condition decided; add --fail-if CONDITION.")
    if fail_if is not None and not fail_if.strip():
        raise SettingError("--fail-if is empty; write a condition, or leave it out.")


def _show(comparison: RunComparison, rows: Sequence[Row], *, as_json: bool, markdown: bool) -> None:
    """Print the categories and tests that both runs have; as JSON also those that one has."""
    if as_json:
        for row in rows:
            print_answer(json.dumps(row, ensure_ascii=False))
    elif markdown:
        paired = [row for row in rows if row["pairing"] == "paired"]
        print_answer(
            rows_as_markdown(
                paired, [name for name in _columns(paired) if name not in ("pairing", "answered")]
            )
        )
    else:
        _print_comparison(comparison)


def _columns(rows: Sequence[Row]) -> tuple[str, ...]:
    across = ("across",) if any(row["across"] for row in rows) else ()
    return (_COLUMNS[0], *distinguishing_columns(rows), *across, *_COLUMNS[1:])


def _print_comparison(comparison: RunComparison) -> None:
    print_category_changes(comparison)
    print_table(comparison_table(comparison.pairs, across=comparison.across))


def _notes(comparison: RunComparison, rows: Sequence[Row]) -> tuple[str, ...]:
    """Return notes on what was not compared, and on the tests that lost their answer."""
    summary = difference_summary(comparison.changes)
    notes = [
        drift_note(each.model, each.largest, each.allowed, changed=each.changed)
        for each in comparison.drifts
    ]
    notes += [*_unit_notes(comparison), *([summary] if summary else [])]
    notes += not_compared_notes(comparison.otherwise, comparison.unpaired)
    for thing, things in (("test", "tests"), (CATEGORY, "categories")):
        lost = [
            cell(row["test"])
            for row in rows
            if row["answered"] == "before" and (row["kind"] == CATEGORY) == (thing == CATEGORY)
        ]
        if lost:
            notes += [lost_answers_note(lost, (thing, things))]
    if others := sum(not pair.same_words for pair in comparison.pairs):
        notes += [other_words_found_note(others)]
    return tuple(notes)


def _unit_notes(comparison: RunComparison) -> Iterable[str]:
    """Return the unit in which models of different geometries were compared, and its limits."""
    if not comparison.across:
        return ()
    similarities = [*dict.fromkeys(pair.after.similarity or "none" for pair in comparison.pairs)]
    return unit_notes(
        ACROSS[comparison.across],
        similarities,
        differ=comparison.two_similarities,
        left_out=comparison.left_out,
    )


def _models_of(row: Row) -> str:
    names = dict.fromkeys([row["model_before"], row["model_after"]])
    return " -> ".join(str(name) for name in names if name is not None)


def _missing_answer(row: Row) -> str:
    """Return why a comparison has no answer; empty if it has one."""
    return MISSING_ANSWERS.get(str(row["answered"]), "")


def comparison_table(pairs: tuple[Comparison, ...], *, across: str = "") -> Table:
    """Return one line per test: its effect and p before and after, and the kind of change."""
    several = len({_models(pair) for pair in pairs}) > 1
    effect = f"effect {ACROSS[across]}" if across else "effect"
    headings = ("test", *(("model",) if several else ()), effect, "Holm p", "change")
    rows = [
        (
            f"{pair.after.test.id}{fitted_words_note(pair.after)}",
            *((_models(pair),) if several else ()),
            f"{_effect(pair.before)} → {_effect(pair.after)}",
            f"{_p(pair.before, pair.p_before)} → {_p(pair.after, pair.p_after)}",
            change_label(change_of(pair)),
        )
        for pair in pairs
    ]
    return table_of(headings, rows, title="" if several else _models(pairs[0]))


def _models(pair: Comparison) -> str:
    names = dict.fromkeys([pair.before.model.name, pair.after.model.name])
    return " → ".join(escape_control(name, but="") for name in names)


def _effect(outcome: Outcome) -> str:
    if isinstance(outcome, Skipped) and outcome.cause == "no-spread":
        return "alike"
    effect = to_row(outcome)["effect"]
    return format_signed(effect, digits_of(outcome)) if isinstance(effect, float) else "none"


def _p(outcome: Outcome, p: float | None) -> str:
    return (format_corrected_p(outcome, p) if isinstance(outcome, Result) else "") or "none"


_DOCUMENT_COLUMNS = ("document", "measure", "what", "value", "count_a", "count_b", "p", "p_holm")


def check(
    folder: Annotated[
        Path, Argument(help="Folder with results.jsonl or document.jsonl, or the file itself.")
    ],
    fail_if: Annotated[
        str,
        Option(
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
        gate = _document_gate(folder, fail_if)
        lines = ["  ".join(named_cell(row, name) for name in gate.shown) for row in gate.met]
        finish_gate(gate, lines=lines, markdown=markdown, junit=junit)
    condition = Condition(fail_if)
    outcomes = outcomes_of(folder)
    gate = results_gate(outcomes, condition, where=str(folder))
    id_columns = named_by(gate.rows)
    skipped = sum(row["status"] == "skipped" for row in gate.rows)
    finish_gate(
        gate,
        lines=[]
        if condition.over_rows
        else [_line(outcomes[at], id_columns) for at in gate.ruling.met],
        markdown=markdown,
        junit=junit,
        more=skipped_rows_note(skipped),
    )


def _document_gate(folder: Path, fail_if: str) -> Gate:
    """Return the gate of the figures of documents."""
    figures = [line for line in read_document_lines(folder) if isinstance(line, DocumentMeasure)]
    # A misspelt document or role would pass every check; a word may well be in no document.
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
        rows=[document_row(figure) for figure in figures],
        shown=_DOCUMENT_COLUMNS,
        place=lambda row: str(row["document"]),
        name=lambda row: f"{row['measure']} ({row['what']})",
    )


def _line(outcome: Outcome, id_columns: tuple[str, ...]) -> str:
    """Return an outcome in one line; of a change the values before and after."""
    row = to_row(outcome)
    if not isinstance(outcome, Change):
        return "  ".join(named_cell(row, name) for name in (*id_columns, *OF_RESULTS))
    values = (format_value(outcome, value) for value in (outcome.value_before, outcome.value_after))
    p = format_paired_p(outcome.paired, outcome.alpha)
    paired = f"  paired p {p}" if p else ""
    label = "  ".join([outcome.test.id, *(named_cell(row, name) for name in id_columns[2:])])
    return escape_control(f"{label}  {' -> '.join(values)}  {outcome.kind}{paired}", but="")
