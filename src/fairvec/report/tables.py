"""Results as tables: CSV for spreadsheets, rich tables for the terminal."""

import csv
from collections.abc import Sequence
from io import StringIO
from shutil import get_terminal_size

from rich import box
from rich.table import Table
from rich.text import Text

from fairvec.core.format import format_number
from fairvec.core.text import escape_formulas
from fairvec.messages.figures import effect_digits, effect_symbol, format_effect, is_difference
from fairvec.messages.test_details import row_notes
from fairvec.messages.verdicts import (
    VERDICT_LABELS,
    format_corrected_p,
    format_own_p,
    is_evidence,
    verdict_kind,
)
from fairvec.report.arrange import all_series
from fairvec.results import Outcome, Result, Skipped
from fairvec.results.records import Description, in_brackets
from fairvec.results.rows import COLUMNS, to_row
from fairvec.results.verdicts import effect_magnitude

ROOM_FOR_P, ROOM_FOR_INTERVALS, ROOM_FOR_SIZES = 70, 90, 110
"""From so many columns on the terminal's table has p next to the corrected one, intervals, and
sizes next to verdicts and not under them."""


def as_csv(outcomes: Sequence[Outcome]) -> str:
    """Return one line per outcome with every column of results.COLUMNS, unrounded.

    Text that a spreadsheet would take for a formula begins with an apostrophe.
    """
    text = StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(escape_formulas(to_row(outcome)) for outcome in outcomes)
    return text.getvalue()


def as_rich_table(outcomes: Sequence[Outcome], *, width: int | None = None) -> Table:
    """Return a table for a terminal of this width (by default its own), the verdict first."""
    series = all_series(outcomes)
    width = width or get_terminal_size().columns
    p = _p_heading(outcomes)
    note = None if p == "p" else "Verdicts are two-sided, whatever tail p counts."
    table = Table(
        box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, caption=note, caption_justify="left"
    )
    table.add_column("Verdict", no_wrap=True)
    table.add_column("Test", overflow="fold", ratio=1)
    d = _effect_heading(outcomes)
    headings = {
        d: True,
        "Interval": width >= ROOM_FOR_INTERVALS,
        p: width >= ROOM_FOR_P,
        f"{p}, Holm": True,
    }
    for heading in (heading for heading, fits in headings.items() if fits):
        table.add_column(heading, justify="right", no_wrap=True)
    for model in series:
        if len(series) > 1:
            table.add_section()
            table.add_row("", Text(model.label, style="bold"))
        for entry in model.entries:
            table.add_row(*_cells(entry.outcome, width))
    return table


def _cells(outcome: Outcome, width: int) -> list[Text]:
    kind = verdict_kind(outcome)
    style = {"biased": "bold red", "associated": "bold", "no-evidence": ""}.get(kind, "dim")
    title = Text.assemble(outcome.test.title, (f" {outcome.test.id}", "dim"))
    for remark in row_notes(outcome):
        title.append(f"\n{remark}", style="dim")
    cells = [Text(VERDICT_LABELS[kind] + _magnitude(outcome, width), style=style), title]
    if isinstance(outcome, Result):
        cells.append(Text(format_effect(outcome, outcome.effect)))
        if width >= ROOM_FOR_INTERVALS:
            cells.append(Text(in_brackets(outcome.interval, effect_digits(outcome))))
        if width >= ROOM_FOR_P:
            cells.append(Text(format_own_p(outcome)))
        cells.append(Text(format_corrected_p(outcome, outcome.p_holm)))
    elif isinstance(outcome, Skipped):
        title.append(f"\n{outcome.reason}", style="dim")
    elif isinstance(outcome, Description):
        cells.append(Text(format_number(outcome.value)))
        if width >= ROOM_FOR_INTERVALS:
            cells.append(Text(in_brackets(outcome.interval)))
    return cells


def _magnitude(outcome: Outcome, width: int) -> str:
    """Return the size of a claimed effect in words, for next to or under its verdict."""
    if not (isinstance(outcome, Result) and is_evidence(outcome)) or is_difference(outcome):
        return ""
    size = effect_magnitude(outcome.effect)
    return f", {size}" if width >= ROOM_FOR_SIZES else f"\n{size}"


def _effect_heading(outcomes: Sequence[Outcome]) -> str:
    """Return what stands over the column of effects: d, a difference, or both."""
    names = dict.fromkeys(
        effect_symbol(outcome) for outcome in outcomes if isinstance(outcome, Result)
    )
    return " or ".join(name if name == "d" else name.capitalize() for name in names) or "Value"


def _p_heading(outcomes: Sequence[Outcome]) -> str:
    """Return the name of the chosen p; verdicts are two-sided whatever it is."""
    sides = {outcome.p.sides for outcome in outcomes if isinstance(outcome, Result)} - {"two"}
    return f"p ({' or '.join(sorted(sides))})" if sides else "p"
