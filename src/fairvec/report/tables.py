"""Results as tables: CSV for spreadsheets, and what a terminal shows of a run."""

from collections.abc import Sequence
from shutil import get_terminal_size

from fairvec.core.format import format_number
from fairvec.core.tables import Cell, Column, Row, Span, Style, Table, strong, table_of, to_csv
from fairvec.messages.captions import TWO_SIDED_VERDICTS
from fairvec.messages.changes import (
    MOVEMENT_HEADING,
    TOO_FEW_PAIRS,
    BeforeAfter,
    change_figures,
    change_label,
    format_movement,
    format_paired_p,
    group_heading,
    is_harmful,
    most_moved_words,
    significance_note,
    too_few_pairs,
)
from fairvec.messages.figures import effect_digits, effect_symbol, format_effect, is_difference
from fairvec.messages.test_details import fitted_words_note, row_notes
from fairvec.messages.verdicts import (
    VERDICT_LABELS,
    format_corrected_p,
    format_own_p,
    is_evidence,
    verdict_kind,
)
from fairvec.report.arrange import all_series
from fairvec.results import Outcome, Result, Skipped
from fairvec.results.records import CATEGORY, CategoryAnswer, Change, Description, in_brackets
from fairvec.results.rows import COLUMNS, to_row
from fairvec.results.verdicts import effect_magnitude

ROOM_FOR_P, ROOM_FOR_INTERVALS, ROOM_FOR_SIZES = 70, 90, 110
"""From so many columns on the terminal's table has p next to the corrected one, intervals, and
sizes next to verdicts and not under them."""


def as_csv(outcomes: Sequence[Outcome]) -> str:
    """Return one line per outcome with every column of results.COLUMNS, unrounded.

    Text that a spreadsheet would take for a formula begins with an apostrophe.
    """
    return to_csv(tuple(COLUMNS), map(to_row, outcomes))


def audit_table(outcomes: Sequence[Outcome], *, width: int | None = None) -> Table:
    """Return a table for a terminal of this width (by default its own), the verdict first."""
    series = all_series(outcomes)
    width = width or get_terminal_size().columns
    p = p_heading(outcomes)
    headings = {
        effect_heading(outcomes): True,
        "Interval": width >= ROOM_FOR_INTERVALS,
        p: width >= ROOM_FOR_P,
        f"{p}, Holm": True,
    }
    figures = [Column(heading, "right", "fixed") for heading, fits in headings.items() if fits]
    rows: list[Row] = []
    for model in series:
        if len(series) > 1:
            rows.append(Row(("", strong(model.label)), "section"))
        rows += [Row(_cells(entry.outcome, width)) for entry in model.entries]
    return Table(
        (Column("Verdict", width="fixed"), Column("Test", width="rest"), *figures),
        tuple(rows),
        notes=() if p == "p" else (TWO_SIDED_VERDICTS,),
        ruled=True,
    )


def _cells(outcome: Outcome, width: int) -> tuple[Cell, ...]:
    kind = verdict_kind(outcome)
    style = _VERDICT_STYLES.get(kind, "faint")
    remarks = [*row_notes(outcome), *([outcome.reason] if isinstance(outcome, Skipped) else [])]
    details = "".join(f"\n{remark}" for remark in remarks)
    verdict = Span(VERDICT_LABELS[kind] + _magnitude(outcome, width), style)
    title = (Span(outcome.test.title), Span(f" {outcome.test.id}{details}", "faint"))
    effect, interval, p, corrected = figure_cells(outcome)
    shown = [effect]
    if width >= ROOM_FOR_INTERVALS:
        shown.append(interval)
    if width >= ROOM_FOR_P:
        shown.append(p)
    return (verdict,), title, *shown, corrected


_VERDICT_STYLES: dict[str, Style] = {"biased": "alarm", "associated": "strong", "no-evidence": ""}


def figure_cells(outcome: Outcome) -> tuple[str, str, str, str]:
    """Return effect or value, interval, p and corrected p; empty where there is none."""
    if isinstance(outcome, Result | CategoryAnswer):
        return (
            format_effect(outcome, outcome.effect),
            in_brackets(outcome.interval, effect_digits(outcome)),
            format_own_p(outcome),
            format_corrected_p(outcome, outcome.p_holm),
        )
    if isinstance(outcome, Description):
        return format_number(outcome.value), in_brackets(outcome.interval), "", ""
    return "", "", "", ""


def _magnitude(outcome: Outcome, width: int) -> str:
    """Return the size of a claimed effect in words, for next to or under its verdict."""
    if not (isinstance(outcome, Result) and is_evidence(outcome)) or is_difference(outcome):
        return ""
    size = effect_magnitude(outcome.effect)
    return f", {size}" if width >= ROOM_FOR_SIZES else f"\n{size}"


def effect_heading(outcomes: Sequence[Outcome]) -> str:
    """Return what stands over the column of effects: d, a difference, or both."""
    names = dict.fromkeys(
        effect_symbol(outcome) for outcome in outcomes if isinstance(outcome, Result)
    )
    return " or ".join(name if name == "d" else name.capitalize() for name in names) or "Value"


def p_heading(outcomes: Sequence[Outcome]) -> str:
    """Return the name of the chosen p; verdicts are two-sided whatever it is."""
    sides = {outcome.p.sides for outcome in outcomes if isinstance(outcome, Result)} - {"two"}
    return f"p ({' or '.join(sorted(sides))})" if sides else "p"


def change_table(changed: BeforeAfter) -> Table:
    """Return one line per figure: before and after, what became of it and how sure that is."""
    rows: list[Row] = []
    for kind, changes in changed.groups.items():
        if kind == CATEGORY:  # each has a sentence of its own
            continue
        rows.append(Row((strong(group_heading(kind, changes)),), "section"))
        for one in changes:
            cells = (
                f"{changed.test_label(one)}{fitted_words_note(one)}",
                change_figures(one),
                _change_label(one),
                format_paired_p(one.paired, one.alpha) or TOO_FEW_PAIRS * too_few_pairs(one),
            )
            rows.append(Row(cells))
    if changed.movement or changed.unknown:
        rows.append(Row((strong(MOVEMENT_HEADING),), "section"))
    for figure in changed.movement:
        rows.append(Row((figure.test.title, format_movement(figure), most_moved_words(figure))))
    rows += [Row((gap.test.title, "skipped")) for gap in changed.unknown]
    return table_of(("test", "before → after", "change", "p of change"), rows, title=changed.title)


def _change_label(change: Change) -> Cell:
    """Return what became of a figure, and beside it in which run alone it is significant."""
    label = Span(change_label(change), "alarm" if is_harmful(change) else "")
    note = significance_note(change)
    return (label, Span(f" ({note})")) if note else (label,)
