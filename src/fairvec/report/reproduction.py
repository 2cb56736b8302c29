"""The page of a reproduction: claims, then each table as the paper prints it, ours beside it."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from markupsafe import Markup

from fairvec.core.format import MINUS, format_p_bound
from fairvec.messages import claims, papers
from fairvec.messages.papers import cell_lines, format_value, join_figures, table_agreement
from fairvec.report.page import render_page
from fairvec.report.plots.rows import dumbbell, forest_axis
from fairvec.report.plots.svg import Scale, scale_of
from fairvec.results import derived
from fairvec.results.records import ConceptView, Description
from fairvec.results.reproduction import (
    FigureLine,
    PrintedColumn,
    PrintedTable,
    ReproductionRecords,
)

MOST_BESIDE = 6
"""In a table with more figures in a row ours stand under the printed ones, not beside them."""

NO_FIGURE = ("no data", "no model", "skipped")
"""Grades that say why there is no figure of ours."""


@dataclass(frozen=True)
class Ours:
    """Our figure in one cell: its parts, each with whether it agrees, and what else is known."""

    parts: tuple[tuple[str, bool | None], ...]
    by_default: str
    model: str
    reason: str
    notes: tuple[int, ...]


@dataclass(frozen=True)
class PageCell:
    """One printed cell over `span` columns, with ours on each model."""

    printed: str
    bold: bool
    span: int
    ours: tuple[Ours, ...]


@dataclass(frozen=True)
class PlotRow:
    """One effect as it is printed and as it is here."""

    label: str
    drawing: Markup
    value: float


@dataclass(frozen=True)
class PageTable:
    """One table of the paper, as the page lays it out."""

    printed: PrintedTable
    quantities: str
    agreement: tuple[str, ...]
    groups: tuple[tuple[str, int], ...]
    rows: tuple[tuple[str, tuple[PageCell | None, ...]], ...]
    notes: tuple[str, ...]
    plot: tuple[tuple[str, tuple[PlotRow, ...]], ...]
    axis: Markup
    views: tuple[ConceptView, ...]
    agreements: tuple[derived.Agreement, ...]

    @property
    def is_beside(self) -> bool:
        """Whether ours stand beside the printed figures, or under them."""
        of_a_cell = 2 if "d (p)" in self.quantities else 1
        return of_a_cell * len(self.printed.columns) <= MOST_BESIDE


def render_reproduction(records: ReproductionRecords) -> str:
    """Return the page about one reproduction; the same records give the same page."""
    return render_page(
        "reproduction.html",
        records=records,
        head=records.head,
        tables=[_page_table(records, table) for table in records.head.tables],
        sentences=[*claims.claim_sentences(records)],
        text=papers,
        claim_text=claims,
        p_bound=format_p_bound,
    )


def _page_table(records: ReproductionRecords, table: PrintedTable) -> PageTable:
    figures = [figure for figure in records.figures if figure.table == table.id]
    notes: dict[str, int] = {}
    rows = [
        (row, tuple(_row_cells(table.columns, [one for one in figures if one.row == row], notes)))
        for row in table.rows
    ]
    scale = _scale(figures)
    drawn = [
        record
        for drawing in records.drawings
        if drawing.table == table.id
        for record in drawing.records
    ]
    return PageTable(
        printed=table,
        quantities=" or ".join(
            dict.fromkeys(
                join_figures(line, lambda figure: figure.quantity) for line in cell_lines(figures)
            )
        ),
        agreement=tuple(table_agreement(records, table.id)),
        groups=tuple(
            (group, len([*columns]))
            for group, columns in groupby(table.columns, lambda column: column.group)
        ),
        rows=tuple(rows),
        notes=tuple(notes),
        plot=tuple(_plot(figures, scale, records.head.alpha)),
        axis=forest_axis(scale),
        views=tuple(record for record in drawn if isinstance(record, ConceptView)),
        agreements=tuple(
            derived.agreements([record for record in drawn if isinstance(record, Description)])
        ),
    )


def _row_cells(
    columns: Sequence[PrintedColumn], figures: Sequence[FigureLine], notes: dict[str, int]
) -> Iterator[PageCell | None]:
    """Yield the cells of a row; None where the paper prints nothing, no cell where one spans."""
    by_column: dict[str, list[FigureLine]] = defaultdict(list)
    for figure in figures:
        by_column[figure.column].append(figure)
    for group, members in groupby(columns, lambda column: column.group):
        names = [column.name for column in members]
        if group and group in by_column:
            yield _cell(by_column[group], len(names), notes)
            continue
        for name in names:
            yield _cell(by_column[name], 1, notes) if name in by_column else None


def _cell(figures: Sequence[FigureLine], span: int, notes: dict[str, int]) -> PageCell:
    lines = cell_lines(figures)
    return PageCell(
        printed=join_figures(lines[0], _published),
        bold=lines[0][0].bold,
        span=span,
        ours=tuple(_ours(line, notes) for line in lines),
    )


def _ours(line: Sequence[FigureLine], notes: dict[str, int]) -> Ours:
    first = line[0]
    by_quantity = {figure.quantity: figure for figure in line}
    names = ["d", "p"] if by_quantity.keys() == {"d", "p"} else [*by_quantity]
    parts = [
        (_computed(figure), figure.agrees)
        for figure in map(by_quantity.__getitem__, names)
        if figure.ours is not None
    ]
    default = join_figures(line, lambda figure: format_value(figure, figure.ours_by_default))
    return Ours(
        parts=tuple(parts),
        by_default=default,
        model=first.model,
        reason="" if parts else first.grade if first.grade in NO_FIGURE else "no figure",
        # Why there is nothing at all stands at the top.
        notes=tuple(
            notes.setdefault(note, len(notes) + 1)
            for note in (() if first.grade in ("no data", "no model") else first.notes)
        ),
    )


def _published(figure: FigureLine) -> str:
    """Return what is printed, a number with a minus sign."""
    text = figure.published
    return text if figure.value is None else text.replace("-", MINUS)


def _computed(figure: FigureLine) -> str:
    text = format_value(figure, figure.ours)
    return text if isinstance(figure.ours, str) else text.replace("-", MINUS)


def _effects(figures: Sequence[FigureLine]) -> Iterator[tuple[FigureLine, float, float]]:
    for figure in figures:
        if figure.quantity == "d" and figure.value is not None and isinstance(figure.ours, float):
            yield figure, figure.value, figure.ours


def _scale(figures: Sequence[FigureLine]) -> Scale:
    ends = [end for _, printed, ours in _effects(figures) for end in (printed, ours)]
    return scale_of([0.0, *ends])


def _plot(
    figures: Sequence[FigureLine], scale: Scale, alpha: float
) -> Iterator[tuple[str, tuple[PlotRow, ...]]]:
    """Yield each row of a table of effects with a dumbbell for each of its columns."""
    p_values = {
        (figure.row, figure.column, figure.model): (figure.value, figure.ours)
        for figure in figures
        if figure.quantity == "p"
    }
    rows: dict[str, list[PlotRow]] = defaultdict(list)
    of_cell = Counter((figure.row, figure.column) for figure, *_ in _effects(figures))
    for figure, printed, ours in _effects(figures):
        pair = p_values.get((figure.row, figure.column, figure.model), (None, None))
        before, after = (isinstance(p, float) and p < alpha for p in pair)
        about = f"{figure.row}, {figure.column}: printed {figure.published}, here " + format_value(
            figure, figure.ours
        )
        drawing = dumbbell(
            printed, ours, scale, evident_before=before, evident_after=after, title=about
        )
        several = of_cell[figure.row, figure.column] > 1
        label = f"{figure.column}, {figure.model}" if several else figure.column
        rows[figure.row].append(PlotRow(label, drawing, ours))
    yield from ((row, tuple(members)) for row, members in rows.items())
